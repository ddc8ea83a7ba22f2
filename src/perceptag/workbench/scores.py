"""How sure the newest model is of the sentences that nobody has labelled, and which of them to label next."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Collection, Iterable, Sequence
from itertools import islice

from perceptag.workbench.learning.choosing import Near, choose
from perceptag.workbench.learning.messages import PoolScore
from perceptag.workbench.learning.scoring import Scored

MANY = 10_000  # sentences whose order is not made again for every look
FEW = 20  # sentences that are compared with all others when they are labelled
AT_LEAST, FOR_EACH = 50, 10  # sentences that are looked at, for near-duplicates among them

Tokens = Callable[[Sequence[int]], dict[int, list[str]]]


class Scores:
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

    def _order(self) -> list[int]:
        """Return all sentences in the order of their scores. Of very many, that of a second ago will do."""
        is_late = len(self._scores) < MANY or time.monotonic() - self._ranked_at > 1
        if not self._is_ranked and is_late:
            self._ranked = sorted(self._scores, key=lambda n: (self._scores[n].margin, n))
            self._is_ranked, self._ranked_at = True, time.monotonic()
        return self._ranked
