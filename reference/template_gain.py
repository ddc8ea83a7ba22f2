"""How much of a model's errors a template explains, in loops.

McCallum (2003), "Efficiently inducing features of conditional random fields", ranks features by what they would gain if
each alone were added to the present model. Here the loss is squared, and the weights of a fold come from the others:

    r_t(y)   1 for the gold label of token t, -1 for the label that it was given; 0 if these are equal
    w(v,y)   the mean of r_t(y) over the tokens of other folds with value v, as if `ridge` more had had no error

Only tokens count that are wrong in some run, or at most `window` away from one that is. A template gains the difference
of squares r^2 - (r - w)^2, over all these tokens and labels.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from math import fsum


def residual(gold: str, given: Sequence[str], label: str) -> float:
    """Return what is left to explain at a token for one label: the mean over the labels of several runs.

    >>> residual("A", ["A", "B"], "A"), residual("A", ["A", "B"], "B"), residual("A", ["A", "A"], "A")
    (0.5, -0.5, 0.0)
    """
    return (gold == label) - sum(one == label for one in given) / len(given)


def near_errors(gold: Sequence[str], given: Sequence[Sequence[str]], window: int) -> list[int]:
    """Return the tokens that count.

    >>> near_errors("AAAAA", ["A", "A", "A", "B", "A"], 1)
    [2, 3, 4]
    """
    wrong = [t for t in range(len(gold)) if any(label != gold[t] for label in given[t])]
    return [t for t in range(len(gold)) if any(abs(t - e) <= window for e in wrong)]


def template_gain(
    values: Sequence[Hashable | None],
    gold: Sequence[str],
    given: Sequence[Sequence[str]],
    folds: Sequence[int],
    ridge: float,
    window: int,
) -> float:
    """Return the share of the squared residuals that a template explains, in per cent.

    Each token has a value, or None if the template does not fire there; a gold label; the labels that it was given
    in several runs; and a fold.

    >>> template_gain(["x", "x", "y", "y"], "AABB", ["B", "B", "B", "B"], [0, 1, 0, 1], ridge=1, window=2)
    75.0
    """
    tokens = near_errors(gold, given, window)
    labels = sorted({*gold, *(label for some in given for label in some)})
    gained, total = [], []
    for t in tokens:
        others = [u for u in tokens if folds[u] != folds[t] and values[u] == values[t] and values[t] is not None]
        for label in labels:
            r = residual(gold[t], given[t], label)
            w = fsum(residual(gold[u], given[u], label) for u in others) / (len(others) + ridge) if others else 0.0
            total.append(r * r)
            gained.append(r * r - (r - w) ** 2)
    return 100 * fsum(gained) / fsum(total) if any(total) else 0.0
