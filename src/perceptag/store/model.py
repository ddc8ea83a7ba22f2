"""A model as it is saved: plain data without behaviour. `Tagger` tags with it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from perceptag.errors import ModelError
from perceptag.labels.label_set import LabelSet
from perceptag.learn import catalogue
from perceptag.recipe.recipe import Recipe

Arrays = dict[str, npt.NDArray[Any]]


@dataclass(slots=True)
class Model:
    """Everything that tagging needs, and how it was trained."""

    recipe: Recipe
    label_set: LabelSet
    columns: tuple[str, ...]  # of the training data, including the labels
    arrays: Arrays
    facts: dict[str, Any] = field(default_factory=dict)  # what this kind of model needs in addition, as JSON
    manifest: dict[str, Any] = field(default_factory=dict)  # how it was trained: data digests, dev curve, version

    @property
    def is_probabilistic(self) -> bool:
        """Whether scores are logarithms of probabilities. Models of learners that are not perceptag's say so."""
        learner = catalogue().get(self.recipe.learner)
        return learner.probabilistic if learner else self.facts.get("probabilistic") is True


def array_of(arrays: Arrays, name: str, dtype: type[np.generic]) -> npt.NDArray[Any]:
    """Return a vector of a model; raise ModelError if it is missing or has another type."""
    if name not in arrays:
        raise ModelError(f"expected an array {name!r}, found none")
    array = arrays[name]
    if array.dtype != dtype or array.ndim != 1:
        raise ModelError(f"array {name!r}: expected a vector of {np.dtype(dtype)}, found {array.ndim}-d {array.dtype}")
    return array
