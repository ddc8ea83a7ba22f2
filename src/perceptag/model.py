"""A model: what is saved. Plain data, no behaviour; `Tagger` makes it run."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy.typing as npt

from perceptag.labelling import Labelling
from perceptag.recipe import Recipe

Arrays = dict[str, npt.NDArray[Any]]


@dataclass(slots=True)
class Model:
    """Everything that tagging needs, and how it came about."""

    recipe: Recipe
    labelling: Labelling
    columns: tuple[str, ...]  # of the training data, labels included
    arrays: Arrays
    facts: dict[str, Any] = field(default_factory=dict)  # what belongs to the kind of model, as JSON
    manifest: dict[str, Any] = field(default_factory=dict)  # how it was trained: data digests, dev curve, version
