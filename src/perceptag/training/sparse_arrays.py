"""Arrays of weights without their zeros, for checkpoints: most weights of a dense model have never moved."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from perceptag.errors import ModelError
from perceptag.store.model import AnyArrays, Arrays
from perceptag.store.model_file import MAX_BYTES

MANY = 1 << 16  # numbers of an array from which leaving zeros out pays
PLACES, VALUES, SHAPE = "places:", "values:", "shape:"


def without_zeros(arrays: Arrays) -> Arrays:
    """The same arrays; of those that are nearly all zero, the places and the values of the others."""
    found: Arrays = {}
    for name, array in arrays.items():
        if array.dtype.kind != "f" or array.size < MANY:
            found[name] = array
            continue
        flat = array.ravel()
        places = np.flatnonzero(flat.view(f"u{flat.itemsize}"))  # minus zero stays what it is
        if 3 * len(places) > flat.size:
            found[name] = array
        else:
            found |= {PLACES + name: places, VALUES + name: flat[places], SHAPE + name: np.array(array.shape)}
    return found


def with_zeros(arrays: AnyArrays) -> Arrays:
    """The inverse of `without_zeros`."""
    found = {name: a for name, a in arrays.items() if not name.startswith((PLACES, VALUES, SHAPE))}
    for name in [name.removeprefix(SHAPE) for name in arrays if name.startswith(SHAPE)]:
        found[name] = _whole(name, *(arrays.get(part + name) for part in (SHAPE, PLACES, VALUES)))
    return found


def _whole(name: str, shape: Any, places: Any, values: Any) -> Any:
    if any(part is None or part.ndim != 1 for part in (shape, places, values)) or places.shape != values.shape:
        raise ModelError(f"{name}: expected a shape, and as many places as values, found other arrays")
    if {shape.dtype.kind, places.dtype.kind} != {"i"} or values.dtype.kind != "f":
        raise ModelError(f"{name}: expected whole numbers for places and others for values, found other arrays")
    sizes = shape.tolist()
    n = math.prod(sizes)
    if min(sizes, default=0) < 0 or n > MAX_BYTES // values.itemsize:
        raise ModelError(f"{name}: expected a shape that fits into a file, found {sizes}")
    if len(places) and (places.min() < 0 or places.max() >= n):
        raise ModelError(f"{name}: expected places below {n}, found another")
    whole = np.zeros(n, values.dtype)
    whole[places] = values
    return whole.reshape(sizes)
