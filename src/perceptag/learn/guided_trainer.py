"""Training of models for bidirectional search: encodes the data and runs guided learning."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

import numpy as np

from perceptag import _core
from perceptag.dataset import Dataset, computed_columns, cut, make_dataset
from perceptag.encoder import Encoder, Ints
from perceptag.features import gazetteer
from perceptag.guided import WORDS, make_layout, make_rules, make_weights, pack
from perceptag.learn import early_update, guided
from perceptag.learn.linear import read_templates
from perceptag.learn.task import Task
from perceptag.linear import ClosedWords
from perceptag.model import Arrays
from perceptag.text.sentence import Sentence


class GuidedTrainer:
    """A `Trainer` for guided learning, and for early update with the same search."""

    def __init__(self, task: Task) -> None:
        self.task = task
        self.gazetteer = gazetteer.read_gazetteer(task.recipe.gazetteer)
        self.templates = read_templates(task)
        self.layout = make_layout(self.templates)
        self.encoder = Encoder(self.layout.encoded(), task.attributes)
        data = self._dataset(task.train)
        minimum = task.recipe.tag_dictionary
        self.closed = ClosedWords.learn(data.columns["form"], data.labels, minimum) if minimum else None
        labels = len(task.labelling.names)
        self.dictionary = _core.TagDictionary(self.closed.entries, labels) if self.closed else None
        corpus = self.encoder.encode_new(data.columns, data.begin, data.labels, self._find_closed(data))
        self.weights = make_weights(self.encoder, self.layout, corpus, task.labelling, task.recipe)
        self.rules = make_rules(task.recipe)
        self.active = corpus.active
        self.sequences = [corpus[i] for i in range(len(corpus))]
        self.dev = self._encode_dev(task.dev) if task.dev is not None else None

    def _dataset(self, sentences: Sequence[Sentence], labelled: bool = True) -> Dataset:
        extra = ["form"] if self.task.recipe.tag_dictionary else []
        labelling = self.task.labelling if labelled else None
        return make_dataset(sentences, [*self.encoder.columns, *extra], labelling, computed_columns(self.gazetteer))

    def _find_closed(self, data: Dataset) -> Ints:
        return self.closed.find(data.columns["form"]) if self.closed else np.zeros(0, np.int32)

    def _encode_dev(self, sentences: Sequence[Sentence]) -> tuple[_core.Corpus, Ints]:
        data = self._dataset(sentences, labelled=False)
        closed = self._find_closed(data)
        corpus = self.encoder.encode(data.columns, data.begin, closed=closed, threads=self.task.threads)
        return corpus, data.begin

    # --- one pass ---

    def learn_epoch(self, epoch: int) -> int:
        """Run one pass in the order of the file, or shuffled by seed and pass."""
        recipe = self.task.recipe
        order = range(len(self.sequences))
        if recipe.shuffle:
            order = np.random.default_rng([recipe.seed, epoch]).permutation(len(order)).tolist()
        sequences = (self.sequences[i] for i in order)
        search = _core.GuidedSearch(self.weights, make_rules(recipe, learning=True), self.dictionary)
        if recipe.aggressive:
            return guided.learn_epoch(self.weights, search, sequences)
        return early_update.learn_epoch(self.weights, search, sequences)

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
        labelling = self.task.labelling
        names = [labelling.names[y] for y in ids.tolist()]
        return [labelling.to_outer(labels) for labels in cut(names, begin)]

    # --- models and checkpoints ---

    def pack(self, kept: _core.GuidedWeights) -> tuple[Arrays, dict[str, Any]]:
        """Arrays and facts of a model with these weights."""
        facts: dict[str, Any] = {"kind": "guided", "templates": [str(t) for t in self.templates]}
        if self.closed:
            facts["closed"] = dataclasses.asdict(self.closed)
        if self.gazetteer.phrases:
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
