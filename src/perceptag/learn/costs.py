"""Costs, losses and the step grid of `pa`, `mira` and `arow`.

    loss = score(guess) - score(gold) + cost

Departure: the papers step by real numbers. Here every step is rounded to a multiple of 2^-16, so that weights are
whole numbers of that unit and sums of them are exact in float32, as long as no score at a token passes 2^8 = 256.
Scores, ties and averages are then as exact as those of the perceptron.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from perceptag._core import Labels, Sequence, Weights
from perceptag.learn.learner import differing

UNIT = 2.0**-16

Cost = Callable[[int], float]

# The cost of a labelling by its number of wrong labels. Square root: `error_sensitive` of CRFsuite.
COSTS: dict[str, Cost] = {"one": lambda _: 1.0, "sqrt": math.sqrt, "hamming": float}


def on_grid(step: float) -> float:
    """Return the multiple of `UNIT` nearest to a step.

    >>> on_grid(0.1) * 65536
    6554.0
    """
    return round(step / UNIT) * UNIT


def loss(weights: Weights, x: Sequence, gold: Labels, guess: Labels, cost: Cost) -> float:
    """Return the hinge loss: the gold labelling should beat the guess by the cost of the guess."""
    return weights.score(x, guess) - weights.score(x, gold) + cost(differing(gold, guess))
