"""The optimisers of the maximum-entropy tagger, and what both of them need.

Collins (2002) [W02-1001], sections 2.3 and 4.3, as a rival of the perceptron; the model is that of Ratnaparkhi (1996).

    P(t | h) = exp(sum of alpha_s phi_s(h, t)) / Z(h),  h: the input at a token and the labels before it
    L(alpha) = sum over tokens of log P(gold label | input, gold labels before it)

                                                            here
    count of phi_s in the training data                     `TrainingEvents.observed`
    its expectation under P, and L(alpha)                   `TrainingEvents.evaluate`
    alpha_s += 1/C log(count / expectation)                 `gis_step`

C is the largest number of features that any token has with any label; no correction feature is needed (Curran and
Clark 2003). Features are those of every other learner: with `support = "gold"` a feature and a label have a parameter
if they occur together in the data, with `cutoff` at least that often.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from perceptag import _core
from perceptag.arrays import Floats
from perceptag.errors import ModelError
from perceptag.models import lbfgs
from perceptag.models.lbfgs import pack_state, restore_state
from perceptag.models.linear.blocks import BLOCKS
from perceptag.models.linear.vectors import trainable
from perceptag.models.model import Arrays, flag, reals
from perceptag.recipe.recipe import Recipe

MEMORY = 6  # how many steps L-BFGS remembers


class Evaluation(NamedTuple):
    """How well some parameters fit the training data."""

    log_likelihood: float
    expected: Floats
    wrong: int  # sequences with a token whose most probable label, after gold labels, is not the gold one


@dataclass(slots=True)
class TrainingEvents:
    """The tokens of the training data, each with its gold history; parameters as one vector."""

    weights: _core.Weights  # gives the layout of the parameters; its own values are never used
    corpus: _core.Corpus
    threads: int

    def observed(self) -> Floats:
        """How often each feature occurs: float64[parameters]."""
        counter = trainable(self.weights)
        counter.ticks = 1  # so that the running sums, which are doubles, are counts
        for i in range(len(self.corpus)):
            counter.add(self.corpus[i], self.corpus[i].labels)
        return np.concatenate([counter.get(block)[1] for block in BLOCKS])

    def most_active(self, observed: Floats) -> float:
        """The constant C of generalised iterative scaling."""
        return _core.maxent_largest_score(self.weights, self.corpus, (observed > 0).astype(np.float64))

    def evaluate(self, w: Floats) -> Evaluation:
        """Log-likelihood and expectations under the parameters."""
        log_likelihood, expected, wrong = _core.maxent_evaluate(self.weights, self.corpus, w, self.threads)
        lengths = [len(self.corpus[i]) for i in range(len(self.corpus))]
        number = np.repeat(np.arange(len(lengths)), lengths)
        return Evaluation(log_likelihood, expected, len(np.unique(number[wrong > 0])))


def with_parameters(weights: _core.Weights, w: Floats) -> _core.Weights:
    """Weights of the same layout that hold the parameters, as a model has them: float32."""
    made = weights.frozen()
    sizes = [len(weights.get(block)[0]) for block in BLOCKS]
    for block, part in zip(BLOCKS, np.split(w, np.cumsum(sizes)[:-1]), strict=True):
        made.set(block, part.astype(np.float32), np.zeros(0))
    return made


def parameters_of(weights: _core.Weights) -> Floats:
    """The inverse of `with_parameters`: all blocks one after the other."""
    return np.concatenate([weights.get(block)[0] for block in BLOCKS]).astype(np.float64)


def gis_step(w: Floats, observed: Floats, expected: Floats, most_active: float) -> Floats:
    """One iteration of generalised iterative scaling: it raises the likelihood, unless that is at its maximum."""
    seen = observed > 0
    if not np.all(expected[seen] > 0):
        raise ModelError("the weights are too large to continue from: they give probability 0 to what was seen")
    moved: Floats = w.copy()
    moved[seen] += np.log(observed[seen] / expected[seen]) / most_active
    return moved


class Gis:
    """Generalised iterative scaling, from `start`."""

    is_stuck = False  # every step raises the likelihood, even if only a little

    def __init__(self, events: TrainingEvents, observed: Floats, start: Floats, recipe: Recipe) -> None:  # noqa: ARG002 - as Lbfgs
        self.events, self.observed = events, observed
        self.most_active = events.most_active(observed)
        self.w = start
        self._evaluation: Evaluation | None = None  # of these parameters

    def evaluation(self) -> Evaluation:
        """Likelihood and expectations of the parameters as they are."""
        if self._evaluation is None:
            self._evaluation = self.events.evaluate(self.w)
        return self._evaluation

    def take_step(self) -> Evaluation:
        """One iteration; what the new parameters say of the data."""
        self.w = gis_step(self.w, self.observed, self.evaluation().expected, self.most_active)
        self._evaluation = None
        return self.evaluation()

    def state(self) -> Arrays:
        """For a checkpoint."""
        return {"w": self.w}

    def restore(self, state: Arrays) -> None:
        """Continue from a checkpoint."""
        self.w, self._evaluation = reals(state, "w", len(self.w)), None


class Lbfgs:
    """L-BFGS with a Gaussian prior: minimises -L(w) + sum of w^2 / (2 sigma^2)."""

    def __init__(self, events: TrainingEvents, observed: Floats, start: Floats, recipe: Recipe) -> None:
        self.events, self.observed = events, observed
        self.precision = 1 / recipe.own["maxent.sigma2"] if recipe.own["maxent.sigma2"] else 0.0
        self.w = start
        self.is_stuck = False
        self._search: lbfgs.LbfgsState | None = None
        self._evaluated: tuple[Floats, Evaluation] | None = None  # the last parameters tried

    def objective(self, w: Floats) -> tuple[float, Floats]:
        """What is minimised, and its gradient."""
        found = self.events.evaluate(w)
        self._evaluated = w, found
        gradient: Floats = found.expected - self.observed + self.precision * w
        return self.precision / 2 * _core.dot(w, w) - found.log_likelihood, gradient

    def take_step(self) -> Evaluation:
        """One iteration; what the new parameters say of the data."""
        if self._search is None:
            self._search = lbfgs.start(self.objective, self.w)
        self.is_stuck = not lbfgs.take_step(self._search, self.objective, MEMORY)
        self.w = self._search.x
        tried = self._evaluated
        return tried[1] if tried is not None and tried[0] is self.w else self.events.evaluate(self.w)

    def state(self) -> Arrays:
        """For a checkpoint."""
        assert self._search is not None
        return pack_state(self._search) | {"stuck": np.array([self.is_stuck])}

    def restore(self, state: Arrays) -> None:
        """Continue from a checkpoint."""
        self._search = restore_state(state, len(self.w))
        self.w, self.is_stuck = self._search.x, flag(state, "stuck")
