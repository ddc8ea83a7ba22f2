"""Training of maximum-entropy taggers: one pass is one iteration of the optimiser over all of the data."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np

from perceptag import _core
from perceptag.learn.convergence import PASSES
from perceptag.learn.linear import LinearTrainer
from perceptag.learn.maxent import Evaluation, Events, gis_step, with_parameters
from perceptag.learn.task import Task
from perceptag.maxent import LocalSearch, limits_of
from perceptag.model import Arrays
from perceptag.nonlocal_ import Floats
from perceptag.outer_labels import OuterLabels


class MaxentTrainer:
    """A `Trainer` for `learner = "maxent"`; features and their places are those of a `LinearTrainer`."""

    def __init__(self, task: Task) -> None:
        self.task = task
        # Probabilities are those of all labels: what a scheme forbids is left to the search.
        self.local = LinearTrainer(replace(task, recipe=replace(task.recipe, constrain=False)))
        self.limits = limits_of(task.recipe, task.labelling)
        self.events = Events(self.local.weights, self.local.data.corpus, task.threads)
        self.observed = self.events.observed()
        self.most_active = self.events.most_active(self.observed)
        self.w: Floats = np.zeros(len(self.observed))
        self.log_likelihoods: list[float] = []  # after each pass
        self._evaluated: Evaluation | None = None  # of the parameters as they are
        self._kept: _core.Weights | None = None
        self._tagged: tuple[_core.Weights, list[list[str]]] | None = None

    def evaluation(self) -> Evaluation:
        """Likelihood and expectations of the parameters as they are."""
        if self._evaluated is None:
            self._evaluated = self.events.evaluate(self.w)
        return self._evaluated

    def learn_epoch(self, epoch: int) -> int:  # noqa: ARG002 - every iteration is like the others
        """One iteration; return the number of sequences with a token that, after gold labels, gets a wrong one."""
        self.w = gis_step(self.w, self.observed, self.evaluation().expected, self.most_active)
        self._evaluated = self._kept = None
        self.log_likelihoods.append(self.evaluation().log_likelihood)
        return self.evaluation().wrong

    def has_converged(self) -> bool:
        """Whether the log-likelihood has changed by less than the tolerance in three passes running."""
        tolerance, recent = self.task.recipe.tolerance, self.log_likelihoods[-PASSES - 1 :]
        if tolerance <= 0 or len(recent) <= PASSES:
            return False
        return all(abs(after - before) < tolerance * abs(before) for before, after in pairwise(recent))

    def last(self) -> _core.Weights:
        """The parameters as they stand."""
        return self.kept()

    def kept(self) -> _core.Weights:
        """The same: nothing is averaged."""
        if self._kept is None:
            self._kept = with_parameters(self.local.weights, self.w)
        return self._kept

    def tag_dev(self, kept: _core.Weights) -> list[list[str]]:
        """Labels of the dev sentences."""
        assert self.local.dev is not None
        if self._tagged is None or self._tagged[0] is not kept:
            corpus, begin = self.local.dev
            search = LocalSearch(kept, self.limits, self.local.dictionary, self.task.recipe.maxent_beam)
            self._tagged = kept, OuterLabels(self.task.labelling)(search.tag(corpus, self.task.threads), begin)
        return self._tagged[1]

    # --- models and checkpoints ---

    def pack(self, kept: _core.Weights) -> tuple[Arrays, dict[str, Any]]:
        """Arrays and facts of a model."""
        arrays, facts = self.local.pack([kept])
        return arrays, facts | {"kind": "maxent"}

    def state(self) -> Arrays:
        """The parameters, in full precision, and the likelihoods so far."""
        return {"w": self.w, "log_likelihoods": np.array(self.log_likelihoods)}

    def restore(self, state: Arrays) -> None:
        """Go on from a checkpoint."""
        if state["w"].shape != self.w.shape:
            raise ValueError(f"expected {len(self.w)} parameters, found {len(state['w'])}")
        self.w = state["w"].copy()
        self.log_likelihoods = state["log_likelihoods"].tolist()
        self._evaluated = self._kept = None

    def kept_arrays(self, kept: _core.Weights) -> Arrays:
        """Kept weights as arrays."""
        return self.local.kept_arrays([kept])

    def restore_kept(self, arrays: Arrays) -> _core.Weights:
        """The inverse of `kept_arrays`."""
        return self.local.restore_kept(arrays)[0]
