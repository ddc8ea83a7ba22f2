"""The margin perceptron.

Kazama and Torisawa (2007), "A New Perceptron Algorithm for Sequence Labeling with Non-local Features",
EMNLP-CoNLL [D07-1033], algorithm 3.1.

    y' = best, y'' = second best of Phi . alpha                      nbest(weights, x, 2)
    if y' != y*:                                alpha += Phi(y*) - Phi(y')
    elif Phi(y*).alpha - Phi(y'').alpha <= C:   alpha += Phi(y*) - Phi(y'')

With a negative C the second branch never runs and this is Collins' perceptron.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from perceptag._core import Labels, Sequence, TagDictionary, Weights, nbest


class Errors(NamedTuple):
    """What went wrong in a pass, before the weights were moved."""

    sequences: int
    labels: int


def learn_epoch(
    weights: Weights,
    sequences: Iterable[Sequence],
    margin: float,
    step: float = 1.0,
    dictionary: TagDictionary | None = None,
) -> Errors:
    """Run one pass. `step` is the size of an update, for weights kept in finer units than one."""
    mistakes = wrong = 0
    for x in sequences:
        gold = x.labels
        best = nbest(weights, x, 2, dictionary)
        if best[0] != gold:
            weights.move(x, toward=gold, away=best[0], scale=step)
            mistakes += 1
            wrong += differing(gold, best[0])
        elif len(best) > 1 and best.score(0) - best.score(1) <= margin:
            weights.move(x, toward=gold, away=best[1], scale=step)
        weights.tick()
    return Errors(mistakes, wrong)


def differing(a: Labels, b: Labels) -> int:
    """At how many tokens two labellings differ."""
    return int((a.numpy() != b.numpy()).sum())
