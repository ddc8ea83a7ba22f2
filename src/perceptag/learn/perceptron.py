"""The structured perceptron, plain and averaged.

Read first: reference/perceptron.py; machinery: models/linear/; tables: reproduce/collins2002.py

Collins (2002), "Discriminative Training Methods for Hidden Markov Models: Theory and Experiments with
Perceptron Algorithms", EMNLP 2002 [W02-1001], figure 1 and section 2.5.

    for t = 1..T, i = 1..n                                  one pass is one call of `learn_epoch`
      z = argmax_z  Phi(x_i, z) . alpha                     viterbi(weights, x)
      if z != y_i:  alpha += Phi(x_i, y_i) - Phi(x_i, z)    weights.move(x, toward=x.labels, away=z)
    gamma = the average of every alpha visited              weights.tick(), weights.averaged()

Departure: the average is kept lazily, as one running sum for each weight; it is exact.
"""

from __future__ import annotations

from collections.abc import Iterable

from perceptag._core import Sequence, TagDictionary, Weights, viterbi


def learn_epoch(weights: Weights, sequences: Iterable[Sequence], dictionary: TagDictionary | None = None) -> int:
    """Run one pass over `sequences`; return the number of those that were labelled wrongly."""
    mistakes = 0
    for x in sequences:
        z = viterbi(weights, x, dictionary)
        if z != x.labels:
            weights.move(x, toward=x.labels, away=z)
            mistakes += 1
        weights.tick()
    return mistakes
