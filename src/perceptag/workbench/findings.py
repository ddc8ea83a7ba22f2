"""Scores of the pool, as the learner found them last. Thread-safe.

Sentences with the least certain token are labelled next, without two that are nearly the same. Measured on CoNLL-2003,
that reaches the F of random sentences with about 30 % fewer sentences and 13 % fewer tokens; see
docs/measurements/benchmarks.md.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from itertools import islice

from perceptag.workbench.learning.messages import PoolScore
from perceptag.workbench.learning.pool_scoring import Scored

MANY = 10_000  # sentences whose order is not made again for every look
FEW = 20  # sentences that are compared with all others when they are labelled
AT_LEAST, FOR_EACH = 50, 10  # sentences that are looked at, for near-duplicates among them
Tokens = Callable[[Sequence[int]], dict[int, list[str]]]


DOUBTFUL = 0.9  # of a word: below it the page marks the word, too


class PoolScores:
    """Scores of sentences by number. A sentence that is labelled has none."""

    def __init__(self) -> None:
        self._scores: dict[int, PoolScore] = {}
        self._ranked: list[int] = []
        self._is_ranked, self._ranked_at = True, -1.0
        self._near = Near()
        self._known: dict[int, Sequence[str]] = {}  # labelled ones
        self._lock = threading.RLock()

    def add(self, scores: Iterable[PoolScore]) -> None:
        """Take the scores of a slice of the pool."""
        with self._lock:
            self._scores.update((score.id, score) for score in scores)
            self._is_ranked = False

    def forget(self) -> None:
        """Drop all scores: the model that gave them is not used any more."""
        with self._lock:
            self._scores.clear()
            self._is_ranked, self._ranked_at = False, -1.0

    def labelled(self, sentences: Iterable[tuple[int, Sequence[str]]]) -> None:
        """Take sentences that have labels now: they need no score, and what is nearly the same is not chosen."""
        with self._lock:
            given = dict(sentences)
            for number in given:
                self._scores.pop(number, None)
            new = {number: tokens for number, tokens in given.items() if number not in self._known}
            self._known |= new
            if len(new) > FEW:  # at the start, or after an import: all at once, without a look at which are alike
                self._near = Near(self._known.values())
            else:
                for tokens in new.values():
                    self._near.add(tokens)

    def chosen(self, k: int, without: Collection[int], tokens: Tokens) -> list[int]:
        """Return the sentences that the model is least sure of, without two that are nearly the same."""
        with self._lock:
            wanted = max(AT_LEAST, FOR_EACH * k)
            able = (number for number in self._order() if number in self._scores and number not in without)
            some = list(islice(able, wanted))
            scored = [Scored(n, [], self._scores[n].margin, self._scores[n].confidence) for n in some]
            return [one.id for one in choose(scored, k, tokens(some), self._near)]

    def by_confidence(self, sentences: Sequence[int]) -> list[int]:
        """Return sentences, those that the model is least sure of first; those without a score come last."""
        wanted = set(sentences)
        with self._lock:
            known = [number for number in self._order() if number in wanted and number in self._scores]
        return known + sorted(wanted - set(known))

    def ranked(self) -> list[int]:
        """Return all sentences that have a score, those that the model is least sure of first."""
        with self._lock:
            return [number for number in self._order() if number in self._scores]

    def doubtful(self) -> set[int]:
        """Return sentences with a word of which the model is unsure; without probabilities, the least sure quarter."""
        with self._lock:
            if all(score.confidence is None for score in self._scores.values()):
                return set(islice((n for n in self._order() if n in self._scores), len(self._scores) // 4))
            sure = {number: score.confidence for number, score in self._scores.items()}
            return {number for number, share in sure.items() if share is not None and share < DOUBTFUL}

    def _order(self) -> list[int]:
        """Return all sentences in the order of their scores. Of very many, that of a second ago will do."""
        is_late = len(self._scores) < MANY or time.monotonic() - self._ranked_at > 1
        if not self._is_ranked and is_late:
            self._ranked = sorted(self._scores, key=lambda n: (self._scores[n].margin, n))
            self._is_ranked, self._ranked_at = True, time.monotonic()
        return self._ranked


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
