"""Mistakes of users in Python, beyond those of taggers: each is an error that says what and where."""

from __future__ import annotations

import io

import numpy as np
import pyarrow as pa
import pytest

from mistakes import GOOD, TAGS, fit, refused
from perceptag import (
    GlobalLinearModel,
    Pipeline,
    Recipe,
    Rules,
    Sentence,
    Tagger,
    Tokenizer,
    WordClasses,
    arrow,
)
from perceptag.tables import from_sentences, to_sentences
from perceptag.text import read, write
from perceptag.training.jackknife import with_predicted
from perceptag.training.train import Training
from pipelines import whole

RULES = "[[rule]]\nlabel = 'X'\ntokens = '\"the\"i'\n"
TABLE = pa.table({"tokens": GOOD, "labels": TAGS})
CLASSES = WordClasses.learn(GOOD, sizes=[2], min_count=1)


def linear(gen=lambda x: [x, x[::-1]], phi=lambda x, y: {y: 1}, **arguments):
    return GlobalLinearModel(gen, phi, **arguments)


CASES = {
    # --- pipelines
    "one text as texts": (lambda: whole().documents("London."), "texts: expected a list of strings, found 'London.'"),
    "a dictionary of texts": (lambda: whole().pipe({"a": "b"}), "texts: expected a list of strings, found {'a': 'b'}"),
    "a number among texts": (lambda: whole().documents(["a", 3]), "text 1: expected a string, found 3"),
    "a treebank that is None": (lambda: whole().evaluate(None), "gold: expected a path or sentences of CoNLL-U"),
    "a treebank of tokens": (lambda: whole().evaluate([["a"]]), "gold: expected sentences of CoNLL-U, found ['a']"),
    "layers to drop": (lambda: whole().with_layers(drop=None), "drop: expected names of layers, found None"),
    "a layer that is a list": (lambda: whole().with_layers(drop=[["pos"]]), "drop: expected one of "),
    "layers to replace": (lambda: whole().with_layers(replace=["pos"]), "replace: expected a dictionary of models"),
    "a layer that is an array": (lambda: whole().upto(np.array(["a", "b"])), "layer: expected one of "),
    "bytes that are text": (lambda: Pipeline.from_bytes("a", "a"), "data: expected the bytes of a file, found 'a'"),
    # --- taggers
    "no model to be reliable": (lambda: Tagger().reliability(GOOD, TAGS), "this tagger has no model yet"),
    "no model to be confident": (lambda: Tagger().predict_confidence(GOOD), "this tagger has no model yet"),
    "rules that are a number": (lambda: fit().predict(GOOD, rules=3), "rules: expected a list for each sentence"),
    "rules of a sentence that are text": (
        lambda: fit().with_rules(GOOD, [[], ["ab"]]),
        "rules: sentence 1: expected a list of RuleSpan, found 'ab' in it",
    ),
    "half a feature": (lambda: fit().explain(GOOD[0]).render(top=0.5), "top: expected a number from 0, found 0.5"),
    # --- recipes and tokenisers
    "a recipe for text that is a number": (
        lambda: Tokenizer(3).fit([]),
        "recipe: expected a name, a path or a Recipe, found 3",
    ),
    "half a pass": (lambda: Recipe(epochs=2.5), "epochs: expected a whole number, found 2.5"),
    "no pass": (lambda: Recipe(epochs=0), "epochs: expected a number from 1"),
    "settings that are a list": (lambda: Recipe().replace([1]), "settings: expected a dictionary of recipe keys"),
    # --- files
    "sentences to write are None": (
        lambda: write(None, io.BytesIO()),
        "sentences: expected a list of sentences, found None",
    ),
    "token lists to write": (
        lambda: write([Sentence({"form": ["a"]}), ["a", "b"]], io.BytesIO()),
        "sentence 1: expected perceptag.Sentence({'form': [...]}), found ['a', 'b']",
    ),
    "an encoding that is a list": (
        lambda: read("a.txt", encoding=["utf-8"]),
        "encoding: expected auto, utf-8, latin-1, cp1252, utf-16 or another encoding, found ['utf-8']",
    ),
    "columns that are a number": (
        lambda: list(read(io.StringIO("a b\n"), columns=2)),
        "columns: expected a list of different names, found 2",
    ),
    # --- rules
    "rules that are a path": (lambda: Rules.parse(None), "text: expected a string, found None"),
    "text for rules": (lambda: Rules.parse(RULES).tag("the dog"), "expected a list of sentences, found 'the dog'"),
    # --- word classes
    "words that are None": (lambda: WordClasses.learn(None), "sentences: expected lists of words, found None"),
    "sizes that are a number": (lambda: WordClasses.learn(GOOD, 2), "sizes: expected a list of whole numbers, found 2"),
    "a folding that is None": (lambda: WordClasses.learn(GOOD, fold=None), "fold: expected a list of names"),
    "a word that is a number": (lambda: CLASSES.of(3, 2), "word: expected a string, found 3"),
    "a class that is text": (lambda: CLASSES.examples(2, "0"), "expected a class from 0 to 1, found '0'"),
    "a size by itself": (lambda: CLASSES.only(2), "sizes: expected a list of sizes, found 2"),
    # --- tables
    "columns that are one name": (lambda: to_sentences(TABLE, columns="pos"), "columns: expected a list of names"),
    "columns of a table that are a number": (
        lambda: to_sentences(TABLE, columns=3),
        "columns: expected a list or a dictionary of names, found 3",
    ),
    "a column without a name": (
        lambda: from_sentences(GOOD, "arrow", by=""),
        "tokens, labels, by, document: expected names of columns, found ''",
    ),
    "columns of Arrow that are a list": (
        lambda: arrow.tag(fit(), TABLE["tokens"], columns=["pos"]),
        "columns: expected a dictionary of columns, found ['pos']",
    ),
    "half a thread": (
        lambda: arrow.tag(fit(), TABLE["tokens"], threads=0.5),
        "threads: expected a number from 1 to 1024, found 0.5",
    ),
    # --- training
    "a recipe that is a number": (lambda: Training(3, []), "recipe: expected a name, a path or a Recipe, found 3"),
    "threads that are text": (lambda: Training(Recipe(), [], threads="2"), "threads: expected a number from 1"),
    "a layer that is a tagger": (
        lambda: with_predicted([fit()], []),
        "layers: expected a list of LowerLayer(tagger.model_), found <Tagger(",
    ),
    # --- any structure
    "candidates that are a list": (lambda: linear(gen=["a"]), "gen: expected a function, found ['a']"),
    "no candidates": (lambda: linear(gen=lambda x: None).fit(["a"], ["a"]), "gen('a'): expected a list of candidates"),
    "no features": (lambda: linear(phi=lambda x, y: None).fit(["ab"], ["ba"]), "phi('ab', 'ab'): expected a dictiona"),
    "inputs that are text": (lambda: linear().fit("ab", ["a", "b"]), "X: expected a list, found 'ab'"),
    "passes that are text": (lambda: linear(epochs="3").fit(["a"], ["a"]), "epochs: expected a number from 1"),
}


@pytest.mark.parametrize(("use", "message"), CASES.values(), ids=CASES)
def test_bad_arguments_from_python(use, message):
    refused(use, message)
