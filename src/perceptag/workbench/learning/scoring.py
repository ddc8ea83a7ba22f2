"""What a model says of sentences that have no labels yet: its labels, and how sure it is of the weakest one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from perceptag.confidence.calibration import Calibration, unpack
from perceptag.confidence.margins import LIMIT, Margins
from perceptag.models.protocol import ReadyModel
from perceptag.text.sentence import Sentence

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
