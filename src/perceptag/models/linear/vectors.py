"""Weight vectors in training: new ones, the start of their average, and checkpoints."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from perceptag import _core
from perceptag.errors import ModelError
from perceptag.models.linear.blocks import BLOCKS
from perceptag.numeric.arrays import Floats
from perceptag.store.checked_arrays import check_size, reals, ticks
from perceptag.store.model import AnyArrays, Arrays, array_of


def trainable(weights: _core.Weights) -> _core.Weights:
    """Weights of the same layout, all zero."""
    fresh = weights.frozen()
    for block in BLOCKS:
        size = len(weights.get(block)[0])
        fresh.set(block, np.zeros(size, np.float32), np.zeros(size))
    return fresh


def start_average(weights: _core.Weights) -> None:
    """Drop all passes so far from the average."""
    for block in BLOCKS:
        w, _ = weights.get(block)
        weights.set(block, w, np.zeros(len(w)))
    weights.ticks = 0


def pack_weights(weights: _core.Weights) -> Arrays:
    """Weights, their sums and the clock, as `restore_weights` reads them."""
    arrays: Arrays = {"ticks": np.array([weights.ticks])}
    for block in BLOCKS:
        arrays[f"w.{block}"], arrays[f"sum.{block}"] = weights.get(block)
    return arrays


def restore_weights(weights: _core.Weights, arrays: AnyArrays) -> None:
    """Read weights, their sums and the clock. Their sizes must be those of `weights`."""
    for block in BLOCKS:
        w = array_of(arrays, f"w.{block}", np.float32)
        restore_block(weights, block, w, reals(arrays, f"sum.{block}", len(w)))
    weights.ticks = ticks(arrays)


def spread(weights: _core.Weights, block: int, layout: _core.Weights) -> npt.NDArray[np.float32]:
    """The weights of one block at the places that they have in `layout`, from which they were condensed."""
    w, places = weights.get(block)[0], layout.size(block)
    if len(w) == places:
        return w
    found = np.zeros(places, np.float32)
    rows, labels = weights.owners(block, np.arange(len(w)))
    found[layout.places(block, rows, _core.label_codes(labels, layout.labels))] = w
    return found


def restore_block(weights: _core.Weights, block: int, w: npt.NDArray[np.float32], sums: Floats) -> None:
    """Read one block. Only what constraints forbid may be minus infinity."""
    now, _ = weights.get(block)
    if w.dtype != np.float32 or w.shape != now.shape or ((w == -np.inf) & (now != -np.inf)).any():
        raise ModelError(f"weights of block {block}: expected {len(now)} finite numbers, found others")
    check_size(w[w != -np.inf], f"weights of block {block}")
    weights.set(block, np.ascontiguousarray(w), sums)
