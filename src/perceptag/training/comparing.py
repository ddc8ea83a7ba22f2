"""By how much one labelling of held-out data is better than another, compared with chance."""

from __future__ import annotations

from collections.abc import Sequence

from perceptag.evaluation.comparison import count_rows, difference_interval
from perceptag.evaluation.resampling import Score
from perceptag.numeric.arrays import Longs

SAMPLES = 1000  # of the bootstrap
ERRORS_IN_INTERVAL = 3.92  # a 95 % interval is so many standard errors wide

Labels = Sequence[Sequence[str]]


def standard_errors(gold: Labels, a: Labels, b: Labels) -> float:
    """By how many standard errors of the difference b is better than a."""
    rows, score = count_rows(gold, a)
    return errors_of_rows(rows, count_rows(gold, b)[0], score)


def errors_of_rows(a: Longs, b: Longs, score: Score) -> float:
    """The same for the counts of each sentence."""
    gain = float(score(b.sum(axis=0)) - score(a.sum(axis=0)))
    low, high = difference_interval(a, b, score, SAMPLES, seed=0)
    return gain * ERRORS_IN_INTERVAL / (high - low) if high > low else 0.0
