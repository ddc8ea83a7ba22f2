"""A ready model over rows of features: how it reads sentences, encodes and names features. Its kind adds the search."""

from __future__ import annotations

import copy
import threading
from abc import abstractmethod
from collections.abc import Callable, Container, Iterable, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import chain, pairwise
from typing import TYPE_CHECKING

from perceptag import _core
from perceptag.arrays import Ints, offsets
from perceptag.errors import reading_model
from perceptag.features.dataset import Dataset, SequenceReader, computed_columns
from perceptag.features.fixed_encoder import ComputedColumns, FixedEncoder
from perceptag.features.template import Template
from perceptag.labels.label_set import LabelWriter
from perceptag.models.linear.decoder import require_lattice
from perceptag.models.linear.feature_names import FeatureNames
from perceptag.models.linear.packing import (
    check_attributes,
    known_columns,
    model_closed_words,
    model_gazetteer,
    model_unit,
    unpack_features,
)
from perceptag.models.linear.span_packing import model_spans
from perceptag.models.list_memory import require_lists
from perceptag.models.model import Model
from perceptag.models.protocol import Attributes, Ranked, ReadyModel
from perceptag.text.sentence import Sentence

if TYPE_CHECKING:
    from perceptag.labels.given import Given
    from perceptag.models.margins import MarginsOfScores
    from perceptag.models.model_classes import KnownClasses
    from perceptag.models.span_rules import RuleSearches


class FeatureModel(ReadyModel):
    """What linear, maximum-entropy and bidirectional models have in common: features and their names."""

    def __init__(self, model: Model, attributes: Attributes | None, templates: Sequence[Template]) -> None:
        classes = _classes_of(model)
        known = {**(attributes or {}), **(classes.attributes() if classes else {})}
        spans = model_spans(model, known_columns(model))
        fields = [*(f for t in templates for f in t.fields), *(spans.fields if spans else ())]
        check_attributes(fields, model.recipe.attributes, known)
        self.model = model
        features = unpack_features(model.arrays, templates, known, spans)
        lists = model_gazetteer(model)
        computed = computed_columns(lists)
        native = ComputedColumns([c for c in features.columns if c in computed], lists)
        self.encoder = FixedEncoder(features, model_closed_words(model), len(model.label_set.names), native)
        self.reader = SequenceReader(self.encoder.columns, computed, model_unit(model), is_native=True)
        self.unpack_weights()
        with reading_model("labels"):
            self.label_writer = LabelWriter(model.label_set)
        self._names: FeatureNames | None = None
        self._lock = threading.Lock()

    @abstractmethod
    def unpack_weights(self) -> None:
        """Make and check the weights, once the features are there.

        Tables of pairs of labels are made only after this: a small file can claim many labels, but not their weights.
        """

    @abstractmethod
    def label_ids(self, sentences: Sequence[Sentence], threads: int = 1) -> Ints:
        """The ids of the labels of all tokens."""

    def tag(self, sentences: Sequence[Sentence], threads: int = 1) -> list[list[str]]:
        return self.label_writer(self.label_ids(sentences, threads), offsets([len(s) for s in sentences]))

    # --- with labels that are given ---

    def tag_given(self, sentences: Sequence[Sentence], given: Sequence[Given], threads: int = 1) -> list[list[str]]:
        from perceptag.models.given import tag_given  # few users need it: tagging starts without it

        return tag_given(self, sentences, given, threads)

    def restricted(self, allowed: Sequence[str], with_words: bool) -> FeatureModel:
        """The same model, restricted to the labels in a column of the sentences.

        `allowed` lists the values of that column.
        """
        from perceptag.features.fixed_encoder import RestrictedEncoder

        model = copy.copy(self)
        model.encoder = RestrictedEncoder(self.encoder, allowed, len(self.model.label_set.names), with_words)
        model.reader = replace(self.reader, columns=model.encoder.columns)
        return model

    def total_score(self, sentences: Sequence[Sentence], ids: Ints) -> float:
        """The score of a labelling, by which the search compares labellings."""
        data = self.reader.read(sentences)
        corpus, parts = self.encoder.encode(data.columns, data.units), pairwise(data.units.tolist())
        return sum(self.score_of(corpus[i], _core.Labels(ids[a:b])) for i, (a, b) in enumerate(parts))

    def score_of(self, x: _core.Sequence, labels: _core.Labels) -> float:  # noqa: ARG002
        """The score of a labelling of one sequence; 0 if the search does not look for the highest score."""
        return 0.0

    # --- under rules ---

    @cached_property
    def rule_searches(self) -> RuleSearches:
        """What makes searches under rules."""
        from perceptag.models.span_rules import RuleSearches  # tagging without rules starts without it

        return RuleSearches(self.model)

    @cached_property
    def to_margins(self) -> MarginsOfScores:
        """What turns scores into margins."""
        from perceptag.models.margins import MarginsOfScores

        return MarginsOfScores(self.model.label_set)

    @property
    def feature_names(self) -> FeatureNames:
        """The names of all features, made when they are first needed."""
        with self._lock:
            if self._names is None:
                self._names = FeatureNames(self.encoder.base)
            return self._names

    def input_columns(self) -> list[str]:
        """The columns of the training data that it needs; tokens are always among them."""
        label = self.model.label_set.column
        return [c for c in self.model.columns if c != label and (c in self.reader.columns or c == "form")]

    def known_words(self) -> Container[str] | None:
        """The words of the training data, or None if the model has no features of whole words."""
        slot = self.encoder.base.slots.get("form", {}).get(())
        return None if slot is None else self.encoder.base.vocabularies["form"][slot]

    def ranked(
        self,
        sentences: Sequence[Sentence],
        n: int,
        weights: _core.Weights,
        search: Callable[[_core.Corpus, Dataset], list[_core.NBest]],
    ) -> list[Ranked]:
        """The n best labellings, with scores, that a search finds for each sequence."""
        data = self.reader.read(sentences)
        require_lattice(weights, data.units)
        require_lists(n, weights.labels, data.units)
        lists = search(self.encoder.encode(data.columns, data.units), data)
        sequences = self.reader.sequences(sentences)
        return [
            self.with_scores(sequence, best.labels, best.scores.tolist())
            for sequence, best in zip(sequences, lists, strict=True)
        ]

    def with_scores(self, sequence: Sequence[Sentence], labellings: Iterable[Ints], scores: Sequence[float]) -> Ranked:
        """Labellings of a sequence, given as label ids, with their scores."""
        begin = offsets([len(s) for s in sequence])
        labels = (list(chain(*self.label_writer(ids, begin))) for ids in labellings)
        return list(zip(labels, scores, strict=True))


def _classes_of(model: Model) -> KnownClasses | None:
    if model.facts.get("classes") is None:
        return None
    from perceptag.models.model_classes import model_classes  # most models have none, and start without it

    return model_classes(model)
