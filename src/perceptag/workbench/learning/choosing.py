"""Which sentences to label next: those with the least certain token, without two that are nearly the same.

The least certain token, measured on CoNLL-2003, reaches the F of random sentences with about 30 % fewer sentences and
13 % fewer tokens; see docs/measurements/annotate.md.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

from perceptag.workbench.learning.pool_scoring import Scored

ALIKE = 0.6  # share of common words from which two sentences are nearly the same


def choose(
    scored: Iterable[Scored],
    k: int,
    tokens: Mapping[int, Sequence[str]],
    labelled: Near | None = None,
    exclude: Collection[int] = (),
) -> list[Scored]:
    """Return k sentences, the least certain first. Of equal ones the one with the smaller number comes first.

    `tokens` has the words of sentences by id, `labelled` knows the words of those that are labelled already, `exclude`
    has the ids that must not be chosen, such as those that others have in front of them.
    """
    order = sorted((s for s in scored if s.id not in exclude), key=lambda s: (s.margin, s.id))
    near, chosen = Near(), list[Scored]()
    for candidate in order:
        if len(chosen) == k:
            return chosen
        words = tokens[candidate.id]
        if (labelled is None or not labelled.has(words)) and near.add(words):
            chosen.append(candidate)
    taken = {s.id for s in chosen}  # nothing but near-duplicates is left
    return chosen + [s for s in order if s.id not in taken][: k - len(chosen)]


class Near:
    """Sets of words, and whether a new one is nearly the same as one of them."""

    def __init__(self, known: Iterable[Sequence[str]] = ()) -> None:
        self._sets: list[frozenset[str]] = []
        self._by_word: dict[str, list[int]] = {}
        for words in known:
            self._keep(_key(words))

    def add(self, words: Sequence[str]) -> bool:
        """Keep the words and return True, unless they are nearly the same as some that are there."""
        if self.has(words):
            return False
        self._keep(_key(words))
        return True

    def has(self, words: Sequence[str]) -> bool:
        """Return whether a set with mostly the same words is there."""
        key = _key(words)
        # A set that shares enough words has at least one of the rarest ones: enough to look those up.
        rare = sorted(key, key=lambda word: (len(self._by_word.get(word, ())), word))
        few = rare[: len(rare) - int(ALIKE * len(rare)) + 1]
        seen = {i for word in few for i in self._by_word.get(word, ())}
        return any(_alike(key, self._sets[i]) for i in seen)

    def _keep(self, key: frozenset[str]) -> None:
        for word in key:
            self._by_word.setdefault(word, []).append(len(self._sets))
        self._sets.append(key)


def _key(words: Sequence[str]) -> frozenset[str]:
    """Return the different words, with all numbers as one: tables of results differ in nothing else."""
    return frozenset("0" if any(c.isdigit() for c in word) else word.lower() for word in words)


def _alike(a: frozenset[str], b: frozenset[str]) -> bool:
    return len(a & b) >= ALIKE * len(a | b)
