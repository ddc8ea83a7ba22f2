"""A score of a sample, corrected by unlabelled items: what `perceptag.workbench` does, one item at a time.

A group of items has, for each sentence, the probabilities of its labels (or spans) and, where labels mark spans, those
of its words without a label. The sample also says how many labels are right and how many spans are missed.

>>> sample = [Probabilities([0.8, 0.6], [0.9, 1.0])]
>>> corrected_f1(sample, right=1, missed=1, unlabelled=sample)
50.0
>>> surer = [Probabilities([1.0, 0.75], [1.0, 1.0])]
>>> round(corrected_f1(sample, right=1, missed=1, unlabelled=surer), 6)
76.923077
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple


class Probabilities(NamedTuple):
    """Of one sentence: that each label or span is right, and that each word outside of spans belongs there."""

    given: Sequence[float]
    outside: Sequence[float] = ()


def corrected_f1(
    sample: Sequence[Probabilities], right: int, missed: int, unlabelled: Sequence[Probabilities]
) -> float:
    """Return the F1 of spans that is expected on unlabelled sentences, in per cent."""
    given, right_there = 0, 0.0
    for sentence in unlabelled:
        for share in sentence.given:
            given += 1
            right_there += share * right / _total(sample, "right")
    missed_there = 0.0
    for sentence in unlabelled:
        for share in sentence.outside:
            missed_there += (1 - share) * missed / _total(sample, "missed") if missed else 0.0
    precision = right_there / given
    recall = right_there / (right_there + missed_there)
    return 100 * 2 * precision * recall / (precision + recall)


def corrected_accuracy(sample: Sequence[Probabilities], right: int, unlabelled: Sequence[Probabilities]) -> float:
    """Return the share of labels that is expected to be right on unlabelled sentences, in per cent."""
    shares = [share * right / _total(sample, "right") for sentence in unlabelled for share in sentence.given]
    return min(100.0, 100 * sum(shares) / len(shares))


def _total(sample: Sequence[Probabilities], what: str) -> float:
    """What the probabilities say of the sample itself."""
    if what == "right":
        return sum(share for sentence in sample for share in sentence.given)
    return sum(1 - share for sentence in sample for share in sentence.outside)
