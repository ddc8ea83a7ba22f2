"""AROW: adaptive regularisation of weights. A weight that was moved often moves less.

Read first: reference/arow.py; machinery: models/linear/

Crammer, Kulesza and Dredze (2009), "Adaptive Regularization of Weight Vectors", NIPS 22, figure 1, for sequences and
with a diagonal covariance, as in CRFsuite's `arow`.

    y' = argmax_y  w . Phi(x, y)                                    viterbi(weights, x)
    if y' != y*:
      loss = w . Phi(x, y') - w . Phi(x, y*) + cost(y*, y')         loss(weights, x, y*, y', cost)
      D = Phi(x, y*) - Phi(x, y')
      step = loss / (gamma + sum_k variance_k D_k^2)                variances.of(weights, x, y*, y')
      w_k += step variance_k D_k                                    variances.move(weights, x, y*, y', step, gamma)
      1 / variance_k += D_k^2 / gamma

Departure: what is added to a weight is rounded to a grid (`perceptag.learn.costs`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from perceptag._core import BLOCKS, Variances, Weights, viterbi
from perceptag.learn.costs import COSTS, UNIT, loss
from perceptag.learn.learner import Errors, Learner, Pass, Setting
from perceptag.learn.settings import ONLINE_COST

if TYPE_CHECKING:
    from perceptag.arrays import Floats


class Uncertainty:
    """The variance of each weight; all start with the same one."""

    def __init__(self, weights: Weights, variance: float) -> None:
        self.variances = Variances(weights, variance)

    def arrays(self) -> dict[str, Floats]:
        """Return the variances of every block of weights."""
        return {f"variance.{block}": self.variances.get(block) for block in range(BLOCKS)}

    def restore(self, arrays: Mapping[str, Floats]) -> None:
        """The inverse of `arrays`."""
        for block in range(BLOCKS):
            self.variances.set(block, arrays[f"variance.{block}"])


def learn_epoch(this: Pass, gamma: float, cost: str) -> Errors:
    """Run one pass."""
    weights, variances = this.weights, this.state.variances
    for x in this.sequences:
        guess = viterbi(weights, x, this.dictionary)
        gold = this.gold(x)
        if guess != gold:
            step = loss(weights, x, gold, guess, COSTS[cost]) / (gamma + variances.of(weights, x, gold, guess))
            variances.move(weights, x, toward=gold, away=guess, step=step, gamma=gamma, unit=UNIT)
        this.count(x, guess, gold)
        weights.tick()
    return this.errors


LEARNER = Learner(
    name="arow",
    kind="linear",
    epoch=learn_epoch,
    source="Crammer, Kulesza and Dredze (2009), figure 1",
    settings=(
        ONLINE_COST,
        Setting("online.variance", 1.0, "the variance of every weight at the start", above=0),
        Setting("online.gamma", 1.0, "the larger, the more slowly variances shrink", above=0),
    ),
    real_steps=True,
    partial=True,
    state=Uncertainty,
)
