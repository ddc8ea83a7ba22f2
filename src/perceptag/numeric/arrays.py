"""Array types shared by Python and the core, and helpers for offsets and ranges."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any, TypeAlias, cast

from perceptag.numeric.lazy import np

if TYPE_CHECKING:
    import numpy.typing as npt

Ints: TypeAlias = "npt.NDArray[np.int32]"  # label ids, type ids, offsets
Longs: TypeAlias = "npt.NDArray[np.int64]"  # counts, and indices that numpy made
Floats: TypeAlias = "npt.NDArray[np.float64]"

# No numbers, for the core, which takes a view of memory as it takes an array.
NO_INTS = cast("Ints", memoryview(array("i")))
NO_FLOATS = cast("Floats", memoryview(array("d")))


def offsets(lengths: Sequence[int]) -> Ints:
    """Return the offset of each sequence among all tokens, and the end of the last one.

    >>> offsets([2, 0, 3]).tolist()
    [0, 2, 2, 5]
    """
    begin = np.zeros(len(lengths) + 1, np.int32)
    np.cumsum(lengths, out=begin[1:])
    return begin


def cut(labels: list[Any], begin: Ints) -> list[list[Any]]:
    """Cut a flat list at the sequence offsets.

    >>> cut(list("abcde"), np.array([0, 2, 2, 5]))
    [['a', 'b'], [], ['c', 'd', 'e']]
    """
    return [labels[a:b] for a, b in pairwise(begin.tolist())]


def ranges(n: int, parts: int) -> list[range]:
    """Cut the numbers below n into parts, one after the other, whose sizes differ by one at most.

    >>> ranges(5, 2), ranges(1, 3)
    ([range(0, 2), range(2, 5)], [range(0, 0), range(0, 0), range(0, 1)])
    """
    return [range(n * k // parts, n * (k + 1) // parts) for k in range(parts)]
