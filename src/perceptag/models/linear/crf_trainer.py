"""Training of conditional random fields over the lattices of all linear models.

Lafferty, McCallum and Pereira (2001), "Conditional Random Fields", ICML; the Gaussian prior as in Sha and Pereira
(2003), "Shallow Parsing with Conditional Random Fields", NAACL [N03-1028], section 3.

    maximise  sum of log p(y | x)  -  sum of w^2 / (2 sigma^2)  -  l1 * sum of |w|

One pass is one accepted step of L-BFGS (`perceptag.models.lbfgs`). With several shards gradients are summed within each
shard, and these sums are added in the order of the shards (`_core.Likelihood`), so each can be computed where its data
are.

The model is an ordinary linear one: weights are rounded as averages are, so that `nbest` and Viterbi agree.
"""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np

from perceptag import _core
from perceptag.errors import ModelError
from perceptag.learn.stopping import has_converged
from perceptag.models import lbfgs
from perceptag.models.lbfgs import pack_state, restore_state
from perceptag.models.linear.blocks import BLOCKS
from perceptag.models.linear.mixing import shards_of
from perceptag.models.linear.trainer import LinearParts, LinearTrainer, Vectors
from perceptag.models.model import AnyArrays, Arrays, flag, reals
from perceptag.models.task import Task
from perceptag.models.trainer import Trainer
from perceptag.recipe.auto import number_of_shards
from perceptag.system.memory import require

PARTS = 32  # the core cuts the data into this number of parts, so as many threads can work on it

MEMORY = 6  # steps that L-BFGS remembers


class LikelihoodLike(Protocol):
    """What L-BFGS asks for: `_core.Likelihood`, or what adds up those of other processes."""

    def evaluate(self, weights: _core.Weights, threads: int = 1) -> tuple[float, int, lbfgs.Vector]:
        """The log-likelihood, the number of wrong sequences, and the gradient."""


class CrfTrainer(Trainer[Vectors]):
    """A `Trainer`: the weights and their packing are those of `LinearTrainer`, the learning is not."""

    def __init__(self, task: Task, parts: LinearParts | None = None, likelihood: LikelihoodLike | None = None) -> None:
        """`parts` and `likelihood`: those of data that other processes hold."""
        self.task = task
        self.linear = LinearTrainer(task, parts)
        self.weights = self.linear.weights
        self.log_likelihood: float | None = 0.0  # of the training data, as last computed
        self.values: list[float] = []  # what is minimised, after each pass
        self._wrong = 0
        self._stalled = False
        self._snapshot: Vectors | None = None
        recipe = task.recipe
        self.precision = 1 / recipe.own["crf.sigma2"] if recipe.own["crf.sigma2"] else 0.0
        self._first = np.cumsum([0, *(len(self.weights.get(block)[0]) for block in BLOCKS)])
        self._require_memory()
        self.likelihood = likelihood or self._likelihood()
        self.search: lbfgs.LbfgsState | None = None
        self._is_forbidden = ~np.isfinite(self._read())

    @property
    def corpus(self) -> _core.Corpus:
        """The encoded training data, unless other processes hold it."""
        return self.linear.corpus

    def _likelihood(self) -> _core.Likelihood:
        shards = first_sequences(self.task)
        return _core.Likelihood(self.weights, self.corpus, self.linear.dictionary, shards=shards)

    def _require_memory(self) -> None:
        """Check the memory for the optimiser's vectors, and for the expected transitions of each part of the data."""
        size = int(self._first[-1])
        transitions = size - int(self._first[_core.plain_block(1)])
        needed = 8 * ((2 * MEMORY + 8) * size + PARTS * transitions)
        require(needed, f"crf: {size} weights, {transitions} of them of transitions")

    # --- one pass ---

    def learn_epoch(self, epoch: int) -> int:
        """Run one step of L-BFGS; return the number of sequences with a wrong token."""
        del epoch
        self._snapshot, l1 = None, self.task.recipe.own["crf.l1"]
        if self.search is None:
            self.search = lbfgs.start(self._objective, np.where(self._is_forbidden, 0.0, self._read()))
        self._stalled = not lbfgs.take_step(self.search, self._objective, MEMORY, l1)
        self._write(self.search.x)
        self.values.append(self.search.f + l1 * float(np.abs(self.search.x).sum()))
        self.log_likelihood = -self.search.f + self.precision / 2 * _core.dot(self.search.x, self.search.x)
        return self._wrong

    def _objective(self, x: lbfgs.Vector) -> tuple[float, lbfgs.Vector]:
        """- log-likelihood + sum of x^2 / (2 sigma^2), and its gradient."""
        self._write(x)
        try:
            value, self._wrong, ascent = self.likelihood.evaluate(self.weights, self.task.threads)
        except ValueError as error:  # the weights of a forged checkpoint
            raise ModelError(str(error)) from None
        return -value + self.precision / 2 * _core.dot(x, x), self.precision * x - ascent

    def has_converged(self) -> bool:
        """Whether the optimiser cannot improve any more, or the objective hardly changes."""
        return self._stalled or has_converged(self.values, self.task.recipe.tolerance)

    # --- weights as one vector ---

    def _read(self) -> lbfgs.Vector:
        return np.concatenate([self.weights.get(block)[0] for block in BLOCKS]).astype(np.float64)

    def _write(self, x: lbfgs.Vector) -> None:
        w = x.astype(np.float32)
        w[self._is_forbidden] = -np.inf
        for block in BLOCKS:
            part = w[self._first[block] : self._first[block + 1]]
            self.weights.set(block, part, np.zeros(len(part)))

    # --- models and checkpoints ---

    def snapshot(self, weights: str) -> Vectors:
        """The weights, rounded."""
        del weights
        if self._snapshot is None:
            self._snapshot = [without_sums(self.weights).averaged(self.linear.active)]
        return self._snapshot

    def current(self) -> Vectors:
        return self.snapshot("last")

    def tag_dev(self, snapshot: Vectors) -> list[list[str]]:
        return self.linear.tag_dev(snapshot)

    def pack(self, snapshot: Vectors) -> tuple[Arrays, dict[str, Any]]:
        return self.linear.pack(snapshot)

    def state(self) -> Arrays:
        """The search and the curve so far."""
        curve = {"values": np.array(self.values), "stalled": np.array([self._stalled])}
        return curve | (pack_state(self.search) if self.search is not None else {})

    def restore(self, state: Arrays) -> None:
        self.values, self._stalled = reals(state, "values").tolist(), flag(state, "stalled")
        self._snapshot = None
        self.search = restore_state(state, len(self._is_forbidden))
        self._write(self.search.x)

    def snapshot_arrays(self, snapshot: Vectors) -> Arrays:
        """Weight vectors as matrices, one for each block."""
        return self.linear.snapshot_arrays(snapshot)

    def restore_snapshot(self, arrays: AnyArrays) -> Vectors:
        return self.linear.restore_snapshot(arrays)


def first_sequences(task: Task) -> list[int]:
    """The first sequence of each shard but the first one."""
    shards = number_of_shards(task.recipe)
    found: list[int] = np.searchsorted(shards_of(task.train, task.recipe.unit, shards), range(1, shards)).tolist()
    return found


def without_sums(weights: _core.Weights) -> _core.Weights:
    """A copy of which `averaged` gives the weights as they are."""
    copy = weights.frozen()
    for block in BLOCKS:
        w, _ = weights.get(block)
        copy.set(block, w, np.zeros(len(w)))
    return copy
