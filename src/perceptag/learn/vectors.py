"""Weight vectors in training: made anew, averaged anew, written to checkpoints."""

from __future__ import annotations

import numpy as np

from perceptag import _core
from perceptag.linear import BLOCKS
from perceptag.model import Arrays


def trainable(weights: _core.Weights) -> _core.Weights:
    """Weights of the same layout, all zero."""
    fresh = weights.frozen()
    for block in BLOCKS:
        size = len(weights.get(block)[0])
        fresh.set(block, np.zeros(size, np.float32), np.zeros(size))
    return fresh


def start_average(weights: _core.Weights) -> None:
    """Forget all passes so far in the average."""
    for block in BLOCKS:
        w, _ = weights.get(block)
        weights.set(block, w, np.zeros(len(w)))
    weights.ticks = 0


def pack_weights(weights: _core.Weights) -> Arrays:
    """Weights, their sums and the clock, as `perceptag.learn.restoring.restore_weights` reads them."""
    arrays: Arrays = {"ticks": np.array([weights.ticks])}
    for block in BLOCKS:
        arrays[f"w.{block}"], arrays[f"sum.{block}"] = weights.get(block)
    return arrays
