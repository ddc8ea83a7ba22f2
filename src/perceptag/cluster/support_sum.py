"""Sums of supports: which combinations of labels go with each feature, counted part by part."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from perceptag import _core
from perceptag.numeric.arrays import Ints

Keys = npt.NDArray[np.uint64]  # row and code
Counted = tuple[Keys, npt.NDArray[np.int64]]


class SupportSum:
    """The sum of some supports.

    Sorted lists are joined only with lists of about the same length, so each count is moved a few times at most.
    """

    def __init__(self) -> None:
        self._lists: list[Counted] = []

    def add(self, support: _core.Support) -> None:
        """Add a support."""
        begin = support.begin
        rows = np.repeat(np.arange(len(begin) - 1, dtype=np.uint64), np.diff(begin))
        self._push((rows << np.uint64(32) | support.codes, support.counts.astype(np.int64)))

    def add_renumbered(self, other: SupportSum, rows: Ints) -> None:
        """Add another sum, whose rows have other numbers here."""
        keys, counts = other.total()
        places = rows[(keys >> np.uint64(32)).astype(np.int64)].astype(np.uint64)
        renumbered = places << np.uint64(32) | (keys & np.uint64(0xFFFFFFFF))
        order = np.argsort(renumbered)
        self._push((renumbered[order], counts[order]))

    def total(self) -> Counted:
        """All counts, sorted by row and code."""
        while len(self._lists) > 1:
            self._join_last()
        return self._lists[0] if self._lists else (np.zeros(0, np.uint64), np.zeros(0, np.int64))

    def support(self, rows: int) -> _core.Support:
        """The sum as a support of this number of rows."""
        keys, counts = self.total()
        begin = np.searchsorted(keys, np.arange(rows + 1, dtype=np.uint64) << np.uint64(32)).astype(np.uint32)
        return _core.Support(begin, keys.astype(np.uint32), np.minimum(counts, 2**32 - 1).astype(np.uint32))

    def _push(self, one: Counted) -> None:
        self._lists.append(one)
        while len(self._lists) > 1 and len(self._lists[-2][0]) < 2 * len(self._lists[-1][0]):
            self._join_last()

    def _join_last(self) -> None:
        (a, m), (b, n) = self._lists.pop(), self._lists.pop()
        keys, counts = np.concatenate([a, b]), np.concatenate([m, n])
        order = np.argsort(keys, kind="stable")  # quick, since both are sorted
        keys, counts = keys[order], counts[order]
        first = np.flatnonzero(np.concatenate([[True], keys[1:] != keys[:-1]]))
        self._lists.append((keys[first], np.add.reduceat(counts, first)) if len(keys) else (keys, counts))
