"""Arrays of a checkpoint, checked before anything uses them: a checkpoint may be damaged, or made by a stranger."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from perceptag import _core
from perceptag.errors import ModelError
from perceptag.linear import BLOCKS
from perceptag.model import Arrays, array_of
from perceptag.nonlocal_ import GlobalWeights

Floats = npt.NDArray[np.float64]

LARGEST = 1e30  # no number that is learned comes near it


def reals(arrays: Arrays, name: str, size: int | None = None) -> Floats:
    """A vector of finite numbers; of so many, if `size` says so."""
    found = array_of(arrays, name, np.float64)
    if size is not None and len(found) != size:
        raise ModelError(f"array {name!r}: expected {size} numbers, found {len(found)}")
    check_size(found, name)
    copy: Floats = found.copy()
    return copy


def check_size(found: npt.NDArray[np.floating[Any]], name: str) -> None:
    """Refuse NaN, infinity and what would soon become infinite."""
    if not (np.abs(found) <= LARGEST).all():
        raise ModelError(f"array {name!r}: expected finite numbers up to {LARGEST:g}, found others")


def wholes(arrays: Arrays, name: str) -> list[int]:
    """Numbers of a kind that is counted."""
    found: list[int] = array_of(arrays, name, np.int64).tolist()
    if min(found, default=0) < 0:
        raise ModelError(f"array {name!r}: expected numbers from 0, found {min(found)}")
    return found


def ticks(arrays: Arrays) -> float:
    """The clock of an average."""
    found = float(reals(arrays, "ticks", 1)[0])
    if found < 0:
        raise ModelError(f"array 'ticks': expected a number from 0, found {found}")
    return found


def flag(arrays: Arrays, name: str) -> bool:
    """One truth value."""
    found = array_of(arrays, name, np.bool_)
    if len(found) != 1:
        raise ModelError(f"array {name!r}: expected one value, found {len(found)}")
    return bool(found[0])


def restore_weights(weights: _core.Weights, arrays: Arrays) -> None:
    """Weights and their sums, which must be as many as these weights have; then the clock."""
    for block in BLOCKS:
        w = array_of(arrays, f"w.{block}", np.float32)
        restore_block(weights, block, w, reals(arrays, f"sum.{block}", len(w)))
    weights.ticks = ticks(arrays)


def restore_block(weights: _core.Weights, block: int, w: npt.NDArray[np.float32], sums: Floats) -> None:
    """One block. Only what constraints forbid may be minus infinity."""
    now, _ = weights.get(block)
    if w.dtype != np.float32 or w.shape != now.shape or ((w == -np.inf) & (now != -np.inf)).any():
        raise ModelError(f"weights of block {block}: expected {len(now)} finite numbers, found others")
    check_size(w[w != -np.inf], f"weights of block {block}")
    weights.set(block, np.ascontiguousarray(w), sums)


def restore_global(weights: GlobalWeights, arrays: Arrays) -> None:
    """The names of non-local features, their weights and sums."""
    blob = array_of(arrays, "nonlocal.names", np.uint8).tobytes()
    names = blob.decode().split("\0") if blob else []
    for name in names:
        weights.features.number(name)
    if list(weights.features.numbers) != names:
        raise ModelError("array 'nonlocal.names': expected different names, those that are built in first")
    weights.w = kept_global(weights, arrays, "nonlocal.w")
    weights.sum = reals(arrays, "nonlocal.sum", len(weights.w))


def kept_global(weights: GlobalWeights, arrays: Arrays, name: str = "nonlocal") -> Floats:
    """Non-local weights: of all features that are built in, and of no more than there are names."""
    found, features = reals(arrays, name), weights.features
    if not features.built_in <= len(found) <= len(features.numbers):
        raise ModelError(
            f"array {name!r}: expected {features.built_in} to {len(features.numbers)} numbers, found {len(found)}"
        )
    return found
