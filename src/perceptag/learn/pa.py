"""Passive-aggressive learning: the smallest change of the weights that corrects a mistake.

Read first: reference/pa.py; machinery: models/linear/

Crammer, Dekel, Keshet, Shalev-Shwartz and Singer (2006), "Online Passive-Aggressive Algorithms", JMLR 7: figure 1
and the part on structured output. CRFsuite's `pa` has the same steps.

    y' = argmax_y  w . Phi(x, y)                                     viterbi(weights, x)
    if y' != y*:
      loss = w . Phi(x, y') - w . Phi(x, y*) + cost(y*, y')          loss(weights, x, y*, y', cost)
      D = Phi(x, y*) - Phi(x, y')
      PA:     t = loss / |D|^2                                       squared_distance(weights, x, y*, y')
      PA-I:   t = min(C, loss / |D|^2)
      PA-II:  t = loss / (|D|^2 + 1 / 2C)
      w += t D                                                       weights.move(x, y*, y', scale=t)

Departure: t is rounded to a grid (`perceptag.learn.costs`).
"""

from __future__ import annotations

from collections.abc import Callable

from perceptag._core import squared_distance, viterbi
from perceptag.learn.costs import COSTS, loss, on_grid
from perceptag.learn.learner import Errors, Learner, Pass, Setting
from perceptag.learn.settings import ONLINE_C, ONLINE_COST, SHARDS

STEPS: dict[str, Callable[[float, float, float], float]] = {  # of the loss, |D|^2 and C
    "PA": lambda loss, norm, _: loss / norm,
    "PA-I": lambda loss, norm, C: min(C, loss / norm),
    "PA-II": lambda loss, norm, C: loss / (norm + 1 / (2 * C)),
}


def learn_epoch(this: Pass, variant: str, C: float, cost: str) -> Errors:
    """Run one pass."""
    weights = this.weights
    for x in this.sequences:
        guess = viterbi(weights, x, this.dictionary)
        gold = this.gold(x)
        if guess != gold:
            norm = squared_distance(weights, x, gold, guess)
            if norm > 0:  # 0: they differ only in features without weights
                step = STEPS[variant](loss(weights, x, gold, guess, COSTS[cost]), norm, C)
                weights.move(x, toward=gold, away=guess, scale=on_grid(step))
        this.count(x, guess, gold)
        weights.tick()
    return this.errors


LEARNER = Learner(
    name="pa",
    kind="linear",
    epoch=learn_epoch,
    source="Crammer, Dekel, Keshet, Shalev-Shwartz and Singer (2006), figure 1 and section 10",
    settings=(
        Setting("online.type", "PA-I", "how far a step may go", choices=tuple(STEPS), arguments=("variant",)),
        ONLINE_C,
        ONLINE_COST,
        SHARDS,
    ),
    real_steps=True,
    partial=True,
)
