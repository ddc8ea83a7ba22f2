"""Labels with parts, such as ``Case=Nom|Number=Sing``: which parts each label has.

A model with parts has weights for each part and for each whole label; the score of a label is the sum of them. The
first numbers stand for whole labels, by their ids, the others for parts.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from math import comb
from typing import TYPE_CHECKING

from perceptag.arrays import Ints, np
from perceptag.errors import ModelError, SettingError
from perceptag.labels.label_set import MAX_LABELS

if TYPE_CHECKING:
    import numpy.typing as npt

    from perceptag import _core

MOST_IN_PAIRS = 32  # parts of a label
MOST_PARTS = 1 << 19  # of all labels together, pairs included
NO_PARTS = "_"  # as CoNLL-U writes that a word has no features


def split_parts(label: str, separator: str) -> list[str]:
    """Return the different parts of a label, in order; empty ones do not count, and ``_`` has none.

    >>> split_parts("Case=Nom|Number=Sing", "|")
    ['Case=Nom', 'Number=Sing']
    >>> split_parts("Case=Nom||Case=Nom", "|"), split_parts("_", "|")
    (['Case=Nom'], [])
    """
    return list(dict.fromkeys(p for p in label.split(separator) if p)) if label != NO_PARTS else []


@dataclass(frozen=True, slots=True, eq=False)
class LabelParts:
    """The parts of the labels of a model."""

    labels: int
    names: tuple[str, ...]  # of the parts, sorted; part i has the number labels + i
    begin: npt.NDArray[np.uint32]  # [labels + 1]
    parts: npt.NDArray[np.uint32]  # of label y: parts[begin[y] : begin[y + 1]], sorted

    @property
    def count(self) -> int:
        """How many weights a feature can have: one for each label and one for each part."""
        return self.labels + len(self.names)

    def compose(self, weights: _core.Weights) -> None:
        """Give the labels of new weights their parts."""
        weights.compose(self.count, self.begin, self.parts)

    def of(self, label: int) -> list[int]:
        """Return the number of a label and those of its parts."""
        return [label, *self.parts[self.begin[label] : self.begin[label + 1]].tolist()]

    def shown_names(self) -> list[str]:
        """Return the names of the parts so that no label has the same."""
        return [f"{name} (part)" for name in self.names]

    def numbers_in(self, other: LabelParts, labels: Ints) -> Ints:
        """Return the numbers that labels and parts have in another model; `labels`: the ids of labels there."""
        places = {name: other.labels + i for i, name in enumerate(other.names)}
        if lost := [name for name in self.names if name not in places]:
            raise ModelError(f"labels.parts: expected the parts of the model to continue from, found no {lost[0]!r}")
        return np.array([*labels[: self.labels].tolist(), *(places[name] for name in self.names)], np.int32)


def parts_of(labels: Sequence[str], separator: str, pairs: bool = False) -> LabelParts | None:
    """Return the parts of some labels, and with `pairs` any two of them together; None without a separator."""
    if not separator:
        return None
    _check_number(labels, separator, pairs)
    places: dict[str, int] = {}  # of names, in the order in which they occur
    found, begin = array("I"), [0]
    for label in labels:
        parts = split_parts(label, separator)
        found.extend(places.setdefault(part, len(places)) for part in parts)
        found.extend(places.setdefault(separator.join(pair), len(places)) for pair in (_pairs(parts) if pairs else ()))
        begin.append(len(found))
        if len(labels) + len(places) > MAX_LABELS:
            raise SettingError(f"labels.parts: a model has at most {MAX_LABELS} labels and parts, found more")
    names = tuple(sorted(places))
    numbers = np.zeros(len(names), np.uint32)
    numbers[[places[name] for name in names]] = np.arange(len(labels), len(labels) + len(names))
    sorted_parts = numbers[np.array(found, np.intp)]
    for first, last in pairwise(begin):
        sorted_parts[first:last].sort()
    return LabelParts(len(labels), names, np.array(begin, np.uint32), sorted_parts)


def _check_number(labels: Sequence[str], separator: str, pairs: bool) -> None:
    """Refuse labels with so many parts that they would fill the memory; they are counted without splitting labels."""
    counts = [label.count(separator) + 1 for label in labels]
    number = sum(n + (comb(min(n, MOST_IN_PAIRS), 2) if pairs else 0) for n in counts)
    if number > MOST_PARTS:
        raise SettingError(f"labels.parts: expected at most {MOST_PARTS} parts of all labels together, found {number}")


def _pairs(parts: Sequence[str]) -> Iterable[tuple[str, str]]:
    """Return any two parts; none of a label with very many parts, whose pairs would fill the memory."""
    return combinations(parts, 2) if len(parts) <= MOST_IN_PAIRS else ()
