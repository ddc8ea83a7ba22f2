"""Mistakes of users in Python: each is an error that says what and where, and nothing crashes."""

from __future__ import annotations

import io
import math

import numpy as np
import pytest

from mistakes import CANNOT, GOOD, TAGS, fit, labelled, refused
from perceptag import Sentence, Span, Tagger, compare, evaluate
from perceptag.evaluation import top_confusions
from perceptag.recipe.recipe import load
from perceptag.text import from_tokens, read, read_columns, write
from perceptag.training.train import Training


def spans_of(spans):
    tagger = Tagger("crf", epochs=1).fit(GOOD, [["B-X", "O"], ["O", "B-X"]])
    return tagger.predict_span_marginals(GOOD[:1], spans)


def changed_sentence(**columns):
    """A sentence from a file, changed after it was read."""
    stream = io.StringIO("a D\nb N\nc V\n")
    stream.name = "a.txt"
    (sentence,) = read_columns(stream)
    sentence.columns |= columns
    return sentence


# name: what is done, and what the message must say
CASES = {
    # --- the list of sentences
    "nothing": (lambda: fit(None), "expected a list of sentences, found None"),
    "a number": (lambda: fit(3), "expected a list of sentences, found 3"),
    "a text": (lambda: fit("the dog"), "expected a list of sentences, found 'the dog'"),
    "no sentences": (lambda: fit([], []), "no sentence to learn from"),
    "only empty sentences": (lambda: fit([[], []], [[], []]), "no sentence to learn from"),
    "more sentences than label lists": (
        lambda: fit(GOOD, TAGS[:1]),
        "expected 2 label lists, one for each sentence; found 1",
    ),
    # --- a sentence
    "a sentence is text": (
        lambda: fit([["the", "dog"], "a cat"]),
        "sentence 1: expected a list of tokens, found 'a cat'",
    ),
    "a sentence is None": (lambda: fit([["the", "dog"], None]), "sentence 1: expected a list of tokens, found None"),
    "a sentence is a number": (lambda: fit([1.5, ["a", "cat"]]), "sentence 0: expected a list of tokens, found 1.5"),
    "a sentence is bytes": (lambda: fit([b"the dog", ["a"]]), "sentence 0: expected a list of tokens"),
    "columns of different lengths": (
        lambda: fit([["the", "dog"], {"form": ["a", "cat"], "pos": ["D"]}]),
        "sentence 1: expected columns of equal length, found {'form': 2, 'pos': 1}",
    ),
    "a column is text": (
        lambda: fit([{"form": "the dog"}], TAGS[:1]),
        "sentence 0: column 'form': expected a list of tokens, found 'the dog'",
    ),
    "tokens with different columns": (
        lambda: fit([[{"form": "a", "pos": "D"}, {"form": "b"}]], [["D", "N"]]),
        "sentence 0, token 1: expected the columns of the first token, ['form', 'pos'], found ['form']",
    ),
    "a sentence made by hand with columns of different lengths": (
        lambda: fit([Sentence({"form": ["a", "b"], "pos": ["X"]})], [["D", "N"]]),
        "sentence 0: expected columns of equal length",
    ),
    "a column of a sentence made by hand is text": (
        lambda: fit([Sentence({"form": "ab"})], [["D", "N"]]),
        "sentence 0: column 'form': expected a list of strings, found 'ab'",
    ),
    "a column of a sentence made by hand is None": (
        lambda: fit([Sentence({"form": None})], [["D", "N"]]),
        "sentence 0: column 'form': expected a list of strings, found None",
    ),
    "a sentence made by hand without columns": (
        lambda: fit([Sentence(["a", "b"])], [["D", "N"]]),
        "sentence 0: columns: expected a dictionary of lists, found ['a', 'b']",
    ),
    "tokens of a sentence are text": (lambda: from_tokens("ab"), "expected a list of strings, found 'ab'"),
    "a sentence of a file with columns of different lengths": (
        lambda: fit([Sentence({"form": ["a", "b"], "pos": ["X"]}, "a.txt", 7)], [["D", "N"]]),
        "a.txt:7: expected columns of equal length, found {'form': 2, 'pos': 1}",
    ),
    "a sentence of a file whose columns were changed": (
        lambda: fit().predict([changed_sentence(form=["a", "b"])]),
        "a.txt:1: expected columns of equal length, found {'form': 2, 'label': 3}",
    ),
    "a sentence of a file with a bad token": (
        lambda: fit().predict([changed_sentence(label=["X", 7, "Z"])]),
        "a.txt:2: column 'label': expected text, found 7",
    ),
    "a sentence of a file with text as a column": (
        lambda: fit().predict([changed_sentence(form="abc")]),
        "a.txt:1: column 'form': expected a list of strings, found 'abc'",
    ),
    "training on a sentence with columns of different lengths": (
        lambda: Training(load("collins-pos"), [changed_sentence(label=["X"])]),
        "a.txt:1: expected columns of equal length, found {'form': 3, 'label': 1}",
    ),
    "dev sentences with columns of different lengths": (
        lambda: Training(load("collins-pos"), labelled("AB"), [changed_sentence(label=["X"])]),
        "a.txt:1: expected columns of equal length, found {'form': 3, 'label': 1}",
    ),
    # --- a token
    "a token is a number": (
        lambda: fit([["the", 5], ["a", "cat"]]),
        "sentence 0, token 1: column 'form': expected text, found 5",
    ),
    "a token is None": (
        lambda: fit([["the", "dog"], [None, "cat"]]),
        "sentence 1, token 0: column 'form': expected text, found None",
    ),
    "a token is NaN": (
        lambda: fit([["the", math.nan], ["a", "cat"]]),
        "sentence 0, token 1: column 'form': expected text, found nan",
    ),
    "a token is bytes": (
        lambda: fit([["the", b"dog"], ["a", "cat"]]),
        "sentence 0, token 1: column 'form': expected text, found b'dog'",
    ),
    "a token is a list": (
        lambda: fit([["the", ["dog"]], ["a", "cat"]]),
        "sentence 0, token 1: column 'form': expected text",
    ),
    "NUL": (
        lambda: fit([["the", "dog"], ["a", "c\0t"]]),
        "sentence 1, token 1: column 'form': expected text, found NUL in 'c\\x00t'",
    ),
    "a lone surrogate": (
        lambda: fit([["the", "d\ud800g"], ["a", "cat"]]),
        "sentence 0, token 1: column 'form': expected text, found a lone surrogate",
    ),
    "a lone surrogate in the name of a column": (
        lambda: fit([{"form": ["a", "b"], "p\ud800s": ["X", "Y"]}], [["D", "N"]]),
        "sentence 0: name of a column: expected text, found a lone surrogate",
    ),
    "a bad value in another column": (
        lambda: fit([{"form": ["a", "b"], "pos": ["X", 7]}], [["D", "N"]]),
        "sentence 0, token 1: column 'pos': expected text, found 7",
    ),
    "a bad token in a sentence made by hand": (
        lambda: fit([Sentence({"form": ["a", 7]})], [["D", "N"]]),
        "sentence 0, token 1: column 'form': expected text, found 7",
    ),
    "a bad token at tagging": (
        lambda: fit().predict([["the"], ["a", 3]]),
        "sentence 1, token 1: column 'form': expected text, found 3",
    ),
    "a bad token to explain": (
        lambda: fit().explain(["a", 3]),
        "sentence 0, token 1: column 'form': expected text, found 3",
    ),
    "text to explain": (lambda: fit().explain("the dog"), "sentence 0: expected a list of tokens, found 'the dog'"),
    "text at tagging": (lambda: fit().predict("the dog"), "expected a list of sentences"),
    # --- labels
    "labels are text": (lambda: fit(GOOD, ["DN", "DN"]), "sentence 0: expected a list of labels, found 'DN'"),
    "labels are one text": (lambda: fit(GOOD, "DN"), "expected a list of label lists, found 'DN'"),
    "labels are a number": (lambda: fit(GOOD, 7), "expected a list of label lists, found 7"),
    "one label list is None": (
        lambda: fit(GOOD, [["D", "N"], None]),
        "sentence 1: expected a list of labels, found None",
    ),
    "fewer labels than tokens": (
        lambda: fit(GOOD, [["D", "N"], ["D"]]),
        "sentence 1: expected 2 labels, one for each token; found 1",
    ),
    "an empty label": (lambda: fit(GOOD, [["D", "N"], ["D", ""]]), "sentence 1, token 1: expected a label, found ''"),
    "a label is None": (
        lambda: fit(GOOD, [["D", None], ["D", "N"]]),
        "sentence 0, token 1: expected a label, found None",
    ),
    "a label is NaN": (
        lambda: fit(GOOD, [["D", math.nan], ["D", "N"]]),
        "sentence 0, token 1: expected a label, found nan",
    ),
    "a label is a number": (
        lambda: fit(GOOD, [["D", 1], ["D", "N"]]),
        "sentence 0, token 1: expected a label, found 1; labels are strings",
    ),
    "NUL in a label": (
        lambda: fit(GOOD, [["D", "N\0"], ["D", "N"]]),
        "sentence 0, token 1: expected a label, found 'N\\x00'",
    ),
    "labels to score of another length": (
        lambda: fit().score(GOOD, [["D", "N"], ["D"]]),
        "sentence 1: expected 2 labels, one for each token; found 1",
    ),
    "labels to evaluate that are NaN": (
        lambda: fit().evaluate(GOOD, [["D", math.nan], ["D", "N"]]),
        "sentence 0, token 1: expected a label",
    ),
    "nothing to score": (lambda: fit().score([], []), "expected labels to evaluate, found none"),
    "evaluate lists of different lengths": (
        lambda: evaluate([["A"]], [["A"], ["B"]]),
        "predicted: expected 1 sentence as in gold, found 2",
    ),
    "no label column": (
        lambda: Tagger().fit([["the", "dog"]]),
        "expected words and labels, found only one column (form)",
    ),
    "a sentence without the label column": (
        lambda: Tagger().fit([*labelled("AB"), Sentence({"form": ["x"]})]),
        "sentence 1, token 0: expected labels in column 'label', found no such column",
    ),
    "a label with a lone surrogate": (
        lambda: fit(GOOD, [["D", "N"], ["D", "\ud800"]]),
        "sentence 1, token 1: expected a label, found '\\ud800'",
    ),
    "a label with a lone surrogate in a column": (
        lambda: Tagger("collins-pos").fit(labelled(["D", "\ud800"])),
        "sentence 0, token 1: column 'label': expected text, found a lone surrogate",
    ),
    # --- dev
    "dev is one thing": (
        lambda: Tagger().fit(GOOD, TAGS, dev=(GOOD,)),
        "dev: expected (X, y) or a list of sentences, found 1",
    ),
    "dev has no labels": (
        lambda: Tagger().fit(labelled("AB"), dev=GOOD),
        "sentence 0, token 0: expected labels in column 'label'",
    ),
    "dev is empty": (lambda: Tagger().fit(GOOD, TAGS, dev=([], [])), "no sentence to measure on (dev)"),
    "dev labels of another length": (
        lambda: Tagger().fit(GOOD, TAGS, dev=(GOOD, [["D"], ["D", "N"]])),
        "sentence 0: expected 2 labels, one for each token; found 1",
    ),
    # --- files
    "save to nothing": (lambda: fit().save(None), "path: expected a path (a string or os.PathLike), found None"),
    "save to a number": (lambda: fit().save(3), "path: expected a path (a string or os.PathLike), found 3"),
    "save to bytes": (lambda: fit().save(b"m"), "path: expected a path (a string or os.PathLike), found b'm'"),
    "save to a name with NUL": (lambda: fit().save("a\0b"), "path: expected a path (a string or os.PathLike)"),
    "load from nothing": (lambda: Tagger.load(None), "path: expected a path (a string or os.PathLike), found None"),
    "load from a name with NUL": (lambda: Tagger.load("a\0b"), "path: expected a path"),
    "read nothing": (lambda: list(read(None)), "source: expected a path or an open stream, found None"),
    "read a number": (lambda: list(read(3, "jsonl")), "source: expected a path or an open stream, found 3"),
    "read bytes": (lambda: list(read(b"a.txt")), "source: expected a path or an open stream, found b'a.txt'"),
    "read a format that is a number": (
        lambda: read("a.txt", 3),
        "format: expected columns, conllu, jsonl, parquet, crfsuite, text, inline, found 3",
    ),
    "write to nothing": (lambda: write([], None), "target: expected a path or an open stream, found None"),
    # --- evaluation
    "a negative seed": (
        lambda: evaluate(TAGS, TAGS, seed=-1),
        "seed: expected a number from 0 to 18446744073709551615, found -1",
    ),
    "a seed that is a word": (
        lambda: evaluate(TAGS, TAGS, seed="0"),
        "seed: expected a number from 0 to 18446744073709551615, found '0'",
    ),
    "half a sample": (
        lambda: evaluate(TAGS, TAGS, bootstrap=1.5),
        "bootstrap: expected a number from 0 to 1000000, found 1.5",
    ),
    "a scheme that is a number": (lambda: evaluate(TAGS, TAGS, scheme=3), "scheme: expected one of"),
    "a repair that is a list": (lambda: evaluate(TAGS, TAGS, repair=[]), "repair: expected one of"),
    "known words that are a number": (
        lambda: evaluate(TAGS, TAGS, tokens=GOOD, known=3),
        "known: expected a set of words, found 3",
    ),
    "nothing to evaluate": (lambda: evaluate(None, None), "gold: expected a list of label lists, found None"),
    "nothing to evaluate with": (lambda: evaluate(TAGS, None), "predicted: expected a list of label lists, found None"),
    "text to evaluate": (lambda: evaluate("DN", "DN"), "gold: expected a list of label lists, found 'DN'"),
    "an evaluated sentence is None": (
        lambda: evaluate(TAGS, [["D", "N"], None]),
        "sentence 1: expected a list of labels, found None",
    ),
    "an evaluated label is a number": (
        lambda: evaluate(TAGS, [["D", "N"], ["D", 7]]),
        "sentence 1, token 1: predicted: expected strings, found 7",
    ),
    "compare with nothing": (lambda: compare(TAGS, None, TAGS), "a: expected a list of label lists, found None"),
    "compare with a negative seed": (
        lambda: compare(TAGS, TAGS, TAGS, seed=-1),
        "seed: expected a number from 0 to 18446744073709551615, found -1",
    ),
    "compare without rounds": (
        lambda: compare(TAGS, TAGS, TAGS, rounds=0),
        "rounds: expected a number from 1 to 10000000, found 0",
    ),
    "half a confusion": (lambda: top_confusions(TAGS, TAGS, 0.5), "n: expected a number from 0, found 0.5"),
    "spans that are tuples": (
        lambda: spans_of([[(0, 1, "X")]]),
        "spans: expected Span(start, end, label), found (0, 1, 'X') of sentence 0",
    ),
    "spans between tokens": (lambda: spans_of([[Span("0", 1, "X")]]), "spans: expected Span(start, end, label), found"),
    "a span whose label is a list": (
        lambda: spans_of([[Span(0, 1, [])]]),
        "spans: expected Span(start, end, label), found Span(start=0, end=1, label=[]) of sentence 0",
    ),
    "spans that are a number": (lambda: spans_of(3), "spans: expected a list of spans for each sentence, found 3"),
    "spans of a sentence that are None": (lambda: spans_of([None]), "spans: expected a list of spans for each"),
    "samples without end": (
        lambda: evaluate(TAGS, TAGS, bootstrap=10**6 + 1),
        "bootstrap: expected a number from 0 to 1000000, found 1000001",
    ),
    "rounds without end": (
        lambda: compare(TAGS, TAGS, TAGS, rounds=10**7 + 1),
        "rounds: expected a number from 1 to 10000000",
    ),
}

HUGE = 10**5000  # more digits than Python writes
HUGE_CASES = {
    "n": (lambda: fit().predict_nbest(GOOD, HUGE), f"n: expected a number from 1 to 1000000, found {CANNOT}"),
    "threads": (lambda: fit(threads=HUGE), f"threads: expected a number from 1 to 1024, found {CANNOT}"),
    "epochs": (lambda: fit(epochs=HUGE), f"epochs: expected a whole number, found {CANNOT}"),
    "seed": (lambda: fit(seed=HUGE), f"seed: expected a whole number, found {CANNOT}"),
    "shuffle": (lambda: fit(shuffle=HUGE), f"shuffle: expected true or false, found {CANNOT}"),
    "learner": (lambda: fit(learner=HUGE), f"learner: expected a string, found {CANNOT}"),
    "templates": (lambda: fit(templates=HUGE), f"templates: expected a list of strings, found {CANNOT}"),
    "recipe": (lambda: fit(recipe=HUGE), f"recipe: expected a name, a path or a Recipe, found {CANNOT}"),
    "a token": (lambda: fit([["a", HUGE], ["a", "b"]]), f"column 'form': expected text, found {CANNOT}"),
    "a label": (lambda: fit(GOOD, [["D", HUGE], ["D", "N"]]), f"token 1: expected a label, found {CANNOT}"),
    "a column": (lambda: fit([{HUGE: ["a"]}], [["D"]]), f"name of a column: expected text, found {CANNOT}"),
    "a key": (lambda: fit([[{HUGE: "a"}, {}]], [["D", "N"]]), "expected the columns of the first token, a value"),
    "a span": (
        lambda: spans_of([[Span(0, HUGE, "X")]]),
        "spans: expected a span within sentence 0, which has 2 tokens, found",
    ),
    "scheme": (lambda: evaluate(TAGS, TAGS, scheme=HUGE), f"found {CANNOT}"),
    "repair": (lambda: evaluate(TAGS, TAGS, repair=HUGE), f"found {CANNOT}"),
    "seed of samples": (
        lambda: evaluate(TAGS, TAGS, seed=HUGE),
        f"seed: expected a number from 0 to {2**64 - 1}, found {CANNOT}",
    ),
    "format": (lambda: list(read(io.StringIO(), HUGE)), f"found {CANNOT}"),
    "separator": (lambda: list(read_columns(io.StringIO("a b"), separator=HUGE)), f"space or a tab, found {CANNOT}"),
    "columns": (
        lambda: list(read_columns(io.StringIO("a b"), [HUGE])),
        "expected a list of different names, found",
    ),
    "a value to write": (
        lambda: write([Sentence({"form": [HUGE]})], io.BytesIO()),
        "cannot write form a value of",
    ),
}
CASES |= {f"{name} of 5,000 digits": case for name, case in HUGE_CASES.items()}


@pytest.mark.parametrize(("use", "message"), CASES.values(), ids=CASES)
def test_bad_input_from_python(use, message):
    refused(use, message)


def test_odd_but_fine():
    """Odd but correct input is accepted."""
    assert fit([np.array(["the", "dog"]), ("a", "cat")], [np.array(["D", "N"]), ("D", "N")]).predict([()]) == [[]]
    assert fit(epochs="2", shuffle="yes").model_.recipe.epochs == 2
    assert fit(epochs=2.0).model_.recipe.shuffle is False
    assert fit(GOOD, [["D D", "N\tN"]] * 2).predict(GOOD[:1]) == [["D D", "N\tN"]]
