"""Passive-aggressive learning over dictionaries.

Crammer, Dekel, Keshet, Shalev-Shwartz and Singer (2006), "Online Passive-Aggressive Algorithms", JMLR 7, figure 1.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from reference.online import Cost, Weights, difference, dot, loss, on_grid, plus, ranked
from reference.perceptron import Allows, Example


def step(kind: str, loss: float, norm: float, C: float) -> float:
    """tau of figure 1."""
    if kind == "PA":
        return loss / norm
    if kind == "PA-I":
        return min(C, loss / norm)
    return loss / (norm + 1 / (2 * C))  # PA-II


def visited_weights(
    passes: Iterable[Sequence[Example]],
    labels: Sequence[str],
    allows: Allows,
    kind: str,
    C: float,
    cost: Cost,
) -> Iterator[Weights]:
    """Yield every weight vector that training visits, one after each example of each pass."""
    w: Weights = {}
    for examples in passes:
        for x, y in examples:
            z = ranked(w, x, labels)[0]
            d = difference(x, y, z, allows)
            if d:
                w = plus(w, on_grid(step(kind, loss(w, x, y, z, cost), dot(d, d), C)), d)
            yield w
