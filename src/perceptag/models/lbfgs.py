"""L-BFGS, one step at a time, or OWL-QN if there is an L1 penalty.

Nocedal and Wright (2006), "Numerical Optimization", algorithms 7.4 (two-loop recursion) and 7.5; Andrew and Gao (2007),
"Scalable training of L1-regularized log-linear models", ICML, for OWL-QN.

    d = -H grad f(x)                              `direction`, H from the last m pairs s = x' - x, y = g' - g
    x' = x + a d,  a by line search               `take_step`: weak Wolfe conditions, by bisection
    with L1: the pseudo-gradient instead of grad f, d and x' kept in its orthant, only sufficient decrease

Departure: this is our own code instead of scipy's, so that training can stop after any step, be stored, and resume
with the same bits, which scipy's routines do not offer; and so that scipy is not needed. Inner products have a fixed
order of summation (`perceptag._core.dot`), so that the bits do not depend on the number of threads either.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from perceptag._core import dot
from perceptag.errors import ModelError
from perceptag.models.model import AnyArrays, Arrays, reals

Vector = npt.NDArray[np.float64]
Objective = Callable[[Vector], tuple[float, Vector]]  # the smooth part and its gradient

DECREASE, CURVATURE = 1e-4, 0.9  # Wolfe's constants, as Nocedal and Wright recommend
MOST_TRIES = 30  # of step sizes in one line search


@dataclass(slots=True)
class LbfgsState:
    """The state of the search, sufficient to resume it."""

    x: Vector
    f: float  # the smooth part
    g: Vector  # its gradient
    s: list[Vector] = field(default_factory=list)
    y: list[Vector] = field(default_factory=list)


def start(objective: Objective, x: Vector) -> LbfgsState:
    """Return the state before the first step."""
    return LbfgsState(x, *objective(x))


def take_step(state: LbfgsState, objective: Objective, memory: int, l1: float = 0.0) -> bool:
    """Do one iteration: find a better point and remember the step. Return False if no better point is found."""
    slope = pseudo_gradient(state.x, state.g, l1)
    d = direction(state, slope)
    if l1:
        d = np.where(d * slope < 0, d, 0.0)
    descent = dot(d, slope)
    if not descent < 0:
        return False
    first = 1.0 if state.s else 1.0 / np.sqrt(dot(slope, slope))
    found = (
        _search_orthant(state, objective, d, slope, first, l1) if l1 else _search(state, objective, d, descent, first)
    )
    if found is None:
        return False
    x, f, g = found
    s, y = x - state.x, g - state.g
    if dot(s, y) > 1e-10 * dot(y, y):  # without positive curvature the pair would spoil H
        state.s, state.y = [*state.s, s][-memory:], [*state.y, y][-memory:]
    state.x, state.f, state.g = x, f, g
    return True


def direction(state: LbfgsState, slope: Vector) -> Vector:
    """Return -H slope, by the two-loop recursion."""
    q = -slope
    alphas = []
    for s, y in zip(reversed(state.s), reversed(state.y), strict=True):
        alphas.append(dot(s, q) / dot(s, y))
        q -= alphas[-1] * y
    if state.s:
        q *= dot(state.s[-1], state.y[-1]) / dot(state.y[-1], state.y[-1])
    for s, y, alpha in zip(state.s, state.y, reversed(alphas), strict=True):
        q += (alpha - dot(y, q) / dot(s, y)) * s
    return q


def _search(
    state: LbfgsState, objective: Objective, d: Vector, descent: float, step: float
) -> tuple[Vector, float, Vector] | None:
    """Find a point with enough decrease and a slope that is flat enough, by bisection."""
    low, high = 0.0, np.inf
    best = None
    for _ in range(MOST_TRIES):
        x = state.x + step * d
        f, g = objective(x)
        if not f <= state.f + DECREASE * step * descent:
            high = step
        elif dot(g, d) < CURVATURE * descent:
            low, best = step, (x, f, g)
        else:
            return x, f, g
        step = (low + high) / 2 if high < np.inf else 2 * step
    return best


def pseudo_gradient(x: Vector, g: Vector, l1: float) -> Vector:
    """Return the gradient of f + l1 |x|; at 0 that of the side where it falls, or 0 if it rises on both."""
    if not l1:
        return g
    at_zero = np.where(g < -l1, g + l1, np.where(g > l1, g - l1, 0.0))
    slope: Vector = np.where(x == 0, at_zero, g + l1 * np.sign(x))
    return slope


def _search_orthant(
    state: LbfgsState, objective: Objective, d: Vector, slope: Vector, step: float, l1: float
) -> tuple[Vector, float, Vector] | None:
    """Find a point with enough decrease in the orthant of the slope; weights that would leave it become 0."""
    orthant = np.where(state.x == 0, -np.sign(slope), np.sign(state.x))
    before = state.f + l1 * float(np.abs(state.x).sum())
    for _ in range(MOST_TRIES):
        x = state.x + step * d
        x[x * orthant < 0] = 0.0
        f, g = objective(x)
        if f + l1 * float(np.abs(x).sum()) <= before + DECREASE * dot(slope, x - state.x):
            return x, f, g
        step /= 2
    return None


def pack_state(state: LbfgsState) -> Arrays:
    """Return the arrays of a state."""
    pairs = {name: np.array(p).reshape(len(p), len(state.x)) for name, p in (("s", state.s), ("y", state.y))}
    return {"x": state.x, "f": np.array([state.f]), "g": state.g, **pairs}


def restore_state(arrays: AnyArrays, size: int) -> LbfgsState:
    """The inverse of `pack_state`, for a search over `size` parameters."""
    x, g = (reals(arrays, name, size) for name in ("x", "g"))
    s, y = ([reals({name: row}, name, size) for row in arrays[name]] for name in ("s", "y"))
    if len(s) != len(y) or not all(dot(a, b) > 0 for a, b in zip(s, y, strict=True)):
        raise ModelError("arrays 's' and 'y': expected pairs of positive curvature, found others")
    return LbfgsState(x, float(reals(arrays, "f", 1)[0]), g, s, y)
