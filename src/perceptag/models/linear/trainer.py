"""Training of linear models over a lattice: runs the loop of the learner that the recipe names."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, Protocol

import numpy as np

from perceptag import _core
from perceptag.errors import SettingError, brief
from perceptag.labels.label_parts import parts_of
from perceptag.labels.label_set import LabelWriter
from perceptag.learn import bpm, voted
from perceptag.learn.latent import Latent
from perceptag.learn.learner import Errors, Pass, State, pass_order, shuffled
from perceptag.learn.stopping import has_converged
from perceptag.models.linear.decoder import vote
from perceptag.models.linear.dropout import Dropout
from perceptag.models.linear.encoded_task import LOCAL, EncodedTask, TaskEncoding, earlier_linear, read_templates
from perceptag.models.linear.mixing import LearnedExamples, LearnPart, OtherWeights, mixed_passes
from perceptag.models.linear.orders import ordered_passes
from perceptag.models.linear.packing import pack
from perceptag.models.linear.vectors import has_many_zeros, pack_vectors, pack_weights, restore_vectors, restore_weights
from perceptag.models.linear.weights import make_weights
from perceptag.models.model import AnyArrays, Arrays, reals, wholes
from perceptag.models.task import Task
from perceptag.models.trainer import Trainer, check_kind, run_loop
from perceptag.recipe.common_settings import SETTINGS
from perceptag.recipe.recipe import uses

Vectors = list[_core.Weights]  # one weight vector, or several that vote


class Passes(Protocol):
    """Runs passes that are not the loop over all sequences."""

    def learn(
        self, epoch: int, mistakes: Sequence[int], learn_part: LearnPart, others: OtherWeights | None = None
    ) -> Errors:
        """Run one pass; `mistakes`: those of the passes before, `others`: weights that shards learn too."""

    def forget(self) -> None:
        """Others have moved the weights."""


@dataclass(frozen=True, slots=True)
class LinearParts:
    """What a `LinearTrainer` works on. Other processes may hold the data: then there are passes, but no sequences."""

    encoding: TaskEncoding
    weights: _core.Weights
    active: int  # the largest number of features that are active at a token
    passes: Passes | None
    corpus: _core.Corpus | None = None
    latent: dict[int, Latent] = field(default_factory=dict)  # sequences that lack labels, by number


def encode_parts(
    task: Task, kinds: Sequence[str] = LOCAL, is_constrained: bool = True, encode: type[EncodedTask] = EncodedTask
) -> LinearParts:
    """Encode the data of a task, and make its weights.

    `kinds`: those of models that training may continue from. With `is_constrained`, weights of transitions that the
    scheme forbids are minus infinity, if the recipe asks for it.
    """
    check_kind(task, *kinds)
    templates, earlier = read_templates(task), earlier_linear(task)
    data = encode(task, templates, earlier.encoder if earlier else None)
    labels = len(task.label_set.names)
    parts = parts_of(task.label_set.names, task.recipe.labels_parts, task.recipe.labels_pairs)
    weights = make_weights(data.encoder, data.corpus, labels, task.recipe, earlier, task.threads, parts)
    if data.span_labels is not None:
        weights.make_spans(*data.span_labels, data.encoder.frozen_index.span_rows)
        if earlier:
            earlier.set_spans(weights, task.label_set)
    if is_constrained and task.recipe.constrain:
        weights.constrain(*task.label_set.mask())
    passes = mixed_passes(task, weights, data.corpus)
    return LinearParts(data, weights, data.corpus.active, passes, data.corpus, data.latent())


def check_units(task: Task, setting: str, model: str, unused: Sequence[str]) -> None:
    """Refuse learners that do not fit models of other units than words, and settings that would have no effect."""
    recipe = task.recipe
    if recipe.declaration.kind != "linear" or recipe.declaration.epoch is None:
        raise SettingError(
            f"learner {recipe.learner!r}: {setting} needs a learner of linear models that has a loop; expected one "
            "such as margin, perceptron, pa or mira"
        )
    if recipe.weights == "voted":
        raise SettingError(f"weights: {setting}: expected averaged, last or best, found 'voted'")
    for name in unused:
        if getattr(recipe, name) != SETTINGS[name].default:
            raise SettingError(f"{SETTINGS[name].key}: {model} ({setting}) does not use it")


class LinearTrainer(Trainer[Vectors]):
    """A `Trainer` for learners whose models are weights of local features. It makes its parts unless they are given."""

    has_amounts = False  # whether features of the training data are numbers
    scores_at_once = True
    _condensed: _core.Weights | None = None  # the weights after the last pass without zeros, once wanted

    def __init__(self, task: Task, parts: LinearParts | None = None) -> None:
        made = parts or encode_parts(task)
        self.task = task
        self.data, self.weights, self.active, self.mixed = made.encoding, made.weights, made.active, made.passes
        self.templates = self.data.templates
        self.encoder, self.dictionary = self.data.encoder, self.data.dictionary
        self.learner = task.recipe.declaration
        self.learner_state = self._make_state()
        self._corpus, self.sequences = made.corpus, list[_core.Sequence]()
        if made.corpus is not None:
            self.has_amounts = made.corpus.has_amounts
            self.sequences = [made.corpus[i] for i in range(len(made.corpus))]
        self.learned = self.sequences  # what a pass learns from: all features of them, or some
        self.orders = ordered_passes(task.recipe, self.weights, task.threads)
        self.snapshots: Vectors = []
        self.wrong_labels: list[int] = []  # in each pass so far
        self._latent = made.latent
        self.latent = {id(self.sequences[i]): latent for i, latent in made.latent.items()}
        self.dev = self.data.encode_dev()

    @property
    def corpus(self) -> _core.Corpus:
        """The encoded training data, unless other processes hold it."""
        assert self._corpus is not None
        return self._corpus

    @property
    def L(self) -> int:
        """The number of labels."""
        return len(self.task.label_set.names)

    # --- one pass ---

    def learn_epoch(self, epoch: int) -> int:
        """Run one pass of the learner that the recipe names."""
        self._condensed = None
        self.leave_out(epoch)
        if epoch == 1 and self.runs and not self.task.start:
            bpm.start(self.weights, self.runs, self._run_shuffled)
        if self.mixed:
            errors = self.mixed.learn(epoch, self.wrong_labels, partial(self._learn_part, epoch))
        elif self.orders:
            errors = self.orders.learn(partial(self._learn_order, epoch))
        else:
            errors = self._learn_order(epoch, 0, self.weights)
        self.wrong_labels.append(errors.labels)
        return errors.sequences

    def leave_out(self, epoch: int) -> None:
        """Leave out some features of the sequences that the next pass learns from, if the recipe asks for it.

        Missing labels are still filled in by the best labelling under all features. Where other processes hold the
        data, they leave out the same.
        """
        leaving = Dropout.of(self.task.recipe, epoch)
        if leaving and self._corpus is not None:
            corpus = leaving(self._corpus, threads=self.task.threads)
            self.learned = [corpus[i] for i in range(len(corpus))]
            self.latent = {id(self.learned[i]): latent for i, latent in self._latent.items()}

    def _pass(self, order: Sequence[int], epoch: int, step: float) -> Pass:
        sequences = [self.learned[i] for i in order]
        seen = (epoch - 1) * len(sequences)
        state = self.learner_state
        return Pass(self.weights, sequences, self.dictionary, epoch, seen, step, state, latent=self.latent)

    def _learn_part(self, epoch: int, weights: _core.Weights, part: Sequence[int]) -> LearnedExamples:
        """A part of a pass, with weights of its own."""
        return LearnedExamples(self._run(replace(self._pass(part, epoch, self.step), weights=weights)))

    def _learn_order(self, epoch: int, number: int, weights: _core.Weights) -> Errors:
        """A pass in one of several orders."""
        recipe = self.task.recipe
        order = pass_order(len(self.sequences), epoch, recipe.shuffle, recipe.seed, number)
        return self._learn_part(epoch, weights, order).errors

    def _run_shuffled(self, run: int) -> None:
        """One of the runs whose sum training starts from."""
        this = self._pass(shuffled(len(self.sequences), self.task.recipe.seed, -1 - run), epoch=1, step=1.0)
        self._run(replace(this, state=self._make_state()))

    def _run(self, this: Pass) -> Errors:
        recipe, before = self.task.recipe, this.weights.ticks

        def learn(part: Pass) -> Errors:
            return run_loop(recipe, part, step=part.step, native=not part.latent)

        if recipe.weights == "voted":
            every = -(-len(this.sequences) * recipe.epochs // voted.SNAPSHOTS)  # rounded up: never more of them
            return voted.learn_epoch(learn, this, self.snapshots, every)
        errors = learn(this)
        if this.weights.ticks == before:
            raise SettingError(
                f"learner {self.learner.name!r}: its loop: expected a call of weights.tick() for every sequence, since "
                "the average counts them, found none"
            )
        return errors

    def _make_state(self) -> State | None:
        """The learner's state besides the weights, before the first pass."""
        make = self.learner.state
        if make is None:
            return None
        made = make(self.weights, **self.learner.arguments(make, self.task.recipe.own))
        if not (hasattr(made, "arrays") and hasattr(made, "restore")):
            raise SettingError(
                f"learner {self.learner.name!r}: state: expected an object with arrays() and restore(), "
                f"found {brief(made)}"
            )
        return made

    @property
    def runs(self) -> int:
        """The number of runs whose sum training starts from."""
        recipe = self.task.recipe
        return int(recipe.own["bpm"]) if uses(recipe, "bpm") else 0

    @property
    def step(self) -> float:
        """The size of an update: the number of runs whose sum training starts from."""
        return float(max(1, self.runs))

    def has_converged(self) -> bool:
        """Whether the recipe's rule for stopping holds."""
        return has_converged(self.wrong_labels, self.task.recipe.tolerance)

    def current(self) -> Vectors:
        return [self.weights]

    def snapshot(self, weights: str) -> Vectors:
        """Averaged weights, the vectors that vote, or a copy of the last weights."""
        if weights == "voted" and self.snapshots:
            return list(self.snapshots)
        found = self._without_zeros()
        if weights == "averaged":
            return [found.averaged(self.active)]
        # Whole numbers need no rounding.
        must_round = self.learner.real_steps or self.mixed or self.orders or self.has_amounts
        return [found.rounded(self.active) if must_round else found.frozen()]

    def _without_zeros(self) -> _core.Weights:
        """The weights; where most of them have never moved, a copy without the zeros, which is much smaller."""
        if self.L <= _core.FEW_LABELS and not has_many_zeros(self.weights):
            return self.weights
        if self._condensed is None or self._condensed.ticks != self.weights.ticks:  # others may run the passes
            self._condensed = self.weights.condensed(self.task.threads)
        return self._condensed

    def tag_dev(self, snapshot: Vectors) -> list[list[str]]:
        assert self.dev is not None
        corpus, begin = self.dev
        for w in snapshot:
            w.prepare()
        labelings = [_core.decode(w, corpus, self.dictionary, self.task.threads) for w in snapshot]
        ids = labelings[0] if len(labelings) == 1 else vote(labelings, begin)
        return LabelWriter(self.task.label_set)(ids, begin)

    # --- models and checkpoints ---

    def pack(self, snapshot: Vectors) -> tuple[Arrays, dict[str, Any]]:
        facts = {"kind": "linear", "snapshots": len(snapshot), "templates": [str(t) for t in self.templates]}
        if self.task.recipe.outside is not None and self.learner.probabilistic:
            facts["probabilistic"] = True
        return pack(self.encoder, snapshot), facts | self.data.facts()

    def state(self) -> Arrays:
        """Weights, their sums, the clock and the snapshots."""
        arrays = pack_weights(self.weights) | {"wrong": np.array(self.wrong_labels, np.int64)}
        if self.orders:
            arrays |= self.orders.state()
        if self.learner_state is not None:
            arrays |= {f"learner.{name}": array for name, array in self.learner_state.arrays().items()}
        return arrays | {f"snapshot.{name}": a for name, a in self.snapshot_arrays(self.snapshots).items()}

    def restore(self, state: Arrays) -> None:
        self._condensed = None
        restore_weights(self.weights, state)
        if self.mixed:
            self.mixed.forget()
        if self.orders:
            self.orders.restore(state)
        if self.learner_state is not None:
            now = self.learner_state.arrays()
            self.learner_state.restore({name: reals(state, f"learner.{name}", len(now[name])) for name in now})
        self.wrong_labels = wholes(state, "wrong")
        prefix = "snapshot."
        self.snapshots = self.restore_snapshot(
            {k.removeprefix(prefix): v for k, v in state.items() if k.startswith(prefix)}
        )

    def snapshot_arrays(self, snapshot: Vectors) -> Arrays:
        return pack_vectors(snapshot, self.weights)

    def restore_snapshot(self, arrays: AnyArrays) -> Vectors:
        return restore_vectors(arrays, self.weights)
