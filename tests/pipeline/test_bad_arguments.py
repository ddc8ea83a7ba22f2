"""Mistakes of users in Python, beyond those of taggers: each is an error that says what and where."""

from __future__ import annotations

import io

import pyarrow as pa
import pytest

from mistakes import GOOD, TAGS, fit, refused
from perceptag import (
    GlobalLinearModel,
    Pipeline,
    Recipe,
    Rules,
    Tagger,
    Tokenizer,
    WordClasses,
    arrow,
)
from perceptag.tables import from_sentences, to_sentences
from perceptag.text import write
from perceptag.training.jackknife import with_predicted
from pipelines import whole

RULES = "[[rule]]\nlabel = 'X'\ntokens = '\"the\"i'\n"
TABLE = pa.table({"tokens": GOOD, "labels": TAGS})
CLASSES = WordClasses.learn(GOOD, sizes=[2], min_count=1)


def linear(gen=lambda x: [x, x[::-1]], phi=lambda x, y: {y: 1}, **arguments):
    return GlobalLinearModel(gen, phi, **arguments)


CASES = {
    # --- pipelines
    "one text as texts": (lambda: whole().documents("London."), "texts: expected a list of strings, found 'London.'"),
    "a number among texts": (lambda: whole().documents(["a", 3]), "text 1: expected a string, found 3"),
    "a treebank that is None": (lambda: whole().evaluate(None), "gold: expected a path or sentences of CoNLL-U"),
    "layers to drop": (lambda: whole().with_layers(drop=None), "drop: expected names of layers, found None"),
    "layers to replace": (lambda: whole().with_layers(replace=["pos"]), "replace: expected a dictionary of models"),
    "bytes that are text": (lambda: Pipeline.from_bytes("a", "a"), "data: expected the bytes of a file, found 'a'"),
    # --- taggers
    "no model to be reliable": (lambda: Tagger().reliability(GOOD, TAGS), "this tagger has no model yet"),
    "rules that are a number": (lambda: fit().predict(GOOD, rules=3), "rules: expected a list for each sentence"),
    "half a feature": (lambda: fit().explain(GOOD[0]).render(top=0.5), "top: expected a number from 0, found 0.5"),
    # --- recipes and tokenisers
    "a recipe for text that is a number": (
        lambda: Tokenizer(3).fit([]),
        "recipe: expected a name, a path or a Recipe, found 3",
    ),
    "settings that are a list": (lambda: Recipe().replace([1]), "settings: expected a dictionary of recipe keys"),
    # --- files
    "sentences to write are None": (
        lambda: write(None, io.BytesIO()),
        "sentences: expected a list of sentences, found None",
    ),
    # --- rules
    "rules that are a path": (lambda: Rules.parse(None), "text: expected a string, found None"),
    "text for rules": (lambda: Rules.parse(RULES).tag("the dog"), "expected a list of sentences, found 'the dog'"),
    # --- word classes
    "words that are None": (lambda: WordClasses.learn(None), "sentences: expected lists of words, found None"),
    "a word that is a number": (lambda: CLASSES.of(3, 2), "word: expected a string, found 3"),
    # --- tables
    "columns that are one name": (lambda: to_sentences(TABLE, columns="pos"), "columns: expected a list of names"),
    "a column without a name": (
        lambda: from_sentences(GOOD, "arrow", by=""),
        "tokens, labels, by, document: expected names of columns, found ''",
    ),
    "half a thread": (
        lambda: arrow.tag(fit(), TABLE["tokens"], threads=0.5),
        "threads: expected a number from 1 to 1024, found 0.5",
    ),
    # --- training
    "a layer that is a tagger": (
        lambda: with_predicted([fit()], []),
        "layers: expected a list of LowerLayer(tagger.model_), found <Tagger(",
    ),
    # --- any structure
    "candidates that are a list": (lambda: linear(gen=["a"]), "gen: expected a function, found ['a']"),
    "no candidates": (lambda: linear(gen=lambda x: None).fit(["a"], ["a"]), "gen('a'): expected a list of candidates"),
}


@pytest.mark.parametrize(("use", "message"), CASES.values(), ids=CASES)
def test_bad_arguments_from_python(use, message):
    refused(use, message)
