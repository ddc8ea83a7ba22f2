"""The pool under the newest model, scored in slices.

A new model starts a round of its own, at the place where the last one was left: so every sentence has its turn, also if
labels come faster than a round takes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from perceptag.models.calibration import Calibration, unpack
from perceptag.models.margins import LIMIT, Margins
from perceptag.models.protocol import ReadyModel
from perceptag.text.sentence import Sentence
from perceptag.workbench.learning.messages import PoolScore, PoolScored

SLICE = 500  # sentences that are scored without a look at what else there is to do


@dataclass(frozen=True, slots=True)
class Scored:
    """A sentence of the pool under a model."""

    id: int
    labels: list[str]
    margin: float  # by how much the label of its weakest token wins, in the units of the model
    confidence: float | None  # the probability that this label is right; None: the model is not calibrated


def score_pool(ready: ReadyModel, ids: Sequence[int], sentences: Sequence[Sentence]) -> list[Scored]:
    """Return what a model says of some sentences."""
    return [scored for part in score_slices(ready, ids, sentences, size=max(1, len(ids))) for scored in part]


def score_slices(
    ready: ReadyModel, ids: Sequence[int], sentences: Sequence[Sentence], size: int = SLICE
) -> Iterator[list[Scored]]:
    """Do the same in slices, so that the caller can do something else in between."""
    known = unpack(ready.model)
    for start in range(0, len(ids), size):
        found = ready.margins(sentences[start : start + size])
        yield _scored(ids[start : start + size], found, known)


def _scored(ids: Sequence[int], found: Sequence[Margins], known: Calibration | None) -> list[Scored]:
    weakest = [min(m.tokens, default=LIMIT) for m in found]
    sure = known.tokens(weakest) if known else [None] * len(found)
    return [Scored(i, m.labels, w, c) for i, m, w, c in zip(ids, found, weakest, sure, strict=True)]


class PoolScoring:
    """Which sentences are still to be scored, and the labels that each got when it was last scored."""

    def __init__(
        self, ids: Callable[[], Sequence[int]], sentences: Callable[[Sequence[int]], list[Sentence]], size: int = SLICE
    ) -> None:
        self._ids, self._sentences = ids, sentences  # of the pool as it is now
        self._size = size  # of a slice
        self._labels: dict[int, list[str]] = {}
        self._last = 0  # the sentence that was scored last
        self._round: Iterator[list[int]] = iter(())
        self._left = 0

    def start_round(self) -> None:
        """Score all of the pool again."""
        self._round = self._slices()

    def _slices(self) -> Iterator[list[int]]:
        ids = sorted(self._ids())
        later = [i for i in ids if i > self._last]
        ids = later + ids[: len(ids) - len(later)]
        for start in range(0, len(ids), self._size):
            self._left = max(0, len(ids) - start - self._size)
            yield ids[start : start + self._size]

    def step(self, ready: ReadyModel, upto: int, is_pool: Callable[[int], bool]) -> PoolScored | None:
        """Score the next slice with a model; None: there is none left."""
        part = next(self._round, None)
        if part is None:
            return None
        ids = [i for i in part if is_pool(i)]  # some may have been labelled since the round began
        scored = score_pool(ready, ids, self._sentences(ids))
        self._last = part[-1]
        changed = self._keep(scored)
        return PoolScored(upto, [PoolScore(s.id, s.margin, s.confidence) for s in scored], changed, self._left)

    def _keep(self, scored: Sequence[Scored]) -> int:
        """Remember the labels; return how many differ from the last ones."""
        known = self._labels
        changed = sum(a != b for s in scored for a, b in zip(known.get(s.id, s.labels), s.labels, strict=True))
        known.update((s.id, s.labels) for s in scored)
        return changed
