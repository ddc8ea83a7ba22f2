"""AROW: adaptive regularisation of weights. A weight that was moved often moves less.

Read first: reference/arow.py; machinery: models/linear/

Crammer, Kulesza and Dredze (2009), "Adaptive Regularization of Weight Vectors", NIPS 22, figure 1, for sequences and
with a diagonal covariance, as in CRFsuite's `arow`.

    y' = argmax_y  w . Phi(x, y)                                    viterbi(weights, x)
    if y' != y*:
      loss = w . Phi(x, y') - w . Phi(x, y*) + cost(y*, y')         loss(weights, x, y', cost)
      D = Phi(x, y*) - Phi(x, y')
      step = loss / (gamma + sum_k variance_k D_k^2)                variances.of(weights, x, y*, y')
      w_k += step variance_k D_k                                    variances.move(weights, x, y*, y', step, gamma)
      1 / variance_k += D_k^2 / gamma

Departure: what is added to a weight is rounded to a grid (`perceptag.learn.costs`).
"""

from __future__ import annotations

from collections.abc import Iterable

from perceptag._core import Sequence, TagDictionary, Variances, Weights, viterbi, viterbi_with_cost
from perceptag.learn.costs import UNIT, Cost, loss


def learn_epoch(
    weights: Weights,
    variances: Variances,
    sequences: Iterable[Sequence],
    gamma: float,
    cost: Cost,
    augmented: bool = False,
    dictionary: TagDictionary | None = None,
) -> int:
    """Run one pass; return the number of sequences whose guess was not the gold labelling."""
    decode = viterbi_with_cost if augmented else viterbi
    mistakes = 0
    for x in sequences:
        guess = decode(weights, x, dictionary)
        if guess != x.labels:
            step = loss(weights, x, guess, cost) / (gamma + variances.of(weights, x, x.labels, guess))
            variances.move(weights, x, toward=x.labels, away=guess, step=step, gamma=gamma, unit=UNIT)
            mistakes += 1
        weights.tick()
    return mistakes
