"""Isotonic regression gives what scikit-learn's gives."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.isotonic import IsotonicRegression

from perceptag.models.calibration import isotonic

points = st.lists(st.tuples(st.integers(-20, 20), st.sampled_from([0.0, 0.25, 1.0])), min_size=1, max_size=60)


def check_against_sklearn(x, y):
    corners = isotonic(x, y)
    theirs = IsotonicRegression(out_of_bounds="clip").fit(x, y)
    where = np.concatenate([x, (x[:-1] + x[1:]) / 2, [x.min() - 1, x.max() + 1]])
    np.testing.assert_allclose(np.interp(where, *corners), theirs.predict(where), rtol=0, atol=1e-9)


@given(points)
def test_few_points_with_many_ties(pairs):
    x, y = (np.array(values, np.float64) for values in zip(*pairs, strict=True))
    check_against_sklearn(x, y)


@pytest.mark.parametrize("seed", range(5))
def test_many_points(seed):
    rng = np.random.default_rng(seed)
    x = rng.normal(0, 10, 5000)
    y = (rng.random(5000) < 1 / (1 + np.exp(-x / 5))).astype(np.float64)
    check_against_sklearn(x, y)


@given(points)
def test_the_curve_rises_and_its_corners_are_few(pairs):
    x, y = (np.array(values, np.float64) for values in zip(*pairs, strict=True))
    corners, levels = isotonic(x, y)
    assert (np.diff(corners) > 0).all()
    assert (np.diff(levels) >= 0).all()
    assert set(corners) <= set(x)
    _, counts = np.unique(levels, return_counts=True)
    assert (counts <= 2).all()  # a level has a first corner and a last one


def test_by_hand():
    """The 1 at 2 is above the 0 at 3, so they are pooled; two points at 4 count as their mean."""
    corners, levels = isotonic(np.array([4.0, 1, 2, 3, 4]), np.array([1.0, 0, 1, 0, 0.5]))
    assert (corners.tolist(), levels.tolist()) == ([1, 2, 3, 4], [0, 0.5, 0.5, 0.75])


def test_no_points():
    assert [len(part) for part in isotonic(np.zeros(0), np.zeros(0))] == [0, 0]
