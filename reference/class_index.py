"""Under which spellings the words of a text are found when their classes are looked up.

Words stand for themselves. Each also stands for its form with digits as 0, unless that is a word or a more frequent
word stands for it. In any case: lower case stands for the most frequent spelling, unless the word in lower case is
itself more than a tenth as frequent. So a rare *berlin* gets the class of *Berlin*.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

RARE = 10  # a word this many times rarer than the same in other case takes the class of that


def class_index(words: Sequence[str], counts: Sequence[int], in_any_case: bool) -> dict[str, int]:
    """Return the place of the word that stands for each spelling; words are given from the most frequent down.

    >>> class_index(["Berlin", "1,500", "berlin"], [90, 5, 4], in_any_case=True)
    {'Berlin': 0, '1,500': 1, 'berlin': 0, '0,000': 1}
    """
    found = {word: place for place, word in enumerate(words)}
    for place, word in enumerate(words):
        found.setdefault(re.sub(r"\d", "0", word), place)
    if in_any_case:
        first: dict[str, int] = {}
        for place, word in enumerate(words):
            first.setdefault(word.lower(), place)
        for lower, place in first.items():
            own = found.get(lower)
            if own is None or counts[own] * RARE <= counts[place]:
                found[lower] = place
    return found
