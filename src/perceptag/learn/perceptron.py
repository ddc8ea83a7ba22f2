"""The structured perceptron, plain and averaged.

Read first: reference/perceptron.py; machinery: models/linear/; tables: reproduce/collins2002.py

Collins (2002), "Discriminative Training Methods for Hidden Markov Models: Theory and Experiments with
Perceptron Algorithms", EMNLP 2002 [W02-1001], figure 1 and section 2.5.

    for t = 1..T, i = 1..n                                  one pass is one call of `learn_epoch`
      z = argmax_z  Phi(x_i, z) . alpha                     viterbi(weights, x)
      if z != y_i:  alpha += Phi(x_i, y_i) - Phi(x_i, z)    weights.move(x, toward=this.gold(x), away=z)
    gamma = the average of every alpha visited              weights.tick(), weights.averaged()

Departure: the average is kept lazily, as one running sum for each weight; it is exact.
"""

from __future__ import annotations

from perceptag._core import perceptron_pass, viterbi
from perceptag.learn.learner import Errors, Learner, Pass
from perceptag.learn.settings import DROPOUT, ORDERS, SHARDS


def learn_epoch(this: Pass) -> Errors:
    """Run one pass."""
    weights = this.weights
    for x in this.sequences:
        z = viterbi(weights, x, this.dictionary)
        y = this.gold(x)
        if z != y:
            weights.move(x, toward=y, away=z)
        this.count(x, z, y)
        weights.tick()
    return this.errors


def native_epoch(this: Pass) -> Errors:
    """Run the same pass in C++."""
    for part in this.parts():
        this.errors.add(*perceptron_pass(this.weights, part, this.dictionary))
    return this.errors


LEARNER = Learner(
    name="perceptron",
    kind="linear",
    epoch=learn_epoch,
    native=native_epoch,
    source="Collins (2002), figure 1 and section 2.5; weights = 'voted': section 3.2",
    settings=(DROPOUT, ORDERS, SHARDS),
    weights=("averaged", "last", "voted"),
    partial=True,
)
