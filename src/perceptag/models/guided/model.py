"""A model for bidirectional search: word features in a feature index, label contexts by exact keys.

    form[0], suffix3[0] …            word features: rows of the index, one weight for each label
    form[0] * y-1 y+1 y0             label contexts: an observation (here the word) and known labels next to it
    bias * y+1 y0                    the same with nothing to observe

Observations are rows of the index as well; what they are joined with is found in `_core.ContextWeights`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from perceptag import _core
from perceptag.arrays import Ints
from perceptag.errors import SettingError, reading_model
from perceptag.features.encoder import Encoder
from perceptag.features.template import CONTEXT, Template
from perceptag.labels.label_set import LabelSet
from perceptag.models.linear.packing import (
    check_features,
    check_rows,
    pack_block,
    pack_features,
    pack_vocabularies,
)
from perceptag.models.linear.starting_weights import StartingWeights
from perceptag.models.linear.weights import make_block
from perceptag.models.model import AnyArrays, Arrays, array_of, check_weights
from perceptag.recipe.recipe import Recipe

WORDS, OBSERVATIONS = 0, 1  # the orders of the feature index, as a guided model uses them
_BITS = {offset: 1 << k for k, offset in enumerate(CONTEXT.values())}


@dataclass(frozen=True, slots=True)
class GuidedTemplates:
    """Templates, sorted by their use."""

    words: list[Template]
    observations: list[Template]  # distinct; the bias is not among them
    contexts: list[Template]

    def encoded(self) -> list[Template]:
        """The templates of the feature index."""
        return [*self.words, *self.observations]

    def specs(self) -> list[tuple[int, int]]:
        """For the core: the number of the observation (0: the bias), and a mask of the labels next to the token."""
        numbers = {t.fields: i for i, t in enumerate(self.observations, 1)}
        return [(numbers.get(t.fields, 0), sum(_BITS[offset] for offset in t.context)) for t in self.contexts]


def make_layout(templates: Sequence[Template]) -> GuidedTemplates:
    """Sort templates into word features and label contexts."""
    contexts = [t for t in templates if t.context]
    # An observation is in order 1 of the index, whatever labels it is joined with.
    observations = list(dict.fromkeys(Template(t.fields, (-1,)) for t in contexts if t.fields))
    return GuidedTemplates([t for t in templates if not t.context], observations, contexts)


def make_weights(
    encoder: Encoder,
    layout: GuidedTemplates,
    corpus: _core.Corpus,
    label_set: LabelSet,
    recipe: Recipe,
    earlier: StartingWeights | None = None,
) -> _core.GuidedWeights:
    """Zero weights for the word features of the corpus, after cut-offs; label contexts have none yet.

    Word features of an earlier model keep their weights.
    """
    try:
        words = _core.Weights(len(label_set.names), False, False)
        make_block(words, WORDS, encoder.frozen_index, corpus, recipe, earlier)
        if earlier:
            earlier.set(words)
        if recipe.constrain:
            words.constrain(*label_set.mask())
        return _join(encoder, layout, words, label_set)
    except _core.LimitExceeded as error:
        raise SettingError(f"templates: {error}") from error


def _join(encoder: Encoder, layout: GuidedTemplates, words: _core.Weights, label_set: LabelSet) -> _core.GuidedWeights:
    contexts = _core.ContextWeights(len(label_set.names), layout.specs(), _observation_rows(encoder))
    return _core.GuidedWeights(words, contexts)


def _observation_rows(encoder: Encoder) -> Ints:
    """Which observation each row belongs to."""
    index = encoder.frozen_index
    owner = np.zeros(index.rows(OBSERVATIONS), np.int32)
    observations = [i for i, t in enumerate(encoder.templates) if t.order == OBSERVATIONS]
    for number, i in enumerate(observations, start=1):
        owner[index.list(i)[1]] = number
    return owner


def make_rules(recipe: Recipe, learning: bool = False) -> _core.GuidedRules:
    """The rules of the search; the margin is used only in learning."""
    return _core.GuidedRules(recipe.own["beam"], recipe.own["direction"], recipe.own["tau"] if learning else 0)


# --- arrays ---


def pack(encoder: Encoder, weights: _core.GuidedWeights) -> Arrays:
    """Features and weights as arrays; weights of zero and features without weight are left out."""
    arrays = pack_vocabularies(encoder)
    words = weights.words
    pack_block(encoder, words, WORDS, words.get(WORDS)[0][np.newaxis], arrays)
    used, keys, begin, codes, w = weights.contexts.compact()
    renumber = np.full(encoder.frozen_index.rows(OBSERVATIONS), -1, np.int32)
    renumber[used] = np.arange(len(used), dtype=np.int32)
    pack_features(encoder, OBSERVATIONS, renumber, arrays)
    contexts: Arrays = {"keys": keys, "begin": begin, "codes": codes, "weights": w}
    return arrays | {f"contexts.{name}": array for name, array in contexts.items()}


def unpack_weights(
    arrays: AnyArrays, encoder: Encoder, layout: GuidedTemplates, label_set: LabelSet, constrain: bool
) -> _core.GuidedWeights:
    """The inverse of `pack`, for features that are unpacked. Every number is checked before native code sees it."""
    begin, codes = (array_of(arrays, f"{name}.{WORDS}", np.uint32) for name in ("begin", "codes"))
    w = array_of(arrays, f"weights.{WORDS}", np.float32)
    check_rows(encoder, WORDS, begin)
    check_features(encoder, OBSERVATIONS)
    starts, labels = (array_of(arrays, f"contexts.{name}", np.uint32) for name in ("begin", "codes"))
    beside = array_of(arrays, "contexts.weights", np.float32)
    check_weights(w, f"weights.{WORDS}")
    check_weights(beside, "contexts.weights")
    keys = array_of(arrays, "contexts.keys", np.uint64)
    with reading_model("weights"):
        words = _core.Weights(len(label_set.names), False, False)
        words.make_compact(WORDS, begin, codes)
        words.set(WORDS, w, np.zeros(0))
        weights = _join(encoder, layout, words, label_set)
        weights.contexts.load_compact(keys, starts, labels, beside)
        if constrain:  # last: pairs of labels need memory, and a damaged file should be refused before
            weights.words.constrain(*label_set.mask())
    return weights
