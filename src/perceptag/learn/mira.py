"""k-best MIRA: the smallest change of the weights by which the gold labelling beats the k best by their costs.

Read first: reference/mira.py; machinery: models/linear/

McDonald, Crammer and Pereira (2005), "Online Large-Margin Training of Dependency Parsers", ACL [P05-1012];
after Crammer and Singer (2003), "Ultraconservative Online Algorithms for Multiclass Problems", JMLR 3.

    y_1 .. y_k = the k best of w . Phi(x, y), without y*                 nbest(weights, x, k)
    min |w' - w|  with  w' . D_i >= cost(y*, y_i) for all i              D_i = Phi(x, y*) - Phi(x, y_i)
      A_ij = D_i . D_j,  b_i = cost(y*, y_i) - w . D_i                   gram(weights, x, y*, [y_i]), loss(...)
      a = Hildreth's procedure                                           hildreth(A, b, C)
    w += sum_i a_i D_i                                                   weights.move(x, y*, y_i, scale=a_i)

Departures: each multiplier is at most C (a soft margin with one slack for each constraint), so data without a solution
does no harm. With k = 1 this is PA-I, except that it also moves if the margin is small. Steps are rounded to a grid
(`perceptag.learn.costs`).

The small quadratic programme is solved by Hildreth (1957), "A Quadratic Programming Procedure", Naval Research
Logistics Quarterly 4; Censor and Zenios (1997), "Parallel Optimization":

    min_u  1/2 |u|^2 + C sum_i s_i    with  D_i . u >= b_i - s_i,  s_i >= 0

has the solution u = sum_i a_i D_i, where a maximises  b . a - 1/2 a' A a  over 0 <= a_i <= C, A_ij = D_i . D_j.
The procedure sets each a_i in turn to its best value, given the others:

    a_i = a_i + (b_i - sum_j A_ij a_j) / A_ii, cut off at 0 and C
"""

from __future__ import annotations

from collections.abc import Sequence as Several
from operator import mul

from perceptag._core import Labels, Sequence, Weights, gram, nbest
from perceptag.learn.costs import COSTS, Cost, loss, on_grid
from perceptag.learn.learner import Errors, Learner, Pass
from perceptag.learn.settings import NBEST, ONLINE_C, ONLINE_COST, SHARDS
from perceptag.system.memory import require


def learn_epoch(this: Pass, k: int, C: float, cost: str) -> Errors:
    """Run one pass."""
    weights = this.weights
    require_gram(k, weights.labels, this.sequences)
    for x in this.sequences:
        best = nbest(weights, x, k, this.dictionary)
        gold = this.gold(x)
        this.count(x, best[0], gold)
        others = [best[i] for i in range(len(best)) if not this.agrees(x, best[i])]
        learn(weights, x, gold, others, C, COSTS[cost])
        weights.tick()
    return this.errors


def require_gram(k: int, labels: int, sequences: Several[Sequence]) -> None:
    """Refuse more candidates than memory allows: each pair takes a number and a copy."""
    longest = max(map(len, sequences), default=0)
    k = min(k, labels ** min(longest, 64))  # there are no more labellings than that
    require(k * k * (8 + 32), f"nbest: {k} candidates of a sequence, each compared with all")


def learn(weights: Weights, x: Sequence, gold: Labels, others: list[Labels], C: float, cost: Cost) -> None:
    """Let the gold labelling of x beat the others by their costs."""
    b = [loss(weights, x, gold, y, cost) for y in others]
    if not any(violation > 0 for violation in b):
        return
    A = gram(weights, x, gold, others).reshape(len(others), len(others)).tolist()
    for y, a in zip(others, hildreth(A, b, C), strict=True):
        if step := on_grid(a):
            weights.move(x, toward=gold, away=y, scale=step)


LEARNER = Learner(
    name="mira",
    kind="linear",
    epoch=learn_epoch,
    source="McDonald, Crammer and Pereira (2005), figure 2",
    settings=(NBEST, ONLINE_C, ONLINE_COST, SHARDS),
    real_steps=True,
    partial=True,
)


MAX_SWEEPS = 1000


def hildreth(A: Several[Several[float]], b: Several[float], C: float, tolerance: float = 1e-7) -> list[float]:
    """Return the multipliers a. Sweeps end when none changes by more than `tolerance`, or after `MAX_SWEEPS`.

    >>> hildreth([[2.0]], [1.0], 10.0), hildreth([[2.0]], [1.0], 0.25), hildreth([[2.0]], [-1.0], 10.0)
    ([0.5], [0.25], [0.0])
    """
    a = [0.0] * len(b)
    for _ in range(MAX_SWEEPS):
        largest = 0.0
        for i, row in enumerate(A):
            if row[i] == 0:
                continue  # no change of the weights affects this constraint
            before = a[i]
            best = before + (b[i] - sum(map(mul, row, a))) / row[i]
            a[i] = 0.0 if best < 0 else C if best > C else best
            largest = max(largest, abs(a[i] - before))
        if largest <= tolerance:
            break
    return a
