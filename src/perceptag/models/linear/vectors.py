"""Weight vectors in training: new ones, and checkpoints."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from perceptag import _core
from perceptag.arrays import Floats, Longs
from perceptag.errors import ModelError
from perceptag.models.linear.blocks import blocks_of
from perceptag.models.model import AnyArrays, Arrays, array_of, check_size, reals, ticks, wholes

SOME_LABELS = 12  # with more, most weights of a dense row never move


def has_many_zeros(weights: _core.Weights, block: int = 0) -> bool:
    """Whether most weights of a block in training are zero. Other blocks than the first are small."""
    return block == 0 and (weights.is_lined(0) or (weights.is_dense(0) and weights.labels > SOME_LABELS))


def trainable(weights: _core.Weights) -> _core.Weights:
    """Weights of the same layout, all zero."""
    fresh = weights.frozen()
    for block in blocks_of(weights):
        if weights.is_lined(block):
            fresh.make_lined(weights.rows(block))
        else:
            fresh.set(block, np.zeros(weights.size(block), np.float32), np.zeros(weights.size(block)))
    return fresh


def pack_weights(weights: _core.Weights) -> Arrays:
    """Weights, their sums and the clock, as `restore_weights` reads them; without zeros where these are many."""
    arrays: Arrays = {"ticks": np.array([weights.ticks])}
    for block in blocks_of(weights):
        if has_many_zeros(weights, block):
            names = f"places.{block}", f"w.{block}", f"sum.{block}"
            arrays |= zip(names, _core.moved_weights(weights, block), strict=True)
        else:
            arrays[f"w.{block}"], arrays[f"sum.{block}"] = weights.get(block)
    return arrays


def restore_weights(weights: _core.Weights, arrays: AnyArrays) -> None:
    """Read weights, their sums and the clock. Their sizes must be those of `weights`."""
    for block in blocks_of(weights):
        w = array_of(arrays, f"w.{block}", np.float32)
        sums = reals(arrays, f"sum.{block}", len(w))
        if weights.is_lined(block):
            restore_lined(weights, block, array_of(arrays, f"places.{block}", np.int64), w, sums)
        elif has_many_zeros(weights, block):
            places = array_of(arrays, f"places.{block}", np.int64)
            restore_block(weights, block, *(with_zeros(places, some, weights.size(block)) for some in (w, sums)))
        else:
            restore_block(weights, block, w, sums)
    weights.ticks = ticks(arrays)


def with_zeros(places: Longs, values: npt.NDArray[Any], size: int) -> npt.NDArray[Any]:
    """All values of a block, of which those at some places are given."""
    if len(places) != len(values) or (len(places) and not 0 <= places.min() <= places.max() < size):
        raise ModelError(f"weights of block 0: expected {len(values)} places below {size}, found others")
    found = np.zeros(size, values.dtype)
    found[places] = values
    return found


def restore_lined(weights: _core.Weights, block: int, places: Longs, w: npt.NDArray[np.float32], sums: Floats) -> None:
    """Read a block of lined rows."""
    check_size(w, f"weights of block {block}")
    _core.put_moved(weights, block, places, w, sums)


def pack_vectors(vectors: Sequence[_core.Weights], layout: _core.Weights) -> Arrays:
    """Weight vectors as matrices, one for each block; without zeros where `layout` has many."""
    arrays: Arrays = {}
    for block in blocks_of(layout) if vectors else ():
        if has_many_zeros(layout, block):
            moved = [_core.moved_weights(weights, block) for weights in vectors]
            arrays[f"{block}.begin"] = np.cumsum([0, *(len(places) for places, _, _ in moved)])
            arrays[f"{block}.places"] = np.concatenate([places for places, _, _ in moved])
            arrays[str(block)] = np.concatenate([w for _, w, _ in moved])
        else:
            arrays[str(block)] = np.stack([spread(weights, block, layout) for weights in vectors])
    return arrays


def restore_vectors(arrays: AnyArrays, layout: _core.Weights) -> list[_core.Weights]:
    """The inverse of `pack_vectors`."""
    if not arrays:
        return []
    begin = wholes(arrays, "0.begin") if has_many_zeros(layout) else range(len(arrays["0"]) + 1)
    if len(begin) < 2:
        raise ModelError("array '0': expected at least one vector of weights, found none")
    return [_restore_vector(arrays, layout, k, slice(*part)) for k, part in enumerate(pairwise(begin))]


def _restore_vector(arrays: AnyArrays, layout: _core.Weights, k: int, part: slice) -> _core.Weights:
    """The k-th vector. `part`: where its weights are in blocks without zeros."""
    vector = layout.frozen()
    for block in blocks_of(layout):
        if has_many_zeros(layout, block):
            places, w = array_of(arrays, f"{block}.places", np.int64)[part], array_of(arrays, str(block), np.float32)
            rows, codes = np.divmod(places, layout.node_width)
            begin = np.searchsorted(rows, np.arange(layout.rows(block) + 1)).astype(np.uint32)
            vector.make_compact(block, begin, codes.astype(np.uint32))
            restore_block(vector, block, w[part], np.zeros(0))
        else:
            restore_block(vector, block, arrays[str(block)][k], np.zeros(0))
    return vector


def spread(weights: _core.Weights, block: int, layout: _core.Weights) -> npt.NDArray[np.float32]:
    """The weights of one block at the places that they have in `layout`, from which they were condensed."""
    w, places = weights.get(block)[0], layout.size(block)
    if len(w) == places:
        return w
    found = np.zeros(places, np.float32)
    rows, labels = weights.owners(block, np.arange(len(w)))
    numbers = layout.labels if block else layout.node_width
    found[layout.places(block, rows, _core.label_codes(labels, numbers))] = w
    return found


def restore_block(weights: _core.Weights, block: int, w: npt.NDArray[np.float32], sums: Floats) -> None:
    """Read one block. Only what constraints forbid may be minus infinity."""
    now, _ = weights.get(block)
    if w.dtype != np.float32 or w.shape != now.shape or ((w == -np.inf) & (now != -np.inf)).any():
        raise ModelError(f"weights of block {block}: expected {len(now)} finite numbers, found others")
    check_size(w[w != -np.inf], f"weights of block {block}")
    weights.set(block, np.ascontiguousarray(w), sums)
