"""Parts shared by the online learners: feature differences, costs, losses, exhaustive ranking.

Every weight is a multiple of 2^-16, because steps are rounded to it, also when they are multiplied by a feature that is
a number; so sums of floats are exact.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import product

from reference.lattice import tie_order
from reference.perceptron import Allows, Input, Labels, LocalFeature, Number, global_features

UNIT = 2.0**-16

Weights = dict[LocalFeature, float]
Difference = dict[LocalFeature, Number]
Cost = Callable[[int], float]

COSTS: dict[str, Cost] = {"one": lambda _: 1.0, "sqrt": math.sqrt, "hamming": float}


def on_grid(step: float) -> float:
    """Return the multiple of `UNIT` nearest to a step."""
    return round(step / UNIT) * UNIT


def score(w: Weights, x: Input, y: Labels) -> float:
    """w . Phi(x, y)."""
    return sum(w.get(feature, 0.0) * float(count) for feature, count in global_features(x, y).items())


def difference(x: Input, toward: Labels, away: Labels, allows: Allows) -> Difference:
    """Return Phi(x, toward) - Phi(x, away), for the features that have a parameter."""
    phi = global_features(x, toward)
    for feature, count in global_features(x, away).items():
        phi[feature] = phi.get(feature, 0) - count
    return {feature: count for feature, count in phi.items() if count and allows(feature)}


def dot(a: Difference, b: Difference) -> float:
    """Return the inner product of two sparse vectors."""
    return float(sum(value * b[feature] for feature, value in a.items() if feature in b))


def plus(w: Weights, step: float, d: Difference) -> Weights:
    """Return w + step d as a new vector without zeros."""
    moved = dict(w)
    for feature, value in d.items():
        moved[feature] = moved.get(feature, 0.0) + on_grid(step * float(value))
    return {feature: weight for feature, weight in moved.items() if weight}


def wrong(y: Labels, z: Labels) -> int:
    """Count the tokens where two labellings differ."""
    return sum(a != b for a, b in zip(y, z, strict=True))


def loss(w: Weights, x: Input, y: Labels, z: Labels, cost: Cost) -> float:
    """Return by how much y fails to beat z by its cost."""
    return score(w, x, z) - score(w, x, y) + cost(wrong(y, z))


def ranked(w: Weights, x: Input, labels: Sequence[str]) -> list[Labels]:
    """Return all labellings, the best first."""

    def key(ids: tuple[int, ...]) -> tuple[float, tuple[int, ...]]:
        return -score(w, x, tuple(labels[i] for i in ids)), tie_order(ids)

    return [tuple(labels[i] for i in ids) for ids in sorted(product(range(len(labels)), repeat=len(x)), key=key)]
