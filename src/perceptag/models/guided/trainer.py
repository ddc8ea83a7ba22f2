"""Training of models for bidirectional search: runs guided learning.

If it continues from an earlier model, rows of the feature index stay; templates and labels and their contexts are
numbered again.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from perceptag import _core
from perceptag.arrays import Ints
from perceptag.labels.label_set import LabelWriter
from perceptag.learn.learner import pass_order
from perceptag.models.guided.model import WORDS, GuidedTemplates, make_layout, make_rules, make_weights, pack
from perceptag.models.guided.tagger import GuidedTagger
from perceptag.models.linear.encoded_task import EncodedTask, read_templates
from perceptag.models.linear.packing import model_templates
from perceptag.models.linear.starting_weights import StartingWeights, label_map
from perceptag.models.model import AnyArrays, Arrays, array_of, check_size, reals, ticks
from perceptag.models.task import Task
from perceptag.models.trainer import Trainer, check_kind, run_loop


class GuidedTrainer(Trainer[_core.GuidedWeights]):
    """A `Trainer` for guided learning, and for early update with the same search."""

    def __init__(self, task: Task) -> None:
        check_kind(task, "guided")
        self.task = task
        self.templates = read_templates(task)
        self.layout = make_layout(self.templates)
        earlier = earlier_guided(task, self.layout)
        words = earlier.words if earlier else None
        data = EncodedTask(task, self.layout.encoded(), words.encoder if words else None)
        self.data = data
        self.encoder, self.dictionary = data.encoder, data.dictionary
        self.weights = make_weights(self.encoder, self.layout, data.corpus, task.label_set, task.recipe, words)
        if earlier:
            earlier.set_contexts(self.weights.contexts)
        self.rules = make_rules(task.recipe)
        self.active = data.corpus.active
        self.sequences = data.sequences()
        self.dev = data.encode_dev()

    # --- one pass ---

    def learn_epoch(self, epoch: int) -> int:
        """Run one pass in the order of the file, or shuffled by seed and pass."""
        recipe = self.task.recipe
        order = pass_order(len(self.sequences), epoch, recipe.shuffle, recipe.seed)
        sequences = (self.sequences[i] for i in order)
        search = _core.GuidedSearch(self.weights, make_rules(recipe, learning=True), self.dictionary)
        return run_loop(recipe, self.weights, search, sequences).sequences

    def has_converged(self) -> bool:
        """Never by itself: the number of passes ends the training."""
        return False

    def current(self) -> _core.GuidedWeights:
        return self.weights

    def snapshot(self, weights: str) -> _core.GuidedWeights:
        """Averaged weights or a copy of the last ones."""
        if weights == "averaged":
            return self.weights.averaged(self.active)
        return self.weights.frozen()

    def tag_dev(self, snapshot: _core.GuidedWeights) -> list[list[str]]:
        assert self.dev is not None
        corpus, begin = self.dev
        ids = _core.guided_decode(snapshot, self.rules, corpus, self.dictionary, self.task.threads)
        return LabelWriter(self.task.label_set)(ids, begin)

    # --- models and checkpoints ---

    def pack(self, snapshot: _core.GuidedWeights) -> tuple[Arrays, dict[str, Any]]:
        facts = {"kind": "guided", "templates": [str(t) for t in self.templates]}
        return pack(self.encoder, snapshot), facts | self.data.facts()

    def state(self) -> Arrays:
        """Weights, their sums and the clock."""
        return {"ticks": np.array([self.weights.words.ticks]), **_to_arrays(self.weights)}

    def restore(self, state: Arrays) -> None:
        for part in ("words", "contexts"):
            reals(state, f"{part}.sum", len(array_of(state, f"{part}.w", np.float32)))
        _from_arrays(self.weights, state)
        self.weights.words.ticks = ticks(state)

    def snapshot_arrays(self, snapshot: _core.GuidedWeights) -> Arrays:
        return _to_arrays(snapshot)

    def restore_snapshot(self, arrays: AnyArrays) -> _core.GuidedWeights:
        weights = self.weights.frozen()
        _from_arrays(weights, arrays)
        return weights


def _to_arrays(weights: _core.GuidedWeights) -> Arrays:
    words, contexts = weights.words.get(WORDS), weights.contexts.get()
    names = ("words.w", "words.sum", "contexts.keys", "contexts.w", "contexts.sum")
    return dict(zip(names, (*words, *contexts), strict=True))


def _from_arrays(weights: _core.GuidedWeights, arrays: AnyArrays) -> None:
    for part in ("words", "contexts"):
        check_size(array_of(arrays, f"{part}.w", np.float32), f"{part}.w")
    weights.words.set(WORDS, arrays["words.w"], arrays["words.sum"])
    weights.contexts.load_dense(arrays["contexts.keys"], arrays["contexts.w"], arrays["contexts.sum"])


@dataclass(frozen=True, slots=True)
class StartingGuided:
    """The features and weights that a run takes from an earlier model."""

    words: StartingWeights
    contexts: _core.ContextWeights
    templates: Ints  # earlier number of a label context -> number now

    def set_contexts(self, contexts: _core.ContextWeights) -> None:
        """Give label contexts of the earlier model the weights that they have there."""
        contexts.take_over(self.contexts, self.templates, self.words.labels[:-1])


def earlier_guided(task: Task, layout: GuidedTemplates) -> StartingGuided | None:
    """Features and weights of the earlier model."""
    if task.start is None:
        return None
    guided = GuidedTagger(task.start, task.attributes)
    labels = label_map(task.start.label_set, task.label_set)
    words = StartingWeights(guided.encoder.base, guided.weights.words, labels)
    places = {t: i for i, t in enumerate(layout.contexts)}
    before = make_layout(model_templates(task.start)).contexts
    return StartingGuided(words, guided.weights.contexts, np.array([places[t] for t in before], np.int32))
