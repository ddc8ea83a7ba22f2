"""Hildreth's procedure finds what another solver finds."""

from __future__ import annotations

import numpy as np
import pytest

from perceptag.learn.mira import hildreth

optimize = pytest.importorskip("scipy.optimize")  # comes with scikit-learn


def solve_otherwise(A, b, C):
    """Solve the dual by projected quasi-Newton steps."""

    def negative(a):
        return 0.5 * a @ A @ a - b @ a, A @ a - b

    start = np.zeros(len(b))
    bounds = [(0, C)] * len(b)
    found = optimize.minimize(negative, start, jac=True, bounds=bounds, method="L-BFGS-B", options={"ftol": 1e-15})
    return found.x


@pytest.mark.parametrize("C", [0.02, 0.3, 1000.0])
@pytest.mark.parametrize("K", [1, 2, 5, 12])
def test_the_same_change_of_weights(C, K):
    rng = np.random.default_rng(K)
    for _ in range(10):
        D = rng.integers(-2, 3, size=(K, 30)).astype(float)
        b = rng.normal(1, 2, size=K)
        A = D @ D.T
        a = np.array(hildreth(A.tolist(), b.tolist(), C))
        assert (a >= 0).all()
        assert (a <= C).all()
        # Multipliers need not be unique, but the change of the weights is.
        assert D.T @ a == pytest.approx(D.T @ solve_otherwise(A, b, C), abs=2e-3)
        check_optimal(A, b, C, a)


def check_optimal(A, b, C, a):
    """Karush, Kuhn, Tucker: no multiplier can still move in the direction of its gradient."""
    gradient = b - A @ a
    slack = 1e-4
    assert (gradient[a <= 0] <= slack).all()
    assert (gradient[a >= C] >= -slack).all()
    assert (abs(gradient[(a > 0) & (a < C)]) <= slack).all()


def test_the_primal_by_another_solver():
    """Hard constraints: min |u|^2 with D u >= b, compared with sequential least squares."""
    rng = np.random.default_rng(0)
    for _ in range(10):
        D = rng.integers(-1, 2, size=(3, 8)).astype(float) + np.eye(3, 8)
        b = rng.normal(1, 1, size=3)
        u = D.T @ np.array(hildreth((D @ D.T).tolist(), b.tolist(), 1e9))
        constraints = {"type": "ineq", "fun": lambda v, D=D, b=b: D @ v - b}
        found = optimize.minimize(lambda v: v @ v, np.zeros(8), constraints=constraints, method="SLSQP")
        assert found.success
        assert u == pytest.approx(found.x, abs=1e-4)


def test_constraints_that_nothing_can_touch_or_that_contradict_each_other():
    assert hildreth([[0.0]], [1.0], 1.0) == [0.0]
    assert hildreth([], [], 1.0) == []
    # u >= 1 and -u >= 1: every multiplier ends at its bound, and u stays 0.
    assert hildreth([[1.0, -1.0], [-1.0, 1.0]], [1.0, 1.0], 3.0) == [3.0, 3.0]
