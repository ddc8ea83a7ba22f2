"""Add up supports: which combinations of labels go with each feature, counted part by part."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from perceptag import _core

_Counts = npt.NDArray[np.uint32]
SupportArrays = tuple[_Counts, _Counts, _Counts]  # which can be sent to another process


class SupportSum:
    """The sum of some supports.

    Supports are joined only with others of about the same size, so each count is moved a few times at most.
    """

    def __init__(self) -> None:
        self._parts: list[_core.Support] = []

    def add(self, support: _core.Support) -> None:
        """Add a support."""
        self._parts.append(support)
        while len(self._parts) > 1 and len(self._parts[-2].codes) < 2 * len(self._parts[-1].codes):
            last = [self._parts.pop(), self._parts.pop()]
            self._parts.append(_core.sum_support(last))

    def total(self) -> _core.Support:
        """The sum."""
        if len(self._parts) != 1:
            self._parts = [_core.sum_support(self._parts)]
        return self._parts[0]


def to_arrays(support: _core.Support) -> SupportArrays:
    """The arrays that a support can be made from again."""
    return support.begin, support.codes, support.counts
