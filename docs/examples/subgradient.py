"""The online subgradient method for maximum-margin structured prediction.

Ratliff, Bagnell and Zinkevich (2007), "(Approximate) Subgradient Methods for Structured Prediction", AISTATS,
PMLR 2:380-387. The risk of an example is how far its gold labelling y* fails to beat every y by the cost of y, here
the number of wrong labels. A subgradient of the risk is Phi(x, y) - Phi(x, y*), where y is the worst violator.

    for t = 1, 2, ...                                                  one pass is one call of `learn_epoch`
      y = argmax_y  w . Phi(x_t, y) + cost(y*, y)                      viterbi_with_cost(weights, x)
      w += alpha_t (Phi(x_t, y*) - Phi(x_t, y))                        weights.move(x, toward=y*, away=y, scale=alpha_t)
      alpha_t = rate / sqrt(t)                                         steps decay, or w would never settle

Departures: the term lambda w of the subgradient is left out (the average of all w, and the best pass on dev data, take
the place of the regulariser); steps are rounded to a grid on which sums are exact.
"""

from __future__ import annotations

import math

from perceptag import Learner, Setting
from perceptag.learn.seam import Errors, Pass, on_grid, viterbi_with_cost


def learn_epoch(this: Pass, rate: float) -> Errors:
    """Run one pass."""
    weights = this.weights
    for t, x in enumerate(this.sequences, this.seen + 1):
        y = viterbi_with_cost(weights, x, this.dictionary)
        if y != x.labels:
            weights.move(x, toward=x.labels, away=y, scale=on_grid(rate / math.sqrt(t)))
        this.count(x, y)
        weights.tick()
    return this.errors


LEARNER = Learner(
    name="subgradient",
    kind="linear",
    epoch=learn_epoch,
    source="Ratliff, Bagnell and Zinkevich (2007)",
    settings=(Setting("subgradient.rate", 2.0, "the size of the first step", above=0),),
    weights=("last", "averaged"),
    real_steps=True,
)
