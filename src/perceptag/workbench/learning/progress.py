"""How good the model is, computed when there is nothing else to do, as JSON values for the page.

The learning curve has models of 20, 40, 60, 80 and 100 % of the labels. The labels come in the order in which they were
given, so a point shows how good the model was at that time. Every point is judged on the whole random sample, out of
fold: its number of sentences is that of its models, which lack a fifth of the sample. The error is taken to fall by a
power law (`perceptag.evaluation.power_law`), fitted to the last four points. The interval of the gain is that of the 95
% bootstrap over the sentences of the sample: the same draw of sentences scores all points, and fits a line of its own.
It does not know how the next sentences will be chosen, and it is not a promise.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from perceptag.arrays import Floats, Longs
from perceptag.evaluation.power_law import gain_of_scores
from perceptag.evaluation.reliability import Reliability
from perceptag.evaluation.scoring import Score, bootstrap_interval
from perceptag.text.sentence import Sentence
from perceptag.workbench.learning.estimating import SAMPLES, SEED, Judgement, judging, rows_of, why_not
from perceptag.workbench.learning.messages import Example
from perceptag.workbench.learning.training import FEW, Held, Learning, Steps, out_of_fold, sample_of

PAUSE = 3.0  # seconds without a change after which work is done for few changes too


@dataclass(slots=True)
class Pace:
    """How many changes there were since some work was last begun, and whether it is time to do it again."""

    least: int  # changes
    share: float  # of all examples
    pause: float  # seconds without a change after which one change is enough
    changes: int = 0

    def is_due(self, examples: int, quiet: float) -> bool:
        """Return whether to begin; `quiet`: seconds since the last change."""
        return self.changes >= max(self.least, self.share * examples) or (self.changes > 0 and quiet >= self.pause)

    def wait(self, quiet: float) -> float | None:
        """Return after how many seconds it will be due by itself; None: never."""
        return max(0.0, self.pause - quiet) if self.changes else None


def judged(
    examples: Sequence[Example], learning: Learning, unlabelled: Sequence[Sentence] = ()
) -> Steps[tuple[dict[str, Any], Judgement | None]]:
    """Return the estimate and the reliability of confidence, or why there are none."""
    if reason := why_not(examples):
        return {"estimate": None, "reason": reason, "reliability": None}, None
    found = yield from judging(examples, learning, unlabelled)
    return {
        "estimate": found.estimate.to_dict(),
        "reason": "",
        "reliability": _bins(found.reliability) if found.reliability else None,
    }, found


def _bins(found: Reliability) -> dict[str, Any]:
    return {
        "what": found.what,
        "ece": found.ece,
        "bins": [
            {"low": b.low, "high": b.high, "mean": b.confidence, "right": b.right, "count": b.number}
            for b in found.bins
        ],
    }


SHARES = (0.2, 0.4, 0.6, 0.8, 1.0)
FITTED = 4  # of the last points
NEXT = 100  # sentences
LEAST_FOR_CURVE = 50  # labelled sentences, for a curve


@dataclass(frozen=True, slots=True)
class EstimatePoint:
    """The score of models of some labelled sentences, with its 95 % interval."""

    sentences: int
    score: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Gain:
    """By how much the score is expected to rise with the next labelled sentences, with its 95 % interval."""

    next: int
    expected: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class EstimateCurve:
    """The points, and what the next sentences would bring."""

    points: list[EstimatePoint]
    gain: Gain

    def to_dict(self) -> dict[str, Any]:
        """Return everything as JSON values."""
        return asdict(self)


def curving(examples: Sequence[Example], learning: Learning) -> Steps[EstimateCurve]:
    """Return the curve. It takes as long as fifteen trainings on all labels."""
    sizes: list[int] = []
    points: list[list[Held]] = []
    for share in SHARES:
        upto = max(1, round(share * len(examples)))
        held = yield from out_of_fold(examples, learning, FEW, upto=upto)
        points.append(held)
        sizes.append(upto - round(len(sample_of(examples[:upto])) / FEW))
    return curve_of(sizes, points, learning.scheme, len(examples))


def curve_of(sizes: Sequence[int], points: Sequence[Sequence[Held]], scheme: str, now: int) -> EstimateCurve:
    """Make a curve of what was found out of fold; every point has the same sentences in the same order.

    `now`: how many sentences are labelled.
    """
    counted = [rows_of(held, scheme) for held in points]
    score = counted[0][1]
    rows = [row for row, _ in counted]
    found = [
        EstimatePoint(size, float(score(row.sum(axis=0))), *bootstrap_interval(row, score, SAMPLES, SEED))
        for size, row in zip(sizes, rows, strict=True)
    ]
    return EstimateCurve(found, gain_of(sizes, rows, score, now))


def gain_of(sizes: Sequence[int], rows: Sequence[Longs], score: Score, now: int, more: int = NEXT) -> Gain:
    """Predict what `more` sentences bring if there are `now`, from the counts of each sentence at each size."""
    sizes, rows = sizes[-FITTED:], rows[-FITTED:]
    width = rows[0].shape[1]

    def gain(totals: Longs) -> Floats:
        scores = np.stack([score(totals[..., k * width : (k + 1) * width]) for k in range(len(sizes))], axis=-1)
        return gain_of_scores(np.array(sizes, np.float64), scores, now, now + more)

    joined = np.hstack(list(rows))
    low, high = bootstrap_interval(joined, gain, SAMPLES, SEED)
    return Gain(more, float(gain(joined.sum(axis=0))), low, high)
