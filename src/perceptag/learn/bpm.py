"""A start from the mean of several short runs, after the Bayes point machine.

Kazama and Torisawa (2007), section 4.3: several runs start from zero (10 runs in section 6.2). Each is one pass of the
same algorithm over training data in a random order. Training proper starts from the mean of their final weights.

Departure: the sum is taken instead of the mean, and every later update and margin is multiplied by the number of
runs. That is the same model in finer units, and keeps all weights whole numbers.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from perceptag import _core
from perceptag._core import Weights

_BLOCKS = range(_core.BLOCKS)


def start(weights: Weights, runs: int, learn: Callable[[int], object]) -> None:
    """Set `weights` to the sum of the final weights of `runs` runs; `learn(run)` runs one pass."""
    zero = [np.where(np.isfinite(weights.get(block)[0]), 0, -np.inf).astype(np.float32) for block in _BLOCKS]
    total = [np.zeros_like(block) for block in zero]
    for run in range(runs):
        _set(weights, zero)
        learn(run)
        for block in _BLOCKS:
            total[block] += weights.get(block)[0]
    _set(weights, total)


def _set(weights: Weights, blocks: list[np.ndarray]) -> None:
    for block, w in zip(_BLOCKS, blocks, strict=True):
        weights.set(block, w, np.zeros(len(w)))
    weights.ticks = 0
