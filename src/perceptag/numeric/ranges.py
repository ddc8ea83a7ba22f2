"""Many things cut into contiguous ranges."""

from __future__ import annotations


def ranges(n: int, parts: int) -> list[range]:
    """Cut the numbers below n into parts, one after the other, whose sizes differ by one at most.

    >>> ranges(5, 2), ranges(1, 3)
    ([range(0, 2), range(2, 5)], [range(0, 0), range(0, 0), range(0, 1)])
    """
    return [range(n * k // parts, n * (k + 1) // parts) for k in range(parts)]
