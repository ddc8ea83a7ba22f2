"""The marks of listed phrases in a sentence, by trying every phrase at every token.

Of each class the longest phrase wins, from left to right, and matches do not overlap. The letters say where a word is
in its match, as in Ratinov and Roth (2009): B the first of several, I inside, L the last, U the only one.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

Phrase = tuple[str, ...]


def phrase_marks(phrases: Mapping[str, Collection[Phrase]], tokens: Sequence[str]) -> list[tuple[str, ...]]:
    """Return the marks of each token, for phrases by class.

    >>> phrase_marks({"city": {("New", "York"), ("York",)}}, ["New", "York", "York"])
    [('B-city',), ('L-city',), ('U-city',)]
    """
    marks: list[tuple[str, ...]] = [()] * len(tokens)
    covered = dict.fromkeys(phrases, 0)  # the end of the last match of each class
    for t in range(len(tokens)):
        for name in sorted(phrases):
            lengths = [len(p) for p in phrases[name] if tuple(tokens[t : t + len(p)]) == p]
            if t < covered[name] or not lengths:
                continue
            covered[name] = t + max(lengths)
            for k in range(t, covered[name]):
                marks[k] += (f"{_letter(t, k, covered[name])}-{name}",)
    return marks


def first_or_inside(marks: Sequence[tuple[str, ...]]) -> list[tuple[str, ...]]:
    """Return marks that only say whether a word is the first of its match.

    >>> first_or_inside([("B-city",), ("L-city", "U-name")])
    [('B-city',), ('I-city', 'B-name')]
    """
    return [tuple(("B" if mark[0] in "BU" else "I") + mark[1:] for mark in here) for here in marks]


def _letter(start: int, k: int, end: int) -> str:
    if end - start == 1:
        return "U"
    return "B" if k == start else "L" if k == end - 1 else "I"
