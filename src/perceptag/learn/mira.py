"""k-best MIRA: the smallest change of the weights that puts the gold labelling above the k best by their costs.

Read first: reference/mira.py; machinery: models/linear/

McDonald, Crammer and Pereira (2005), "Online Large-Margin Training of Dependency Parsers", ACL [P05-1012];
after Crammer and Singer (2003), "Ultraconservative Online Algorithms for Multiclass Problems", JMLR 3.

    y_1 .. y_k = the k best of w . Phi(x, y), without y*                 nbest(weights, x, k)
    min |w' - w|  with  w' . D_i >= cost(y*, y_i) for all i              D_i = Phi(x, y*) - Phi(x, y_i)
      A_ij = D_i . D_j,  b_i = cost(y*, y_i) - w . D_i                   gram(weights, x, y*, [y_i]), loss(...)
      a = Hildreth's procedure                                           hildreth(A, b, C)
    w += sum_i a_i D_i                                                   weights.move(x, y*, y_i, scale=a_i)

Departures: each multiplier is at most C (a soft margin with one slack for each constraint), so that data without a
solution does no harm and k = 1 is PA-I that moves for a small margin as well; steps are rounded to a grid
(`perceptag.learn.costs`). `augmented`: the k best by score plus number of wrong labels.
"""

from __future__ import annotations

from collections.abc import Iterable

from perceptag._core import Labels, Sequence, TagDictionary, Weights, gram, nbest, nbest_with_cost
from perceptag.learn.costs import Cost, loss, on_grid
from perceptag.numeric.hildreth import hildreth
from perceptag.system.memory import require


def require_gram(k: int) -> None:
    """Refuse more candidates than can be compared with each other: there is a number for each pair, and its copy."""
    require(k * k * (8 + 32), f"nbest: {k} candidates of a sequence, each compared with all")


def learn_epoch(
    weights: Weights,
    sequences: Iterable[Sequence],
    k: int,
    C: float,
    cost: Cost,
    augmented: bool = False,
    dictionary: TagDictionary | None = None,
) -> int:
    """Run one pass; return the number of sequences whose best candidate was not the gold labelling."""
    candidates = nbest_with_cost if augmented else nbest
    mistakes = 0
    for x in sequences:
        best = candidates(weights, x, k, dictionary)
        mistakes += best[0] != x.labels
        learn(weights, x, [best[i] for i in range(len(best)) if best[i] != x.labels], C, cost)
        weights.tick()
    return mistakes


def learn(weights: Weights, x: Sequence, others: list[Labels], C: float, cost: Cost) -> None:
    """Put the gold labelling of x above the others by their costs."""
    b = [loss(weights, x, y, cost) for y in others]
    if not any(violation > 0 for violation in b):
        return
    A = gram(weights, x, x.labels, others).reshape(len(others), len(others)).tolist()
    for y, a in zip(others, hildreth(A, b, C), strict=True):
        if step := on_grid(a):
            weights.move(x, toward=x.labels, away=y, scale=step)
