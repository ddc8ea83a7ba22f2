"""The margin perceptron.

Read first: reference/margin.py; machinery: models/linear/; tables: reproduce/kazama2007.py

Kazama and Torisawa (2007), "A New Perceptron Algorithm for Sequence Labeling with Non-local Features",
EMNLP-CoNLL [D07-1033], algorithm 3.1.

    until no more updates, for i = 1..L                                   one pass is one call of `learn_epoch`
      y'  = argmax_y    Phi(x, y) . alpha                                 y_prime  = nbest(weights, x, 2)[0]
      y'' = 2nd-best_y  Phi(x, y) . alpha                                 y_second = nbest(weights, x, 2)[1]
      if y' != y*:                                                        y_star = this.gold(x)
        alpha += Phi(x, y*) - Phi(x, y')                                  weights.move(x, y_star, y_prime)
      elif Phi(x, y*) . alpha - Phi(x, y'') . alpha <= C:                 best.score(0): here y' is y*
        alpha += Phi(x, y*) - Phi(x, y'')                                 weights.move(x, y_star, y_second)

Without the second branch this is Collins' perceptron; C = 0 still wants the gold labelling to win without a tie.
"""

from __future__ import annotations

from perceptag._core import margin_pass, nbest
from perceptag.learn.learner import Errors, Learner, Pass
from perceptag.learn.settings import BPM, DROPOUT, MARGIN, ORDERS, SHARDS


def learn_epoch(this: Pass, C: float) -> Errors:
    """Run one pass."""
    weights, step = this.weights, this.step
    for x in this.sequences:
        y_star, best = this.gold(x), nbest(weights, x, 2, this.dictionary)
        y_prime = best[0]
        if y_prime != y_star:
            weights.move(x, toward=y_star, away=y_prime, scale=step)
        elif len(best) > 1 and best.score(0) - best.score(1) <= C and not this.agrees(x, best[1]):
            y_second = best[1]
            weights.move(x, toward=y_star, away=y_second, scale=step)
        this.count(x, y_prime, y_star)
        weights.tick()
    return this.errors


def native_epoch(this: Pass, C: float) -> Errors:
    """Run the same pass in C++."""
    for part in this.parts():
        this.errors.add(*margin_pass(this.weights, part, C, this.step, this.dictionary))
    return this.errors


LEARNER = Learner(
    name="margin",
    kind="linear",
    epoch=learn_epoch,
    native=native_epoch,
    source="Kazama and Torisawa (2007), algorithm 3.1",
    settings=(MARGIN, BPM, DROPOUT, ORDERS, SHARDS),
    partial=True,
)
