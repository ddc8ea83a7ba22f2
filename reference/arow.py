"""AROW over dictionaries.

Crammer, Kulesza and Dredze (2009), "Adaptive Regularization of Weight Vectors", NIPS 22, figure 1, diagonal.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from reference.online import Cost, Weights, difference, loss, on_grid, ranked
from reference.perceptron import Allows, Example


def visited_weights(
    passes: Iterable[Sequence[Example]],
    labels: Sequence[str],
    allows: Allows,
    variance: float,
    gamma: float,
    cost: Cost,
) -> Iterator[tuple[Weights, Weights]]:
    """Yield every pair of weights and variances that training visits; a missing variance is the initial one."""
    w: Weights = {}
    variances: Weights = {}
    for examples in passes:
        for x, y in examples:
            z = ranked(w, x, labels)[0]
            d = difference(x, y, z, allows)
            now = {k: variances.get(k, variance) for k in d}
            step = loss(w, x, y, z, cost) / (gamma + sum(now[k] * d[k] * d[k] for k in d))
            w = {k: v for k in w | d if (v := w.get(k, 0.0) + on_grid(step * now.get(k, 0.0) * d.get(k, 0)))}
            variances = variances | {k: 1 / (1 / now[k] + d[k] * d[k] / gamma) for k in d}
            yield w, variances
