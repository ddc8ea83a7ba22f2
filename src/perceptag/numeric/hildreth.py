"""Hildreth's procedure: a small quadratic programme, one multiplier at a time.

Hildreth (1957), "A Quadratic Programming Procedure", Naval Research Logistics Quarterly 4; Censor and Zenios (1997),
"Parallel Optimization".

    min_u  1/2 |u|^2 + C sum_i s_i    with  D_i . u >= b_i - s_i,  s_i >= 0

has the solution u = sum_i a_i D_i, where a maximises  b . a - 1/2 a' A a  over 0 <= a_i <= C, A_ij = D_i . D_j.
The procedure sets each a_i in turn to its best value, given the others:

    a_i = a_i + (b_i - sum_j A_ij a_j) / A_ii, cut off at 0 and C
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import mul

MAX_SWEEPS = 1000


def hildreth(A: Sequence[Sequence[float]], b: Sequence[float], C: float, tolerance: float = 1e-7) -> list[float]:
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
