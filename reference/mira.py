"""k-best MIRA over dictionaries.

McDonald, Crammer and Pereira (2005), "Online Large-Margin Training of Dependency Parsers", ACL [P05-1012],
with multipliers of at most C.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from reference.online import Cost, Weights, difference, dot, loss, on_grid, plus, ranked
from reference.perceptron import Allows, Example

SWEEPS, TOLERANCE = 1000, 1e-7


def multipliers(A: Sequence[Sequence[float]], b: Sequence[float], C: float) -> list[float]:
    """Return a that maximises b . a - 1/2 a' A a with 0 <= a_i <= C: one a_i at a time, with the others fixed."""
    a = [0.0] * len(b)
    for _ in range(SWEEPS):
        before = list(a)
        for i in range(len(b)):
            if A[i][i]:
                gradient = b[i] - sum(A[i][j] * a[j] for j in range(len(b)))
                a[i] = min(C, max(0.0, a[i] + gradient / A[i][i]))
        if all(abs(p - q) <= TOLERANCE for p, q in zip(a, before, strict=True)):
            break
    return a


def visited_weights(
    passes: Iterable[Sequence[Example]],
    labels: Sequence[str],
    allows: Allows,
    k: int,
    C: float,
    cost: Cost,
) -> Iterator[Weights]:
    """Yield every weight vector that training visits, one after each example of each pass."""
    w: Weights = {}
    for examples in passes:
        for x, y in examples:
            others = [z for z in ranked(w, x, labels)[:k] if z != y]
            D = [difference(x, y, z, allows) for z in others]
            b = [loss(w, x, y, z, cost) for z in others]
            if any(violation > 0 for violation in b):
                for a, d in zip(multipliers([[dot(p, q) for q in D] for p in D], b, C), D, strict=True):
                    w = plus(w, on_grid(a), d)
            yield w
