"""Worker for training: reads parts, surveys shards and learns from them.

What a method returns depends on its arguments alone, so any worker may be asked anything, any number of times. What
it has made before is found again on the disk, or in memory.
"""

from __future__ import annotations

import os
import socket
from collections.abc import Hashable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np

from perceptag import _core
from perceptag.arrays import Floats, Ints, ranges
from perceptag.cluster.memory_share import WorkerMemory
from perceptag.cluster.model_plan import Lists, ModelPlan, Values, Vocabulary, Whole, load_index
from perceptag.cluster.part_data import PartColumns, PartData, PartFacts, facts_of, get_part
from perceptag.cluster.part_learning import ShardPart, learn_documents, learn_sequences
from perceptag.cluster.shard_data import ShardData, load_shard
from perceptag.cluster.shard_features import (
    Numbering,
    ShardFeatures,
    find_chunks,
    marks_of_shard,
    most_active,
    survey_features,
    write_shard,
)
from perceptag.cluster.shard_labels import ShardLabels, survey_labels
from perceptag.cluster.shared import Shared, SharedByKey, make_scratch, remove_scratch, whole_folder
from perceptag.cluster.sources import Source
from perceptag.cluster.units import Shard
from perceptag.features.gazetteer import Chunks, Gazetteer
from perceptag.labels.label_set import LabelSet
from perceptag.learn.learner import Errors, permutation
from perceptag.learn.shards import MIXES
from perceptag.models.document.global_weights import GlobalChanges
from perceptag.models.lbfgs import Vector
from perceptag.models.linear.blocks import BLOCKS
from perceptag.recipe.recipe import Recipe
from perceptag.system.memory import available


@dataclass(frozen=True, slots=True)
class Job:
    """What all workers of a run know from the beginning."""

    root: Path  # of the scratch files
    source: Source
    wanted: PartColumns


@dataclass(frozen=True, slots=True)
class Turn:
    """A part of a pass."""

    epoch: int
    number: int  # of the part
    mixing: int  # the number of the mixing whose weights it starts from


@dataclass(frozen=True, slots=True)
class LearnedPart:
    """What a part of a pass did."""

    errors: Errors
    changes: _core.ShardChanges
    others: GlobalChanges | None = None  # of the weights of non-local features


@dataclass(frozen=True, slots=True)
class ShardGradient:
    """The log-likelihood of a shard, its wrong sequences, and its gradient: without the gold counts, or these alone."""

    value: float
    wrong: int
    gradient: Vector


@dataclass(slots=True)
class Standing:
    """The weights of a worker."""

    mixing: int
    start: _core.Weights  # as that mixing left them
    own: _core.Weights  # for the shards to move


class ShardWorker:
    """One worker."""

    def __init__(self, job: Job) -> None:
        self._job = job
        self._held = SharedByKey()
        self._standing: Standing | None = None
        self._evaluated: tuple[int, _core.Weights] | None = None  # the number of an evaluation, and its weights
        self._orders: dict[int, tuple[int, Ints]] = {}  # by shard: the pass, and the order of the sequences
        make_scratch(job.root)

    # --- before the first pass ---

    def survey_part(self, number: int) -> PartFacts:
        """Read a part."""
        return facts_of(self._part(number))

    def survey_labels(self, shard: Shard, schemes: LabelSet, forms: str, find_broken: bool) -> ShardLabels:
        """Look at the labels of a shard."""
        return survey_labels(shard, self._part, self._job.source, schemes, forms, find_broken)

    def find_chunks(self, shard: Shard, label_set: LabelSet, words: str) -> Chunks:
        """Find the chunks of a shard, for a list of phrases."""
        return find_chunks(shard, self._part, self._job.source, label_set, words)

    def mark_chunks(self, shard: Shard, lists: Shared[Gazetteer], column: str, words: str) -> list[Hashable]:
        """Look at what the lists mark in a shard, for one column of marks."""
        return marks_of_shard(shard, self._part, self._held.own(lists).get(), column, words)

    def survey_features(self, shard: Shard, vocabulary: Shared[Vocabulary]) -> ShardFeatures:
        """Look at the features of a shard."""
        numbering = self._numbering(vocabulary)
        data = self._shard(shard, numbering)
        return survey_features(data, numbering.encoder, len(numbering.label_set.names))

    def most_active(self, shard: Shard, vocabulary: Shared[Vocabulary], features: Shared[Lists]) -> int:
        """The largest number of features at one token."""
        numbering = self._with_features(vocabulary, features)
        return most_active(self._shard(shard, numbering), numbering.encoder)

    def memory(self) -> WorkerMemory:
        """What is available to this worker and others of its machine."""
        return WorkerMemory(socket.gethostname(), os.getpid(), available())

    def tidy(self) -> None:
        """Delete the scratch files of this machine."""
        remove_scratch(self._job.root)

    # --- passes ---

    def learn(
        self,
        shard: Shard,
        turn: Turn,
        vocabulary: Shared[Vocabulary],
        features: Shared[Lists],
        plan: Shared[ModelPlan],
        values: Shared[Values] | None,
        others: Shared[Floats] | None,
        whole: Shared[Whole] | None,
    ) -> LearnedPart | None:
        """Learn from a part of a shard; None if this worker needs all weights first.

        `values`: what the mixing has changed. `others`: weights of non-local features. `whole`: all others after it.
        """
        numbering, model = self._with_features(vocabulary, features), self._held.own(plan).get()
        standing = self._catch_up(turn.mixing, model, values, whole)
        if standing is None:
            return None
        self._standing = None  # until this has gone well
        data = self._shard(shard, numbering)
        _core.start_part(standing.own)
        examples = data.begin if others is None else data.documents
        numbers = self._numbers(shard, turn, model.recipe, len(examples) - 1)
        first = shard.first_unit if model.recipe.unit == "document" else shard.first_sentence
        part = ShardPart(data, numbers, numbering, model.recipe, turn.epoch, first)
        if others is None:
            learned = learn_sequences(part, standing.own)
        else:
            nonlocal_ = self._held.own(plan).made(ModelPlan.nonlocal_features)
            learned = learn_documents(part, standing.own, nonlocal_, others.get())
        changes = _core.take_changes(standing.own, standing.start)
        self._standing = standing
        return LearnedPart(learned.errors, changes, learned.others)

    def _numbers(self, shard: Shard, turn: Turn, recipe: Recipe, examples: int) -> Ints:
        """The examples of this part of the pass, as `parts_of_pass` has them."""
        epoch, order = self._orders.get(shard.number, (0, np.zeros(0, np.int32)))
        if epoch != turn.epoch:
            order = np.arange(examples, dtype=np.int32)
            if recipe.shuffle:
                order = permutation(examples, recipe.seed, turn.epoch, shard.number + 1).astype(np.int32)
            self._orders[shard.number] = turn.epoch, order
        part = ranges(examples, MIXES)[turn.number]
        return order[part.start : part.stop]

    def _catch_up(
        self, mixing: int, model: ModelPlan, values: Shared[Values] | None, whole: Shared[Whole] | None
    ) -> Standing | None:
        """Bring the weights to a mixing: they are there, one behind, or made from all weights."""
        now = self._standing
        if now is not None and now.mixing == mixing:
            return now
        if now is not None and now.mixing == mixing - 1 and values is not None:
            for weights in (now.start, now.own):
                _core.put_values(weights, values.get())
            now.mixing = mixing
            return now
        if whole is None:
            return None
        start = _filled(model.layout.make(), whole.get())
        return Standing(mixing, start, _core.worker_weights(start))

    # --- gradients ---

    def differentiate(
        self,
        shard: Shard,
        number: int,
        vocabulary: Shared[Vocabulary],
        features: Shared[Lists],
        plan: Shared[ModelPlan],
        whole: Shared[Whole],
        is_gold: bool,
    ) -> ShardGradient:
        """The likelihood of a shard under all weights, `whole`, and what it subtracts from the gold counts.

        With `is_gold`: the gold counts alone. The feature rows, which take much memory, are gone at the end.
        """
        numbering, model = self._with_features(vocabulary, features), self._held.own(plan).get()
        if self._evaluated is None or self._evaluated[0] != number:
            self._evaluated = number, _filled(model.layout.make(), whole.get())
        weights, data = self._evaluated[1], self._shard(shard, numbering)
        encoder = numbering.encoder
        corpus = _core.encode(encoder.frozen_index, encoder.tables(), *data.block(0, len(data.begin) - 1))
        likelihood = _core.Likelihood(weights, corpus, numbering.dictionary)
        if is_gold:
            return ShardGradient(0.0, 0, likelihood.gold())
        return ShardGradient(*likelihood.evaluate(weights, gold=False))

    # --- what is made once ---

    def _part(self, number: int) -> PartData:
        return get_part(self._job.root, self._job.source, number, self._job.wanted)

    def _numbering(self, vocabulary: Shared[Vocabulary]) -> Numbering:
        found: Numbering = self._held.own(vocabulary).made(Vocabulary.numbering)
        return found

    def _with_features(self, vocabulary: Shared[Vocabulary], features: Shared[Lists]) -> Numbering:
        numbering = self._numbering(vocabulary)
        self._held.own(features).made(partial(load_index, numbering))
        return numbering

    def _shard(self, shard: Shard, numbering: Numbering) -> ShardData:
        """The numbers of a shard: those on the disk, or else made and kept there."""
        folder = self._job.root / f"shard-{shard.number}"
        if not folder.is_dir():
            with whole_folder(folder) as made:
                write_shard(made, shard, self._part, self._job.source, numbering)
        return load_shard(folder, len(numbering.encoder.columns))


def _filled(weights: _core.Weights, whole: Whole) -> _core.Weights:
    for block, w in zip(BLOCKS, whole, strict=True):
        weights.set(block, w, np.zeros(len(w)))
    return weights
