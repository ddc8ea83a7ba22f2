"""How good the model is, computed when there is nothing else to do, as JSON values for the page."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from perceptag.evaluation.reliability import Reliability
from perceptag.workbench.learning.curve import LEAST as LEAST_FOR_CURVE
from perceptag.workbench.learning.curve import curving
from perceptag.workbench.learning.estimating import Judgement, judging, scoring_all, why_not
from perceptag.workbench.learning.messages import Example
from perceptag.workbench.learning.training import Learning, Steps

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


def judged(examples: Sequence[Example], learning: Learning) -> Steps[tuple[dict[str, Any], Judgement | None]]:
    """Return the estimate and the reliability of confidence, or why there are none.

    The estimate has no biased figure: one of earlier labels could not be compared with it. See `compared`.
    """
    if reason := why_not(examples):
        return {"estimate": None, "reason": reason, "reliability": None}, None
    found = yield from judging(examples, learning)
    return {
        "estimate": found.estimate.to_dict(),
        "reason": "",
        "reliability": _bins(found.reliability) if found.reliability else None,
    }, found


def compared(examples: Sequence[Example], learning: Learning, judgement: Judgement) -> Steps[dict[str, Any]]:
    """Return the learning curve, and the estimate with the biased figure of the same labels next to it."""
    biased = yield from scoring_all(examples, learning)
    curve = None
    if len(examples) >= LEAST_FOR_CURVE:
        curve = yield from curving(examples, learning)
    estimate = dataclasses.replace(judgement.estimate, biased=biased)
    return {"estimate": estimate.to_dict(), "curve": curve.to_dict() if curve else None}


def _bins(found: Reliability) -> dict[str, Any]:
    return {
        "what": found.what,
        "ece": found.ece,
        "bins": [
            {"low": b.low, "high": b.high, "mean": b.confidence, "right": b.right, "count": b.number}
            for b in found.bins
        ],
    }
