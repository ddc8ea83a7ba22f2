"""Endings that a word also occurs with: if *walks* and *walking* do, both are likely verbs.

``endings`` is an attribute of words, for models with word classes: the words of the class file are the text. Its values
are changes of the ending that lead to another word of the text: *walks* has ``s>`` if there is *walk*, and ``s>ing`` if
there is *walking*. Only the changes that connect the most words of the text count, so no language is built in.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable
from dataclasses import dataclass
from itertools import permutations

from perceptag.errors import ModelError, brief

NAME = "endings"
MOST_CHANGES = 50
LONGEST = 3  # characters of an ending
STEM = 3  # characters before it, at least
CROWD = 40  # endings of one stem; more are different words that begin alike
_EXPECTED = f"expected at most {MOST_CHANGES} pairs of endings, each of at most {LONGEST} characters"

Change = tuple[str, str]  # an ending, and what stands in its place


def frequent_changes(words: Iterable[str], most: int = MOST_CHANGES) -> tuple[Change, ...]:
    """Return the changes of endings that connect the most words, the most frequent first.

    >>> frequent_changes(["walk", "walks", "talk", "talks", "talked"], 2)
    (('', 's'), ('s', ''))
    """
    endings: dict[str, list[str]] = {}
    for word in sorted({word.lower() for word in words if word.isalpha()}):
        for cut in range(max(STEM, len(word) - LONGEST), len(word) + 1):
            endings.setdefault(word[:cut], []).append(word[cut:])
    found = Counter(
        (old, new)
        for some in endings.values()
        if 1 < len(some) <= CROWD
        for old, new in permutations(some, 2)
        if old[:1] != new[:1]  # the stem is as long as it can be
    )
    return tuple(sorted(found, key=lambda change: (-found[change], change))[:most])


@dataclass(frozen=True, slots=True)
class EndingsAttribute:
    """The attribute ``endings``."""

    words: Container[str]  # in lower case
    changes: tuple[Change, ...] = ()

    def __call__(self, value: str) -> list[str]:
        """Return the changes that make another word of the text from this one.

        >>> EndingsAttribute(frozenset(("walk", "walked")), (("s", ""), ("", "ing"), ("s", "ed")))("Walks")
        ['s>', 's>ed']
        """
        word = value.lower()
        return [f"{old}>{new}" for old, new in self.changes if self._has(word, old, new)]

    def _has(self, word: str, old: str, new: str) -> bool:
        stem = len(word) - len(old)
        return stem >= STEM and word.endswith(old) and word[:stem] + new in self.words


def checked_changes(data: object) -> tuple[Change, ...]:
    """Check and return the changes in a model file."""
    if not isinstance(data, list) or len(data) > MOST_CHANGES:
        raise ModelError(f"{NAME}: {_EXPECTED}; found {brief(data)}")
    for pair in data:
        is_pair = isinstance(pair, list) and len(pair) == 2 and all(isinstance(one, str) for one in pair)
        if not is_pair or max(map(len, pair)) > LONGEST:
            raise ModelError(f"{NAME}: {_EXPECTED}; found {brief(pair)}")
    return tuple((old, new) for old, new in data)
