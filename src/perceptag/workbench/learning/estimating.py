"""How good the model is: judged on the random sample, by models that lack what they are judged on.

Sentences that the model chose are hard ones, so that a figure over all labelled sentences would be too low. The
interval is that of the bootstrap over sentences, 95 %.

Models of folds reach less than the model in use: the score is corrected by unlabelled sentences
(`perceptag.workbench.learning.estimate_correction`). The interval moves with it and keeps its width, and the correction
never leaves the interval that the sample alone gives. docs/measurements/benchmarks.md says how often it holds.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from perceptag.arrays import Longs
from perceptag.evaluation.comparison import count_rows
from perceptag.evaluation.reliability import Reliability
from perceptag.evaluation.scoring import Score, bootstrap_interval, f1_score
from perceptag.models.calibration import fit_calibration, judge
from perceptag.models.confident import crossed
from perceptag.models.margins import Margins
from perceptag.text.sentence import Sentence
from perceptag.workbench.learning.estimate_correction import corrected_score
from perceptag.workbench.learning.messages import Example
from perceptag.workbench.learning.training import (
    MANY,
    Calibrated,
    Held,
    Learning,
    Steps,
    finish,
    margins_of,
    out_of_fold,
    sample_of,
    sentences_of,
)

LEAST = 20  # sentences of the random sample, for an estimate
LEAST_JUDGED = 100  # labels, or spans, for a calibration
SAMPLES, SEED = 1000, 0  # of the bootstrap


@dataclass(frozen=True, slots=True)
class RawScore:
    """What the folds alone say: a score in per cent with its 95 % interval."""

    score: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Estimate:
    """A score in per cent with its 95 % interval."""

    measure: str  # f1 or accuracy
    score: float
    low: float
    high: float
    sentences: int  # of the random sample
    raw: RawScore  # before the correction
    unlabelled: int = 0  # sentences that it was corrected by; 0: it was not

    def to_dict(self) -> dict[str, Any]:
        """Return everything as JSON values."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Judgement:
    """All that the folds of the random sample say."""

    estimate: Estimate
    calibration: Calibrated | None
    reliability: Reliability | None


def why_not(examples: Sequence[Example]) -> str:
    """Return why there can be no estimate; "" if there can."""
    found = len(sample_of(examples))
    if found >= LEAST:
        return ""
    return f"expected {LEAST} labelled sentences of the random sample or more, found {found}"


def judging(examples: Sequence[Example], learning: Learning, unlabelled: Sequence[Sentence] = ()) -> Steps[Judgement]:
    """Judge the random sample in folds: score, calibration, reliability. See `why_not` for what it needs.

    The score is corrected by sentences that have no labels yet, if there are any.
    """
    held = yield from out_of_fold(examples, learning, MANY)
    found = yield from margins_of(examples, unlabelled, learning)
    calibration = _calibrate(held, learning)
    reliability = None
    if calibration is not None:
        sentences = sentences_of([h.example for h in held], learning.recipe)
        reliability = crossed(sentences, [h.found for h in held], gold_of(held), learning.scheme)
    return Judgement(
        corrected(estimate_of(held, learning.scheme), held, found, learning.scheme), calibration, reliability
    )


def estimate(examples: Sequence[Example], learning: Learning) -> Estimate | None:
    """Return the estimate alone, or None if the random sample is too small."""
    return None if why_not(examples) else finish(judging(examples, learning)).estimate


def estimate_of(held: Sequence[Held], scheme: str) -> Estimate:
    """Return the score of labels that were given out of fold, with its interval."""
    rows, score = rows_of(held, scheme)
    low, high = bootstrap_interval(rows, score, SAMPLES, SEED)
    measure = "f1" if score is f1_score else "accuracy"
    raw = RawScore(float(score(rows.sum(axis=0))), low, high)
    return Estimate(measure, raw.score, low, high, len(held), raw)


def corrected(estimate: Estimate, held: Sequence[Held], unlabelled: Sequence[Margins], scheme: str) -> Estimate:
    """Return an estimate whose score is that of unlabelled sentences, as far as its interval allows."""
    score = corrected_score([h.found for h in held], gold_of(held), unlabelled, scheme)
    if score is None:
        return estimate
    raw = estimate.raw
    by = min(max(score, raw.low), raw.high) - raw.score
    low, high = max(0.0, raw.low + by), min(100.0, raw.high + by)
    return replace(estimate, score=raw.score + by, low=low, high=high, unlabelled=len(unlabelled))


def rows_of(held: Sequence[Held], scheme: str) -> tuple[Longs, Score]:
    """Return the counts of each sentence, and the function that computes the score from their sum."""
    return count_rows(gold_of(held), [h.found.labels for h in held], scheme)


def gold_of(held: Sequence[Held]) -> list[list[str]]:
    """Return the labels that people gave."""
    return [list(h.example.labels) for h in held]


def _calibrate(held: Sequence[Held], learning: Learning) -> Calibrated | None:
    found, gold = [h.found for h in held], gold_of(held)
    if len(judge(found, gold, learning.scheme).right) < LEAST_JUDGED:
        return None
    curves = fit_calibration(found, gold, learning.scheme)
    return Calibrated(curves, sentences_of([h.example for h in held], learning.recipe))
