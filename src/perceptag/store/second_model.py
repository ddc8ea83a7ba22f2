"""The second model of re-ranking in a model file: other weights for the same features.

weights.N          the first model                   as in every linear model
second.weights.N   the second, in the same layout    re-ranking 2 only
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from perceptag.errors import ModelError
from perceptag.numeric.lazy import np
from perceptag.store.model import AnyArrays, Arrays

_WEIGHTS = "weights."
_SECOND = "second."


def has_second(arrays: AnyArrays) -> bool:
    """Return whether there is a second model with weights of local features."""
    return any(name.startswith(_SECOND) for name in arrays)


def second_arrays(arrays: AnyArrays) -> Arrays:
    """Return the arrays of the second model under the names of a single model."""
    features = {name: a for name, a in arrays.items() if not name.startswith((_WEIGHTS, _SECOND))}
    return features | {name.removeprefix(_SECOND): a for name, a in arrays.items() if name.startswith(_SECOND)}


def set_apart(arrays: AnyArrays) -> Arrays:
    """Split two weight vectors, one after the other as in a model that votes, into a first and a second model."""
    apart: Arrays = {}
    for name, array in arrays.items():
        if not name.startswith(_WEIGHTS):
            apart[name] = array
        elif array.ndim != 1 or len(array) % 2:
            raise ModelError(f"array {name!r}: expected two vectors of weights, found {array.shape} numbers")
        else:
            apart[name], apart[_SECOND + name] = np.split(array, 2)
    return apart


def from_first_release(arrays: AnyArrays, facts: Mapping[str, Any]) -> tuple[AnyArrays, dict[str, Any]]:
    """Return arrays and facts in today's form. 0.1.0 saved the second model of re-ranking 2 as a vector that votes."""
    if facts.get("kind") == "rerank" and facts.get("snapshots") == 2:
        return set_apart(arrays), {**facts, "snapshots": 1}
    return arrays, dict(facts)
