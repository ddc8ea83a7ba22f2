"""The learning curve, and what it predicts."""

from __future__ import annotations

import numpy as np
import pytest

from loop_toys import examples
from perceptag.evaluation.scoring import accuracy_score
from perceptag.workbench.learning.progress import SHARES, curving, gain_of
from perceptag.workbench.learning.recipes import loop_recipe
from perceptag.workbench.learning.training import Learning, finish


def rows_with(accuracy: float) -> np.ndarray:
    """The counts of 1,000 sentences of 1,000 tokens with this accuracy, which all draws of sentences have too."""
    return np.tile([round(10 * accuracy), 1000], (1000, 1))


def test_the_error_falls_by_a_power_law():
    # 40 * (n / 100) ** -0.5: 40 at 100, 20 at 400; at 1,600 it is 10, and at 1,700 less.
    sizes = [100, 400, 900, 1600]
    rows = [rows_with(100 - 40 * (n / 100) ** -0.5) for n in sizes]
    gain = gain_of(sizes, rows, accuracy_score, now=1600, more=100)
    assert gain.expected == pytest.approx(10 - 40 * 17**-0.5, abs=0.02)
    assert gain.low == pytest.approx(gain.expected) == gain.high


def test_the_curve_rises_to_all_labels():
    some = sorted(examples(60), key=lambda example: set(example.labels) != {"O"})  # nothing to learn at first
    curve = finish(curving(some, Learning(loop_recipe("spans", settings={"epochs": 3}))))
    assert [p.sentences for p in curve.points] == [round(share * 60) - round(share * 12) for share in SHARES]
    assert curve.points[0].score == 0 < curve.points[-1].score
    assert all(p.low <= p.score <= p.high for p in curve.points)
    assert set(curve.to_dict()) == {"points", "gain"}
