"""Passes over shards: each learns with weights of its own, on any number of threads, and the changes are mixed.

The result is a function of the data, the recipe and the number of shards. A part of a pass depends only on the
weights at the last mixing, and changes are summed exactly, so it does not matter who learns a part, or when.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from operator import itemgetter
from queue import SimpleQueue
from typing import Any, NamedTuple, Protocol

import numpy as np

from perceptag import _core
from perceptag.arrays import Floats, offsets
from perceptag.learn.costs import UNIT as UNIT_OF_REAL_STEPS
from perceptag.learn.learner import Errors
from perceptag.learn.shards import MIXES, UNIT, parts_of_pass, rule_now
from perceptag.models.task import Task
from perceptag.recipe.auto import are_mixed, number_of_shards
from perceptag.recipe.recipe import Recipe
from perceptag.text.documents import divide_documents, split_documents
from perceptag.text.sentence import Sentence


class LearnedExamples(NamedTuple):
    """What a part of a pass found besides the changes of local weights."""

    errors: Errors
    others: Any = None  # changes of weights that are not those of local features


LearnPart = Callable[[_core.Weights, Sequence[int]], LearnedExamples]  # weights of its own, and numbers of examples


class OtherWeights(Protocol):
    """Weights that are not those of local features."""

    w: Floats

    def mix(self, changes: Sequence[Any], rule: str, shards: int, ticks: float) -> None:
        """Move the weights by what all shards have changed, in order; `ticks`: the clock after the mixing."""


def mixed_passes(task: Task, weights: _core.Weights, corpus: _core.Corpus) -> MixedPasses | None:
    """The passes of a recipe with several shards that are mixed, else None."""
    recipe = task.recipe
    return MixedPasses(task, weights, corpus, number_of_shards(recipe)) if are_mixed(recipe) else None


def shards_of(train: Sequence[Sentence], unit: str, shards: int) -> list[int]:
    """The shard of each sequence; all sentences of a document are in the same one."""
    found: list[int] = []
    for shard, documents in enumerate(divide_documents(train, shards)):
        found += [shard] * (len(documents) if unit == "document" else sum(map(len, documents)))
    return found


def learns_documents(recipe: Recipe) -> bool:
    """Whether an example is a document of several sequences, which are learned one after the other."""
    return recipe.declaration.problem == "lists" and recipe.unit != "document"


class MixedPasses:
    """The passes of a trainer whose recipe has several shards. An example is a sequence, or a document of several."""

    def __init__(self, task: Task, weights: _core.Weights, corpus: _core.Corpus, shards: int) -> None:
        self.weights, self.shards = weights, shards
        self._recipe = task.recipe
        # Functions of users run in Python, and number their features in the order in which they are first seen.
        self._threads = 1 if task.functions else task.threads
        self._unit = UNIT_OF_REAL_STEPS if task.recipe.declaration.real_steps else UNIT
        shard_of = shards_of(task.train, task.recipe.unit, shards)
        self._free: SimpleQueue[_core.Weights] = SimpleQueue()
        lengths = [len(corpus[i]) for i in range(len(corpus))]
        groups = [[i] for i in range(len(corpus))]
        if learns_documents(task.recipe):
            borders = offsets([len(document) for document in split_documents(task.train)]).tolist()
            groups = [list(range(a, b)) for a, b in pairwise(borders)]
        self._lengths = [sum(lengths[i] for i in group) for group in groups]
        self.examples: list[list[int]] = [[] for _ in range(shards)]  # of each shard
        for example, group in enumerate(groups):
            self.examples[shard_of[group[0]]].append(example)
        self._presence = _core.Presence(weights, corpus, np.array(shard_of, np.int32), shards)

    def learn(
        self, epoch: int, mistakes: Sequence[int], learn_part: LearnPart, others: OtherWeights | None = None
    ) -> Errors:
        recipe, rule = self._recipe, rule_now(mistakes)
        seed = recipe.seed if recipe.shuffle else None
        parts = [parts_of_pass(own, seed, epoch, shard) for shard, own in enumerate(self.examples)]
        errors = Errors()
        try:
            with ThreadPoolExecutor(min(self._threads, self.shards)) as pool:
                self._make_workers(pool)
                for number in range(MIXES):
                    now = [shard[number] for shard in parts if shard[number]]
                    order = self._longest_first(now)
                    found = pool.map(lambda part: self._learn_part(part, learn_part), [now[i] for i in order])
                    done = [pair for _, pair in sorted(zip(order, found, strict=True), key=itemgetter(0))]
                    for learned, _ in done:
                        errors.add(learned.errors.sequences, learned.errors.labels)
                    self._mix([change for _, change in done], rule)
                    if others is not None:
                        others.mix([learned.others for learned, _ in done], rule, self.shards, self.weights.ticks)
        except BaseException:
            self.forget()  # a worker may have stopped in the middle of a part
            raise
        return errors

    def _longest_first(self, parts: list[list[int]]) -> list[int]:
        """Numbers of parts in an order in which threads wait little for each other at the end."""
        sizes = [sum(self._lengths[i] for i in part) for part in parts]
        return sorted(range(len(parts)), key=lambda k: -sizes[k])

    def _learn_part(self, part: Sequence[int], learn_part: LearnPart) -> tuple[LearnedExamples, _core.ShardChanges]:
        own = self._free.get()
        try:
            _core.start_part(own)
            learned = learn_part(own, part)
            return learned, _core.take_changes(own, self.weights)
        finally:
            self._free.put(own)

    def _mix(self, changes: list[_core.ShardChanges], rule: str) -> None:
        own = [self._free.get() for _ in range(self._free.qsize())]
        presence = self._presence if rule == "present" else None
        _core.mix(self.weights, changes, self.shards, self._unit, presence, own, self._threads)
        for one in own:
            self._free.put(one)

    def forget(self) -> None:
        """Make the weights of the workers again, because others have moved the weights."""
        self._free = SimpleQueue()

    def _make_workers(self, pool: ThreadPoolExecutor) -> None:
        """Give each thread weights that are those at the last mixing. They take long to copy, so they are kept."""
        missing = min(self._threads, self.shards) - self._free.qsize()
        for own in pool.map(_core.worker_weights, [self.weights] * missing):
            self._free.put(own)
