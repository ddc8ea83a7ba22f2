"""Training of linear models over a lattice: runs the learner that the recipe names."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from perceptag import _core
from perceptag.errors import ModelError
from perceptag.labels.writer import LabelWriter
from perceptag.learn import arow, bpm, margin, mira, pa, perceptron, voted
from perceptag.learn.costs import COSTS
from perceptag.learn.counting import Errors
from perceptag.learn.learners import ONLINE_LEARNERS
from perceptag.learn.order import pass_order, shuffled
from perceptag.learn.stopping import has_converged
from perceptag.models.continuing import check_kind
from perceptag.models.linear.continuing import LOCAL, earlier_linear
from perceptag.models.linear.encoded_task import EncodedTask, read_templates
from perceptag.models.linear.packing import pack
from perceptag.models.linear.vectors import restore_block, restore_weights
from perceptag.models.linear.voting import vote
from perceptag.models.linear.weights import BLOCKS, make_weights
from perceptag.models.list_memory import most_labellings
from perceptag.models.task import Task
from perceptag.store.checked_arrays import reals, wholes
from perceptag.store.model import Arrays

Vectors = list[_core.Weights]  # one weight vector, or several that vote


class LinearTrainer:
    """A `Trainer` for learners whose models are weights of local features.

    With `is_constrained` weights of labels that a scheme forbids are minus infinity, if the recipe asks for that.
    """

    def __init__(self, task: Task, kinds: Sequence[str] = LOCAL, is_constrained: bool = True) -> None:
        check_kind(task, *kinds)
        self.task = task
        self.templates = read_templates(task)
        earlier = earlier_linear(task)
        data = EncodedTask(task, self.templates, earlier.encoder if earlier else None)
        self.data = data
        self.encoder, self.dictionary = data.encoder, data.dictionary
        self.weights = make_weights(self.encoder, data.corpus, self.L, task.recipe, earlier)
        if is_constrained and task.recipe.constrain:
            self.weights.constrain(*task.label_set.mask())
        # How uncertain each weight is: for `arow` alone.
        is_arow = task.recipe.learner == "arow"
        self.variances = _core.Variances(self.weights, task.recipe.online_variance) if is_arow else None
        self.active = data.corpus.active
        self.sequences = data.sequences()
        if task.recipe.learner == "mira":
            longest = max(map(len, self.sequences), default=0)
            mira.require_gram(most_labellings(task.recipe.nbest, self.L, longest))
        self.snapshots: Vectors = []
        self.wrong_labels: list[int] = []  # in each pass so far
        self.dev = data.encode_dev()

    @property
    def L(self) -> int:
        """The number of labels."""
        return len(self.task.label_set.names)

    # --- one pass ---

    def learn_epoch(self, epoch: int) -> int:
        """Run one pass of the learner that the recipe names."""
        self.start_average(epoch)
        return LEARNERS[self.task.recipe.learner](self, epoch)

    def start_average(self, epoch: int) -> None:
        """Forget the passes before the first that counts in the average."""
        if epoch > 1 and epoch == self.task.recipe.average_from:
            for block in BLOCKS:
                w, _ = self.weights.get(block)
                self.weights.set(block, w, np.zeros(len(w)))
            self.weights.ticks = 0

    @property
    def step(self) -> float:
        """The size of an update: the number of runs whose sum training starts from."""
        return float(max(1, self.task.recipe.bpm))

    def has_converged(self) -> bool:
        """Whether the recipe's rule for stopping holds."""
        return has_converged(self.wrong_labels, self.task.recipe.tolerance)

    def last(self) -> Vectors:
        """The weights as they stand."""
        return [self.weights]

    def kept(self) -> Vectors:
        """Averaged weights, snapshots or a copy of the last weights, as the recipe says."""
        if self.task.recipe.weights == "averaged":
            return [self.weights.averaged(self.active)]
        if self.task.recipe.weights == "voted" and self.snapshots:
            return list(self.snapshots)
        # Whole numbers need no rounding.
        real = self.task.recipe.learner in ONLINE_LEARNERS
        return [self.weights.rounded(self.active) if real else self.weights.frozen()]

    def tag_dev(self, kept: Vectors) -> list[list[str]]:
        """Labels of the dev sentences."""
        assert self.dev is not None
        corpus, begin = self.dev
        for w in kept:
            w.prepare()
        labelings = [_core.decode(w, corpus, self.dictionary, self.task.threads) for w in kept]
        ids = labelings[0] if len(labelings) == 1 else vote(labelings, begin)
        return LabelWriter(self.task.label_set)(ids, begin)

    # --- models and checkpoints ---

    def pack(self, kept: Vectors) -> tuple[Arrays, dict[str, Any]]:
        """Arrays and facts of a model with these vectors."""
        facts = {"kind": "linear", "snapshots": len(kept), "templates": [str(t) for t in self.templates]}
        return pack(self.encoder, kept), facts | self.data.facts()

    def state(self) -> Arrays:
        """Weights, their sums, the clock and the snapshots."""
        arrays: Arrays = {"ticks": np.array([self.weights.ticks]), "wrong": np.array(self.wrong_labels, np.int64)}
        for block in BLOCKS:
            arrays[f"w.{block}"], arrays[f"sum.{block}"] = self.weights.get(block)
            if self.variances:
                arrays[f"variance.{block}"] = self.variances.get(block)
        return arrays | {f"snapshot.{name}": a for name, a in self.kept_arrays(self.snapshots).items()}

    def restore(self, state: Arrays) -> None:
        """Go on from a checkpoint."""
        restore_weights(self.weights, state)
        if self.variances:
            for block in BLOCKS:
                self.variances.set(block, reals(state, f"variance.{block}"))
        self.wrong_labels = wholes(state, "wrong")
        prefix = "snapshot."
        self.snapshots = self.restore_kept(
            {k.removeprefix(prefix): v for k, v in state.items() if k.startswith(prefix)}
        )

    def kept_arrays(self, kept: Vectors) -> Arrays:
        """Weight vectors as matrices, one for each block."""
        if not kept:
            return {}
        return {str(block): np.stack([w.get(block)[0] for w in kept]) for block in BLOCKS}

    def restore_kept(self, arrays: Arrays) -> Vectors:
        """The inverse of `kept_arrays`."""
        vectors: Vectors = []
        if arrays and not len(arrays["0"]):
            raise ModelError("array '0': expected at least one vector of weights, found none")
        for k in range(len(arrays["0"]) if arrays else 0):
            vectors.append(self.weights.frozen())
            for block in BLOCKS:
                restore_block(vectors[-1], block, arrays[str(block)][k], np.zeros(0))
        return vectors


def in_order(trainer: LinearTrainer, epoch: int) -> list[_core.Sequence]:
    """The training sequences in the order of a pass."""
    recipe, sequences = trainer.task.recipe, trainer.sequences
    return [sequences[i] for i in pass_order(len(sequences), epoch, recipe.shuffle, recipe.seed)]


def _perceptron(trainer: LinearTrainer, epoch: int) -> int:
    recipe, sequences = trainer.task.recipe, in_order(trainer, epoch)
    if recipe.weights != "voted":
        return perceptron.learn_epoch(trainer.weights, sequences, trainer.dictionary)
    every = -(-len(sequences) * recipe.epochs // recipe.snapshots)  # rounded up: never more than asked for
    return voted.learn_epoch(trainer.weights, sequences, trainer.snapshots, every, trainer.dictionary)


def _margin(trainer: LinearTrainer, epoch: int) -> int:
    recipe, weights = trainer.task.recipe, trainer.weights

    def learn(sequences: list[_core.Sequence], step: float) -> Errors:
        return margin.learn_epoch(weights, sequences, recipe.margin * step, step, trainer.dictionary)

    def learn_shuffled(run: int) -> None:
        order = shuffled(len(trainer.sequences), recipe.seed, -1 - run)
        learn([trainer.sequences[i] for i in order], 1.0)

    if epoch == 1 and recipe.bpm and not trainer.task.start:
        bpm.start(weights, recipe.bpm, learn_shuffled)
    errors = learn(in_order(trainer, epoch), trainer.step)
    trainer.wrong_labels.append(errors.labels)
    return errors.sequences


def _pa(trainer: LinearTrainer, epoch: int) -> int:
    recipe, sequences = trainer.task.recipe, in_order(trainer, epoch)
    cost, augmented = COSTS[recipe.online_cost], recipe.online_augmented
    kind, C = recipe.online_type, recipe.online_c
    return pa.learn_epoch(trainer.weights, sequences, kind, C, cost, augmented, trainer.dictionary)


def _mira(trainer: LinearTrainer, epoch: int) -> int:
    recipe, sequences = trainer.task.recipe, in_order(trainer, epoch)
    cost, augmented = COSTS[recipe.online_cost], recipe.online_augmented
    k, C = recipe.nbest, recipe.online_c
    return mira.learn_epoch(trainer.weights, sequences, k, C, cost, augmented, trainer.dictionary)


def _arow(trainer: LinearTrainer, epoch: int) -> int:
    recipe, sequences = trainer.task.recipe, in_order(trainer, epoch)
    cost, augmented = COSTS[recipe.online_cost], recipe.online_augmented
    weights, variances, gamma = trainer.weights, trainer.variances, recipe.online_gamma
    assert variances is not None
    return arow.learn_epoch(weights, variances, sequences, gamma, cost, augmented, trainer.dictionary)


# One pass of each learner: the number of sequences labelled wrongly.
LEARNERS: dict[str, Callable[[LinearTrainer, int], int]] = {
    "perceptron": _perceptron,
    "margin": _margin,
    "pa": _pa,
    "mira": _mira,
    "arow": _arow,
}
