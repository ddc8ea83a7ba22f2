"""A saved model: plain data without behaviour, and a summary of it. `Tagger` tags with it."""

from __future__ import annotations

from collections.abc import MutableMapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias

from perceptag.errors import ModelError
from perceptag.labels.label_set import LabelSet
from perceptag.learn import catalogue
from perceptag.numeric.lazy import np
from perceptag.recipe.recipe import Recipe
from perceptag.store.stored_arrays import StoredArrays

if TYPE_CHECKING:
    import numpy.typing as npt

Arrays: TypeAlias = "dict[str, npt.NDArray[Any]]"  # as training makes them
AnyArrays: TypeAlias = "MutableMapping[str, npt.NDArray[Any]]"  # the same, or `StoredArrays`

CALIBRATION = "calibration."  # begins the names of arrays that turn margins into probabilities


@dataclass(slots=True)
class Model:
    """All data for tagging, and the manifest of the training."""

    recipe: Recipe
    label_set: LabelSet
    columns: tuple[str, ...]  # of the training data, including the labels
    arrays: AnyArrays
    facts: dict[str, Any] = field(default_factory=dict)  # what this kind of model needs in addition, as JSON
    manifest: dict[str, Any] = field(default_factory=dict)  # how it was trained: data digests, dev curve, version

    @property
    def is_calibrated(self) -> bool:
        """Whether it has what turns margins into probabilities."""
        return any(name.startswith(CALIBRATION) for name in self.arrays)

    @property
    def is_probabilistic(self) -> bool:
        """Whether scores are log-probabilities. Models of other learners declare it in their facts."""
        learner = catalogue().get(self.recipe.learner)
        return learner.probabilistic if learner else self.facts.get("probabilistic") is True


def array_of(arrays: AnyArrays, name: str, dtype: type[np.generic] | str) -> npt.NDArray[Any]:
    """Return a vector of a model; raise ModelError if it is missing or has another type."""
    if name not in arrays:
        raise ModelError(f"expected an array {name!r}, found none")
    array = arrays[name]
    if array.dtype != dtype or array.ndim != 1:
        raise ModelError(f"array {name!r}: expected a vector of {np.dtype(dtype)}, found {array.ndim}-d {array.dtype}")
    return array


def view_of(arrays: AnyArrays, name: str, dtype: str) -> Any:
    """Return an array as the core takes it: a memory view, which needs no numpy for a model in a file."""
    found = arrays.view(name, dtype) if isinstance(arrays, StoredArrays) else None
    return array_of(arrays, name, dtype).data if found is None else found


def number_of_features(model: Model) -> int:
    """Return the number of features of a model."""
    return sum(len(array) for name, array in model.arrays.items() if name.startswith(("rows.", "keys.")))


def dev_score(model: Model) -> float | None:
    """Return the dev score of the pass that became the model, in per cent; None if there was no dev data."""
    score = model.manifest.get("dev_score")  # models of 0.1.0 have only the curve
    if isinstance(score, float):
        return score
    best, curve = model.manifest.get("best_epoch"), model.manifest.get("curve")
    for report in curve if isinstance(curve, list) else []:
        if isinstance(report, dict) and report.get("epoch") == best and isinstance(report.get("dev_kept"), float):
            return float(report["dev_kept"])
    return None


def summary(model: Model) -> str:
    """Its recipe, the numbers of labels and features, and the dev score."""
    name = "accuracy" if model.label_set.outer == "none" else "F1"
    score = dev_score(model)
    parts = [
        f"recipe {model.recipe.name or 'without a name'}",
        f"{len(model.label_set.names)} labels",
        f"{number_of_features(model)} features",
        *([] if score is None else [f"dev {name} {score:.2f} %"]),
    ]
    return ", ".join(parts)
