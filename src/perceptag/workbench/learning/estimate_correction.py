"""Correct a score of the random sample by unlabelled sentences.

The folds make the score low for two reasons. Their models are smaller than the model in use. And sentences that the
model chose avoid what the sample taught it, so that a model without a part of the sample lacks more than that part.
Unlabelled sentences are free of both: the model in use has never seen them.

What the labels of unlabelled sentences are worth is not known, but the margins of the model are. Labels with the same
margin are taken to be right as often as in the sample: calibration curves, fitted to the sample, give how many spans
are right and, from words without a label, how many spans are missed. Both are scaled so that the curves, applied to the
sample itself, give exactly what was counted there. This is the ratio estimator of survey statistics, with a model's
predictions as the auxiliary variable (compare Angelopoulos et al. 2023, "Prediction-powered inference").
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from perceptag.labels.schemes import spans
from perceptag.models.calibration import Calibration, fit_calibration, judge
from perceptag.models.margins import Margins

LEAST_CORRECTED = 50  # judged labels or spans of the sample, for a correction
OUTSIDE = "O"


@dataclass(frozen=True, slots=True)
class ExpectedCounts:
    """What margins say of sentences: labels or spans, how many are expected to be right, how many to be missed."""

    given: int
    right: float
    missed: float


def expected_counts(found: Sequence[Margins], curves: Calibration) -> ExpectedCounts:
    """Count labels, or spans, and add up their probabilities; every word without a label may miss a span."""
    if curves.spans is None:
        margins = [margin for m in found for margin in m.tokens]
        return ExpectedCounts(len(margins), sum(curves.tokens(margins)), 0.0)
    of_spans = [margin for m in found for _, margin in m.spans]
    outside = [margin for m in found for label, margin in zip(m.labels, m.tokens, strict=True) if label == OUTSIDE]
    missed = sum(1.0 - share for share in curves.tokens(outside))
    return ExpectedCounts(len(of_spans), sum(curves.spans(of_spans)), missed)


def corrected_score(
    held: Sequence[Margins], gold: Sequence[Sequence[str]], unlabelled: Sequence[Margins], scheme: str
) -> float | None:
    """Return the score, in per cent, that is expected on unlabelled sentences; None if too little is known.

    `held` are the margins of the folds on the sample, `gold` its labels, `unlabelled` the margins of the model in use.
    """
    judged = judge(held, gold, scheme)
    if len(judged.right) < LEAST_CORRECTED or not unlabelled:
        return None
    curves = fit_calibration(held, gold, scheme)
    sample, pool = expected_counts(held, curves), expected_counts(unlabelled, curves)
    right = sum(judged.right)
    missed = 0 if scheme == "none" else sum(len(spans(labels, scheme)) for labels in gold) - right
    if not sample.right or not pool.given or (missed and not sample.missed):
        return None
    right_there = pool.right * right / sample.right
    missed_there = pool.missed * missed / sample.missed if missed else 0.0
    if scheme == "none":
        return min(100.0, 100.0 * right_there / pool.given)
    return 200.0 * right_there / (pool.given + right_there + missed_there) if right_there else 0.0
