"""Choose among matches that overlap: the longest, then the first, then the one of the highest priority.

Of two rules of one priority that match the same tokens, the one that comes first in the file wins.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

Match = tuple[int, int, int]  # start, end, the number of a rule


def without_overlaps(matches: Iterable[Match], priorities: Sequence[int]) -> list[Match]:
    """Return matches of which no two share a token, from left to right.

    >>> without_overlaps([(0, 2, 0), (1, 4, 1), (4, 5, 0), (4, 5, 2)], [0, 0, 1])
    [(1, 4, 1), (4, 5, 2)]
    """
    ordered = sorted(matches, key=lambda m: (m[0] - m[1], m[0], -priorities[m[2]], m[2]))
    taken: set[int] = set()
    kept: list[Match] = []
    for match in ordered:
        if match[0] not in taken and match[1] - 1 not in taken:  # a longer one would cover an end of it
            taken.update(range(match[0], match[1]))
            kept.append(match)
    return sorted(kept)
