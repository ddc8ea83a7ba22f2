"""How labels of the scheme IOBES, in any spelling, make spans, for features of whole spans."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from perceptag.labels.schemes import split_label, standard_spelling

LETTERS = "OBIES"  # by their numbers in the core


class SpanLabels(NamedTuple):
    """What the core knows about labels and spans."""

    kind: list[int]  # the number of the type of each label, -1 for O
    letter: list[int]  # the place of its letter in LETTERS
    classes: int  # how many types there are
    longest: int  # words of the longest spans that have features


def span_types(names: Sequence[str]) -> list[str]:
    """Return the types of some labels, by their numbers.

    >>> span_types(["B-PER", "E-PER", "O", "S-LOC"])
    ['LOC', 'PER']
    """
    return sorted({split_label(name)[1] for name in names if name != "O"})


def is_span_label(name: str) -> bool:
    """Return whether a label is one of IOBES, in any spelling.

    >>> is_span_label("U-LOC"), is_span_label("O"), is_span_label("NN")
    (True, True, False)
    """
    return name == "O" or split_label(standard_spelling(name))[0] in LETTERS[1:]


def span_labels(names: Sequence[str], longest: int) -> SpanLabels:
    """Return how labels make spans, in any spelling of IOBES.

    >>> span_labels(["B-PER", "E-PER", "O", "S-LOC"], 8)
    SpanLabels(kind=[1, 1, -1, 0], letter=[1, 3, 0, 4], classes=2, longest=8)
    """
    types = span_types(names)
    numbers = {name: i for i, name in enumerate(types)}
    parts = [split_label(standard_spelling(name)) for name in names]
    kind = [-1 if name == "O" else numbers[own] for name, (_, own) in zip(names, parts, strict=True)]
    letter = [LETTERS.index(tag) for tag, _ in parts]
    return SpanLabels(kind, letter, len(types), longest)
