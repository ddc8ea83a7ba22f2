"""Learning curves and their forecast."""

from __future__ import annotations

import numpy as np
import pytest

from perceptag.evaluation.scoring import accuracy_score
from perceptag.inspecting.learning_curve import (
    CurvePlan,
    CurvePoint,
    forecast,
    learning_curve,
    sample,
)
from perceptag.recipe.recipe import load
from perceptag.text import Sentence
from review_toys import names


def test_parts_grow_and_keep_their_order():
    data = names()
    small, large = sample(data, 0.25, "0 0"), sample(data, 0.5, "0 0")
    assert (len(small), len(large)) == (16, 32)
    assert all(any(s is other for other in large) for s in small)
    assert [s.line for s in large] == sorted(s.line for s in large)
    assert sample(data, 0.25, "0 1") != small
    assert sample(data, 1, "0 0") == data


def test_documents_stay_whole():
    data = [Sentence({"form": [str(i)]}, starts_document=i % 4 == 0) for i in range(20)]
    found = [int(s.tokens[0]) for s in sample(data, 0.3, "x")]
    assert len(found) == 8
    assert all({i - i % 4 + k for k in range(4)} <= {*found} for i in found)


def test_the_curve_of_a_small_corpus():
    recipe = load("collins-np").replace({"epochs": 1, "labels.column": "label", "templates": ["form[0]"]})
    said: list[str] = []
    found = learning_curve(recipe, names(), names()[:8], CurvePlan([1, 0.25, 0.5], runs=2), said.append)
    assert [p.sentences for p in found.points] == [16, 32, 64]
    assert [len(p.scores) for p in found.points] == [2, 2, 2]
    assert all(p.interval and p.interval[0] <= p.mean <= p.interval[1] for p in found.points)
    assert found.main_score == "f1"
    assert found.forecast is not None
    assert found.forecast.sentences == 128
    assert len(said) == 6
    assert found == learning_curve(recipe, names(), names()[:8], CurvePlan([0.25, 0.5, 1], runs=2))


def rows(*errors: int) -> list[np.ndarray]:
    """Counts of 100 dev tokens in sentences of one, for each size."""
    return [np.array([[i >= wrong, 1] for i in range(100)], np.int64) for wrong in errors]


def test_the_forecast_continues_a_power_law():
    points = [
        CurvePoint(share, n, (score,)) for share, n, score in ((0.25, 100, 60.0), (0.5, 200, 80.0), (1, 400, 90.0))
    ]
    found = forecast(points, rows(40, 20, 10), accuracy_score, 400)
    assert found is not None
    assert found.score == pytest.approx(95)
    assert found.low < 95 < found.high <= 100


def test_two_sizes_or_a_part_of_the_data_are_not_enough():
    points = [CurvePoint(0.5, 200, (80.0,)), CurvePoint(1, 400, (90.0,))]
    assert forecast(points, rows(20, 10), accuracy_score, 400) is None
    points = [CurvePoint(0.2, 80, (60.0,)), CurvePoint(0.5, 200, (80.0,)), CurvePoint(0.9, 360, (90.0,))]
    assert forecast(points, rows(40, 20, 10), accuracy_score, 400) is None
