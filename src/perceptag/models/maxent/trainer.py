"""Training of maximum-entropy taggers: one pass is one iteration of the optimiser over all of the data."""

from __future__ import annotations

from typing import Any

import numpy as np

from perceptag import _core
from perceptag.labels.label_set import LabelWriter
from perceptag.learn.stopping import has_converged
from perceptag.models.linear.trainer import LinearTrainer, encode_parts
from perceptag.models.maxent.optimisers import Gis, Lbfgs, TrainingEvents, parameters_of, with_parameters
from perceptag.models.maxent.search import LocalSearch, limits_of
from perceptag.models.model import AnyArrays, Arrays, reals
from perceptag.models.task import Task
from perceptag.models.trainer import Trainer


class MaxentTrainer(Trainer[_core.Weights]):
    """A `Trainer` for `learner = "maxent"`; features and their places are those of a `LinearTrainer`."""

    def __init__(self, task: Task) -> None:
        self.task = task
        # Only the search knows what a scheme forbids: probabilities are over all labels.
        self.local = LinearTrainer(task, encode_parts(task, is_constrained=False))
        self.limits = limits_of(task.recipe, task.label_set)
        self.events = TrainingEvents(self.local.weights, self.local.corpus, task.threads)
        self.observed = self.events.observed()
        self.optimizer = (Gis if task.recipe.own["maxent.optimizer"] == "gis" else Lbfgs)(
            self.events, self.observed, parameters_of(self.local.weights), task.recipe
        )
        self.log_likelihood = 0.0  # of the training data, after the last pass
        self.log_likelihoods: list[float] = []  # after each pass
        self._snapshot: _core.Weights | None = None

    def learn_epoch(self, epoch: int) -> int:  # noqa: ARG002 - every iteration is like the others
        """Run one iteration; return the number of sequences with a token that gets a wrong label after gold labels."""
        found = self.optimizer.take_step()
        self._snapshot = None
        self.log_likelihood = found.log_likelihood
        self.log_likelihoods.append(found.log_likelihood)
        return found.wrong

    def has_converged(self) -> bool:
        """Whether the optimiser cannot improve any more, or the log-likelihood hardly changes."""
        return self.optimizer.is_stuck or has_converged(self.log_likelihoods, self.task.recipe.tolerance)

    def current(self) -> _core.Weights:
        return self.snapshot("last")

    def snapshot(self, weights: str) -> _core.Weights:  # noqa: ARG002 - a protocol
        """The same: nothing is averaged."""
        if self._snapshot is None:
            self._snapshot = with_parameters(self.local.weights, self.optimizer.w)
        return self._snapshot

    def tag_dev(self, snapshot: _core.Weights) -> list[list[str]]:
        assert self.local.dev is not None
        corpus, begin = self.local.dev
        search = LocalSearch(snapshot, self.limits, self.local.dictionary, self.task.recipe.own["maxent.beam"])
        return LabelWriter(self.task.label_set)(search.tag(corpus, self.task.threads), begin)

    # --- models and checkpoints ---

    def pack(self, snapshot: _core.Weights) -> tuple[Arrays, dict[str, Any]]:
        arrays, facts = self.local.pack([snapshot])
        return arrays, facts | {"kind": "maxent"}

    def state(self) -> Arrays:
        """The optimiser, in full precision, and the likelihoods so far."""
        return self.optimizer.state() | {"log_likelihoods": np.array(self.log_likelihoods)}

    def restore(self, state: Arrays) -> None:
        self.optimizer.restore(state)
        self.log_likelihoods = reals(state, "log_likelihoods").tolist()
        self._snapshot = None

    def snapshot_arrays(self, snapshot: _core.Weights) -> Arrays:
        return self.local.snapshot_arrays([snapshot])

    def restore_snapshot(self, arrays: AnyArrays) -> _core.Weights:
        return self.local.restore_snapshot(arrays)[0]
