"""Store the state of L-BFGS in a checkpoint."""

from __future__ import annotations

import numpy as np

from perceptag._core import dot
from perceptag.errors import ModelError
from perceptag.numeric.lbfgs import LbfgsState
from perceptag.store.model import AnyArrays, Arrays, reals


def pack_state(state: LbfgsState) -> Arrays:
    """Return the arrays of a state."""
    pairs = {name: np.array(p).reshape(len(p), len(state.x)) for name, p in (("s", state.s), ("y", state.y))}
    return {"x": state.x, "f": np.array([state.f]), "g": state.g, **pairs}


def restore_state(arrays: AnyArrays, size: int) -> LbfgsState:
    """The inverse of `pack_state`, for a search over `size` parameters."""
    x, g = (reals(arrays, name, size) for name in ("x", "g"))
    s, y = ([reals({name: row}, name, size) for row in arrays[name]] for name in ("s", "y"))
    if len(s) != len(y) or not all(dot(a, b) > 0 for a, b in zip(s, y, strict=True)):
        raise ModelError("arrays 's' and 'y': expected pairs of positive curvature, found others")
    return LbfgsState(x, float(reals(arrays, "f", 1)[0]), g, s, y)
