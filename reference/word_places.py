"""Where the words of running text are, given its tokens, and which of them white space follows.

A token is one word, or several words written together: ``didn't`` is ``did`` and ``n't``.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise


def word_places(begin: Sequence[int], end: Sequence[int], cuts: Sequence[int]) -> tuple[list[int], list[int]]:
    """Return where words begin and end, given where tokens do; `cuts` are the places where words begin inside tokens.

    >>> word_places([0, 3], [2, 9], [6])
    ([0, 3, 6], [2, 6, 9])
    """
    words: list[tuple[int, int]] = []
    for first, last in zip(begin, end, strict=True):
        inside = [cut for cut in cuts if first < cut < last]
        words += pairwise([first, *inside, last])
    return [first for first, _ in words], [last for _, last in words]


def spaces_behind(begin: Sequence[int], end: Sequence[int], behind: int) -> list[int]:
    """Return for each word 1 if white space follows it, and else 0; `behind` is where the word after the last begins.

    >>> spaces_behind([0, 3, 6], [2, 6, 9], 9)
    [1, 0, 0]
    """
    return [int(following > last) for last, following in zip(end, [*begin, behind][1:], strict=True)]
