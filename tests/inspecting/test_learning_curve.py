"""Learning curves and their forecast."""

from __future__ import annotations

import re

import numpy as np
import pytest

from perceptag.cli.tune_curve import draw, show
from perceptag.errors import DataError
from perceptag.evaluation.scoring import accuracy_score
from perceptag.inspecting.learning_curve import (
    CurvePlan,
    CurvePoint,
    Forecast,
    LearningCurve,
    _interval,
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


def test_a_part_without_tokens_is_refused():
    with pytest.raises(DataError, match="expected a sentence with tokens"):
        sample([Sentence({"form": []})] * 3, 0.1, "0")


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


def test_the_interval_of_a_point_is_that_of_the_mean_of_its_runs():
    one, other = rows(40), rows(20)
    low, high = _interval([*one, *other], accuracy_score)
    assert low < 70 < high
    spread = [np.random.default_rng(seed).integers(0, 100, 100) for seed in range(400)]
    means = sorted(sum(50 * (i >= 40) + 50 * (i >= 20) for i in draw) / 100 for draw in spread)
    assert (low, high) == pytest.approx((means[10], means[-11]), abs=2.5)


def test_the_drawing_has_an_interval_at_each_point_and_says_what_it_is():
    points = [CurvePoint(0.5, 200, (80.0, 82.0), (76.0, 85.0)), CurvePoint(1, 400, (90.0, 91.0), (88.0, 93.0))]
    svg = draw(LearningCurve("accuracy", points, Forecast(800, 95.0, 92.0, 97.0)))
    assert len(re.findall(r"h8M[\d. ]+V[\d.]+M[\d. ]+h8", svg)) == 3
    assert "mean of 2 runs" in svg and "95 % interval, bootstrap over dev sentences" in svg
    heights = [float(y) for y in re.findall(r"V([\d.]+)M", svg)]
    assert all(50 < y < 310 for y in heights)  # inside the axes


def test_the_table_has_figures_below_each_other_and_says_what_the_marks_are() -> None:
    points = [CurvePoint(0.5, 200, (80.0, 82.0)), CurvePoint(1, 1400, (90.0, 91.0))]
    lines = show(LearningCurve("accuracy", points, Forecast(2800, 95.0, 92.0, 97.0))).splitlines()
    assert [line[:47].rstrip() for line in lines if line[:47].strip("─ ") and "mean" not in line] == [
        "      sentences   accuracy   lowest   highest",
        "            200      81.00    80.00     82.00",
        "          1,400      90.50    90.00     91.00",
        " forecast 2,800      95.00    92.00     97.00",
    ]
    assert lines[-1].startswith("● mean, lowest and highest of 2 runs; ○ forecast for twice the data")
    single = show(LearningCurve("accuracy", [CurvePoint(1, 9, (80.0,))], None))
    assert single.endswith("\n● one run")


def test_two_sizes_or_a_part_of_the_data_are_not_enough():
    points = [CurvePoint(0.5, 200, (80.0,)), CurvePoint(1, 400, (90.0,))]
    assert forecast(points, rows(20, 10), accuracy_score, 400) is None
    points = [CurvePoint(0.2, 80, (60.0,)), CurvePoint(0.5, 200, (80.0,)), CurvePoint(0.9, 360, (90.0,))]
    assert forecast(points, rows(40, 20, 10), accuracy_score, 400) is None
