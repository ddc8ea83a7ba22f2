"""Mistakes of users in Python, beyond those of taggers: each is an error that says what and where."""

from __future__ import annotations

import pyarrow as pa
import pytest

from mistakes import GOOD, TAGS, fit, refused
from perceptag import (
    GlobalLinearModel,
    Pipeline,
    Recipe,
    Rules,
    Tagger,
    WordClasses,
)
from perceptag.tables import from_sentences
from pipelines import whole

RULES = "[[rule]]\nlabel = 'X'\ntokens = '\"the\"i'\n"
TABLE = pa.table({"tokens": GOOD, "labels": TAGS})
CLASSES = WordClasses.learn(GOOD, sizes=[2], min_count=1)


def linear(gen=lambda x: [x, x[::-1]], phi=lambda x, y: {y: 1}, **arguments):
    return GlobalLinearModel(gen, phi, **arguments)


CASES = {
    # --- pipelines
    "one text as texts": (lambda: whole().documents("London."), "texts: expected a list of strings, found 'London.'"),
    "layers to drop": (lambda: whole().with_layers(drop=None), "drop: expected names of layers, found None"),
    "bytes that are text": (lambda: Pipeline.from_bytes("a", "a"), "data: expected the bytes of a file, found 'a'"),
    # --- taggers
    "no model to be reliable": (lambda: Tagger().reliability(GOOD, TAGS), "this tagger has no model yet"),
    "half a feature": (lambda: fit().explain(GOOD[0]).render(top=0.5), "top: expected a number from 0, found 0.5"),
    # --- recipes and tokenisers
    "settings that are a list": (lambda: Recipe().replace([1]), "settings: expected a dictionary of recipe keys"),
    # --- files
    # --- rules
    "rules that are a path": (lambda: Rules.parse(None), "text: expected a string, found None"),
    # --- word classes
    # --- tables
    "a column without a name": (
        lambda: from_sentences(GOOD, "arrow", by=""),
        "tokens, labels, by, document: expected names of columns, found ''",
    ),
    # --- training
    # --- any structure
    "candidates that are a list": (lambda: linear(gen=["a"]), "gen: expected a function, found ['a']"),
}


@pytest.mark.parametrize(("use", "message"), CASES.values(), ids=CASES)
def test_bad_arguments_from_python(use, message):
    refused(use, message)
