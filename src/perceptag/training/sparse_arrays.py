"""Arrays of weights without their zeros, for checkpoints: most weights of a dense model have never moved."""

from __future__ import annotations

from typing import Any

import numpy as np

from perceptag.errors import ModelError
from perceptag.store.file import MAX_BYTES
from perceptag.store.model import Arrays

MANY = 1 << 16  # numbers of an array from which leaving zeros out pays
PLACES, VALUES, SIZE = "places:", "values:", "size:"


def without_zeros(arrays: Arrays) -> Arrays:
    """The same arrays; of those that are nearly all zero, the places and the values of the others."""
    found: Arrays = {}
    for name, array in arrays.items():
        if array.dtype.kind != "f" or array.ndim != 1 or array.size < MANY:
            found[name] = array
            continue
        places = np.flatnonzero(array.view(f"u{array.itemsize}"))  # minus zero stays what it is
        if 3 * len(places) > array.size:
            found[name] = array
        else:
            found |= {PLACES + name: places, VALUES + name: array[places], SIZE + name: np.array([array.size])}
    return found


def with_zeros(arrays: Arrays) -> Arrays:
    """The inverse of `without_zeros`."""
    found = {name: a for name, a in arrays.items() if not name.startswith((PLACES, VALUES, SIZE))}
    for name in [name.removeprefix(SIZE) for name in arrays if name.startswith(SIZE)]:
        found[name] = _whole(name, *(arrays.get(part + name) for part in (SIZE, PLACES, VALUES)))
    return found


def _whole(name: str, size: Any, places: Any, values: Any) -> Any:
    parts = size, places, values
    if any(part is None or part.ndim != 1 for part in parts) or size.shape != (1,) or places.shape != values.shape:
        raise ModelError(f"{name}: expected its size, and places and values of the same number, found other arrays")
    if {size.dtype.kind, places.dtype.kind} != {"i"} or values.dtype.kind != "f":
        raise ModelError(f"{name}: expected whole numbers for places and others for values, found other arrays")
    n = int(size[0])
    if not 0 <= n <= MAX_BYTES // values.itemsize:
        raise ModelError(f"{name}: expected a size that fits into a file, found {n}")
    if len(places) and (places.min() < 0 or places.max() >= n):
        raise ModelError(f"{name}: expected places below {n}, found another")
    whole = np.zeros(n, values.dtype)
    whole[places] = values
    return whole
