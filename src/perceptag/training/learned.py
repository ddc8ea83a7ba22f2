"""A pass between learning and its report: its weights are scored, at once or while the next pass learns."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from concurrent.futures import Future
from dataclasses import dataclass
from threading import Thread
from typing import Any

ScoreAll = Callable[[Iterable[Any]], "list[float | None]"]  # the dev scores of some weights


@dataclass(slots=True)
class Learned:
    """A pass, and the weights of each kind after it."""

    epoch: int
    mistakes: int
    likelihood: float | None
    snapshots: dict[str, Any]
    seconds: float
    _scored: Future[list[float | None]] | None = None

    def begin_scoring(self, score: ScoreAll) -> None:
        """Score the weights on a thread of their own.

        An interrupt may come before the thread has begun: then `scores` does the work, and the thread is left alone.
        """
        found: Future[list[float | None]] = Future()
        Thread(target=_score, args=(score, list(self.snapshots.values()), found), daemon=True).start()
        self._scored = found

    def scores(self, score: ScoreAll) -> list[float | None]:
        """The scores of the weights, in their order; waits for them."""
        return score(self.snapshots.values()) if self._scored is None else self._scored.result()


@dataclass(slots=True)
class Kept:
    """The best pass for one kind of weights."""

    weights: str
    snapshot: Any
    epoch: int
    dev: float | None


def _score(score: ScoreAll, snapshots: list[Any], found: Future[list[float | None]]) -> None:
    try:
        found.set_result(score(snapshots))
    except BaseException as error:
        found.set_exception(error)
