"""Three sentences, three labels: the corpus of two examples, and how its weights are shown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

from papers.steps.show import Cell, Table, sum_of, weight_cell
from perceptag.features.template import parse_all
from reference.features import Feature, sentence_features
from reference.perceptron import START, Input

LABELS = ["D", "N", "V"]
SENTENCES = [("dogs", "bark"), ("the", "bark"), ("the", "dogs", "sleep")]
GOLD = [("N", "V"), ("D", "N"), ("D", "N", "V")]
WORDS = ["the", "dogs", "bark", "sleep"]
WORD, PAIR = parse_all(["form[0]", "bias * y-1 y0"])


def features_of(words: tuple[str, ...]) -> Input:
    """What fires at each token: its word, and the pair of labels that ends there."""
    return sentence_features([WORD, PAIR], {"form": words})


def added(weights: Mapping[Any, float], words: tuple[str, ...], labels: Sequence[str]) -> list[Cell]:
    """Each label, with the weight of its word and the weight of its pair."""
    return [
        Cell(
            label,
            note=f"({sum_of(weights.get(f, 0) for f in ((Feature(WORD, (word,)), (label,)), (Feature(PAIR), pair)))})",
        )
        for word, label, pair in zip(words, labels, pairwise((START, *labels)), strict=True)
    ]


def weight_tables(before: Mapping[Any, float], after: Mapping[Any, float], what: str = "Weights") -> list[Table]:
    """All weights: words with labels, and pairs of labels."""
    words = [
        [word, *(weight_cell(before, after, (Feature(WORD, (word,)), (label,))) for label in LABELS)] for word in WORDS
    ]
    pairs = [
        ["start" if first == START else first]
        + [weight_cell(before, after, (Feature(PAIR), (first, label))) for label in LABELS]
        for first in (START, *LABELS)
    ]
    return [
        Table(f"{what} of words with labels", ["", *LABELS], words),
        Table(f"{what} of a label (column) after another (row)", ["after", *LABELS], pairs),
    ]
