"""Extrapolate a learning curve: the gain in score from more training data.

The error is taken to fall by a power law of the number of sentences,

    100 - score = exp(a) * sentences ** b

with a and b fitted by least squares to logarithms. Learning curves of many tasks come near such a line over a part of
their length (Hestness et al. 2017, "Deep learning scaling is predictable, empirically"), but none must.
"""

from __future__ import annotations

import numpy as np

from perceptag.arrays import Floats

LEAST_ERROR = 0.01  # in per cent: the logarithm of 0 is not a number


def gain_of_scores(sizes: Floats, scores: Floats, now: int, then: int) -> Floats:
    """Fit power laws to scores [..., points], and return how much each rises from `now` sentences to `then`.

    >>> sizes = np.array([100.0, 200.0, 400.0])
    >>> round(float(gain_of_scores(sizes, 100 - 1000 / sizes, 400, 800)), 6)
    1.25
    """
    x, y = np.log(sizes), np.log(np.maximum(100.0 - scores, LEAST_ERROR))
    centred = x - x.mean()
    spread = float((centred**2).sum())
    slope = (y @ centred) / spread if spread else np.zeros(y.shape[:-1])
    level = y.mean(axis=-1) - slope * x.mean()
    before, after = (np.exp(level + slope * np.log(size)) for size in (now, then))
    gained: Floats = before - after
    return gained
