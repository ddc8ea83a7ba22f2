"""Training of models for bidirectional search: encodes the data and runs guided learning."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

import numpy as np

from perceptag import _core
from perceptag.dataset import Dataset, computed_columns, document_begins, make_dataset
from perceptag.encoder import Encoder, Ints
from perceptag.guided import WORDS, make_layout, make_rules, make_weights, pack
from perceptag.learn import early_update, guided
from perceptag.learn.linear import make_gazetteer, pass_order, read_templates
from perceptag.learn.task import Task
from perceptag.linear import ClosedWords
from perceptag.model import Arrays
from perceptag.outer_labels import OuterLabels
from perceptag.text.sentence import Sentence


class GuidedTrainer:
    """A `Trainer` for guided learning, and for early update with the same search."""

    def __init__(self, task: Task) -> None:
        self.task = task
        self.gazetteer = make_gazetteer(task)
        self.templates = read_templates(task)
        self.layout = make_layout(self.templates)
        self.encoder = Encoder(self.layout.encoded(), task.attributes)
        data = self._dataset(task.train, training=True)
        minimum = task.recipe.tag_dictionary
        self.closed = ClosedWords.learn(data.columns["form"], data.labels, minimum) if minimum else None
        labels = len(task.labelling.names)
        self.dictionary = _core.TagDictionary(self.closed.entries, labels) if self.closed else None
        corpus = self.encoder.encode_new(
            data.columns, self._units(data, task.train), data.labels, self._find_closed(data)
        )
        self.weights = make_weights(self.encoder, self.layout, corpus, task.labelling, task.recipe)
        self.rules = make_rules(task.recipe)
        self.active = corpus.active
        self.sequences = [corpus[i] for i in range(len(corpus))]
        self.dev = self._encode_dev(task.dev) if task.dev is not None else None

    def _dataset(self, sentences: Sequence[Sentence], training: bool = False) -> Dataset:
        extra = ["form"] if self.task.recipe.tag_dictionary else []
        labelling = self.task.labelling if training else None
        computed = computed_columns(self.gazetteer, training)
        return make_dataset(sentences, [*self.encoder.columns, *extra], labelling, computed)

    def _units(self, data: Dataset, sentences: Sequence[Sentence]) -> Ints:
        return document_begins(sentences) if self.task.recipe.unit == "document" else data.begin

    def _find_closed(self, data: Dataset) -> Ints:
        return self.closed.find(data.columns["form"]) if self.closed else np.zeros(0, np.int32)

    def _encode_dev(self, sentences: Sequence[Sentence]) -> tuple[_core.Corpus, Ints]:
        data = self._dataset(sentences)
        closed, begin = self._find_closed(data), self._units(data, sentences)
        return self.encoder.encode(data.columns, begin, closed=closed, threads=self.task.threads), data.begin

    # --- one pass ---

    def learn_epoch(self, epoch: int) -> int:
        """Run one pass in the order of the file, or shuffled by seed and pass."""
        recipe = self.task.recipe
        if epoch > 1 and epoch == recipe.average_from:
            self._start_average()
        sequences = (self.sequences[i] for i in pass_order(recipe, len(self.sequences), epoch))
        search = _core.GuidedSearch(self.weights, make_rules(recipe, learning=True), self.dictionary)
        if recipe.aggressive:
            return guided.learn_epoch(self.weights, search, sequences)
        return early_update.learn_epoch(self.weights, search, sequences)

    def _start_average(self) -> None:
        """Forget the passes before the first that counts in the average."""
        arrays = _to_arrays(self.weights)
        sums = {name: np.zeros_like(array) for name, array in arrays.items() if name.endswith(".sum")}
        _from_arrays(self.weights, arrays | sums)
        self.weights.words.ticks = 0

    def has_converged(self) -> bool:
        """Never by itself: passes and patience end the training."""
        return False

    def last(self) -> _core.GuidedWeights:
        """The weights as they stand."""
        return self.weights

    def kept(self) -> _core.GuidedWeights:
        """Averaged weights or a copy of the last ones, as the recipe says."""
        if self.task.recipe.weights == "averaged":
            return self.weights.averaged(self.active)
        return self.weights.frozen()

    def tag_dev(self, kept: _core.GuidedWeights) -> list[list[str]]:
        """Labels of the dev sentences."""
        assert self.dev is not None
        corpus, begin = self.dev
        ids = _core.guided_decode(kept, self.rules, corpus, self.dictionary, self.task.threads)
        return OuterLabels(self.task.labelling)(ids, begin)

    # --- models and checkpoints ---

    def pack(self, kept: _core.GuidedWeights) -> tuple[Arrays, dict[str, Any]]:
        """Arrays and facts of a model with these weights."""
        facts: dict[str, Any] = {
            "kind": "guided",
            "unit": self.task.recipe.unit,
            "templates": [str(t) for t in self.templates],
        }
        if self.closed:
            facts["closed"] = dataclasses.asdict(self.closed)
        if self.gazetteer is not None:
            facts["gazetteer"] = self.gazetteer.to_dict()
        return pack(self.encoder, self.layout, kept), facts

    def state(self) -> Arrays:
        """Weights, their sums and the clock."""
        return {"ticks": np.array([self.weights.words.ticks]), **_to_arrays(self.weights)}

    def restore(self, state: Arrays) -> None:
        """Go on from a checkpoint."""
        _from_arrays(self.weights, state)
        self.weights.words.ticks = float(state["ticks"][0])

    def kept_arrays(self, kept: _core.GuidedWeights) -> Arrays:
        """Kept weights as arrays, for a checkpoint."""
        return _to_arrays(kept)

    def restore_kept(self, arrays: Arrays) -> _core.GuidedWeights:
        """The inverse of `kept_arrays`."""
        weights = self.weights.frozen()
        _from_arrays(weights, arrays)
        return weights


def _to_arrays(weights: _core.GuidedWeights) -> Arrays:
    words, contexts = weights.words.get(WORDS), weights.contexts.get()
    names = ("words.w", "words.sum", "contexts.keys", "contexts.w", "contexts.sum")
    return dict(zip(names, (*words, *contexts), strict=True))


def _from_arrays(weights: _core.GuidedWeights, arrays: Arrays) -> None:
    weights.words.set(WORDS, arrays["words.w"], arrays["words.sum"])
    weights.contexts.load_dense(arrays["contexts.keys"], arrays["contexts.w"], arrays["contexts.sum"])
