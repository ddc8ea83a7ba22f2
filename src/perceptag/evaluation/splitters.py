"""Splitters for cross-validation, with scikit-learn's shape: ``for train, test in splitter.split(X, groups)``.

    GroupFolds      deals groups to folds in turn; too few groups give way to blocks of items
    EvenRuns        cuts the groups into runs of about the same size

Both yield the positions in `X` of the training part and of the test part, for each fold. `groups` has the number of the
group of each item; without it, every item is a group. Every item is in one test part.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Iterator, Sequence, Sized
from dataclasses import dataclass
from itertools import accumulate, chain, pairwise

from perceptag.text.documents import iter_documents
from perceptag.text.sentence import Sentence

Positions = list[int]


@dataclass(frozen=True, slots=True)
class GroupFolds:
    """Deals groups to `k` folds in turn. With fewer than `k` groups, `k` blocks of items take their place.

    >>> list(GroupFolds(2).split("abcd", [0, 0, 1, 2]))
    [([2], [0, 1, 3]), ([0, 1, 3], [2])]
    """

    k: int

    def split(self, X: Sequence[object], groups: Sequence[int] | None = None) -> Iterator[tuple[Positions, Positions]]:
        """Yield both parts of each fold."""
        members = _members(len(X), groups)
        if len(members) < self.k:
            size = max(1, math.ceil(len(X) / self.k))
            members = [list(range(i, min(i + size, len(X)))) for i in range(0, len(X), size)]
        yield from _pairs([_joined(members[fold :: self.k]) for fold in range(min(self.k, len(members)))])


@dataclass(frozen=True, slots=True)
class EvenRuns:
    """Cuts the groups into at most `k` runs, none empty, with about the same sum of the lengths of their items.

    >>> [test for _, test in EvenRuns(2).split(["words"] + ["w"] * 3 + ["ww"])]
    [[0], [1, 2, 3, 4]]
    """

    k: int

    def split(self, X: Sequence[Sized], groups: Sequence[int] | None = None) -> Iterator[tuple[Positions, Positions]]:
        """Yield both parts of each fold."""
        members = _members(len(X), groups)
        sizes = [sum(len(X[i]) for i in one) for one in members]
        yield from _pairs([_joined(members[a:b]) for a, b in _runs(sizes, min(self.k, len(sizes)))])


def _runs(sizes: Sequence[int], k: int) -> Iterator[tuple[int, int]]:
    """Yield the borders of `k` runs with about the same sum."""
    filled = list(accumulate(sizes))
    ends = [0]
    for run in range(1, k):
        end = bisect_left(filled, filled[-1] * run / k) + 1
        ends.append(min(max(end, ends[-1] + 1), len(sizes) - k + run))
    yield from pairwise([*ends, len(sizes)])


def documents_of(sentences: Sequence[Sentence]) -> list[int]:
    """Return the number of the document of each sentence, as the groups of a splitter."""
    return [number for number, document in enumerate(iter_documents(sentences)) for _ in document]


def _members(items: int, groups: Sequence[int] | None) -> list[Positions]:
    """Return the positions of each group, in the order in which the groups begin."""
    found: dict[int, Positions] = {}
    for i, group in enumerate(range(items) if groups is None else groups):
        found.setdefault(group, []).append(i)
    return list(found.values())


def _joined(members: Sequence[Positions]) -> Positions:
    return list(chain.from_iterable(members))


def _pairs(tests: Sequence[Positions]) -> Iterator[tuple[Positions, Positions]]:
    """Yield each test part with all other positions, in the order of the data."""
    items = sum(map(len, tests))
    for test in filter(None, tests):
        held_out = set(test)
        yield [i for i in range(items) if i not in held_out], test
