"""Everything that workers need for training: numbers of values and labels, features, the layout of the weights."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from perceptag import _core
from perceptag.arrays import Ints
from perceptag.cluster.shard_features import Numbering
from perceptag.features.encoder import Encoder
from perceptag.features.gazetteer import Gazetteer
from perceptag.features.tag_dictionary import ClosedWords
from perceptag.features.template import Template
from perceptag.labels.label_set import LabelSet
from perceptag.models.document.features import NonLocal, make_nonlocal
from perceptag.models.linear.weights import WeightLayout
from perceptag.models.model_classes import KnownClasses
from perceptag.recipe.recipe import Recipe
from perceptag.recipe.usercode import attributes_of

Values = list[tuple[Any, Any]]  # places and weights of each block that a mixing has changed
Lists = list[tuple[Ints, Ints]]  # values and rows of the features of each template
Whole = list[npt.NDArray[np.float32]]  # all weights, by block


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """All values of all columns in the order in which they are first seen, and the labels."""

    values: dict[str, list[Hashable]]
    label_set: LabelSet
    closed: ClosedWords | None
    templates: tuple[Template, ...]
    classes: KnownClasses | None  # those that templates look at
    recipe: Recipe
    allow_code: bool
    lists: Gazetteer | None  # learned from the data
    words: str  # the column that they are matched with

    def numbering(self) -> Numbering:
        """An encoder with the same numbers everywhere."""
        own = attributes_of(self.recipe, allow_code=self.allow_code)
        encoder = Encoder(self.templates, {**own, **(self.classes.attributes() if self.classes else {})})
        for column in encoder.columns:
            encoder.lexicons[column].numbers([self.values[column]])
        encoder.freeze()
        dictionary = _core.TagDictionary(self.closed.entries, len(self.label_set.names)) if self.closed else None
        rest = self.recipe.unit, dictionary, self.lists, self.words, sees_documents(self.recipe)
        return Numbering(encoder, self.label_set, self.closed, *rest)


def sees_documents(recipe: Recipe) -> bool:
    """Whether the learner compares the words of documents."""
    return recipe.declaration.kind == "nonlocal"


@dataclass(frozen=True, slots=True)
class ModelPlan:
    """The recipe, and the weights that features have."""

    recipe: Recipe
    layout: WeightLayout
    label_set: LabelSet

    def nonlocal_features(self) -> NonLocal:
        """The features of documents that the learner sees."""
        return make_nonlocal(self.recipe, self.label_set, {})


def load_index(numbering: Numbering, lists: Lists) -> _core.FeatureIndex:
    """Give an encoder the features of the model."""
    index = numbering.encoder.freeze()
    for i, (values, rows) in enumerate(lists):
        index.load(i, values, rows)
    return index
