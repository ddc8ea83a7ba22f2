"""The perceptron for labels with parts, over dictionaries, by trying every labelling.

A label such as ``Case=Nom|Number=Sing`` has the parts ``Case=Nom`` and ``Number=Sing``. A feature that looks at one
label has a weight for the whole label and one for each part:

    Phi(x, y)    = the features of `reference.perceptron`, and (f, part of y_t) for every feature f of order 0
    score(x, y)  = Phi(x, y) . alpha
    GEN(x)       = all labellings with a candidate at each token; without candidates, all labels

Everything else is figure 1 of Collins (2002): `reference.perceptron`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import product

from reference.perceptron import Allows, Example, Input, Labels, Weights, global_features, plus

PART = "part"


def parts(label: str, separator: str) -> list[str]:
    """Return the parts of a label: each once, empty ones do not count, and ``_`` has none."""
    found: list[str] = []
    for part in label.split(separator):
        if part and part not in found and label != "_":
            found.append(part)
    return found


def features(x: Input, y: Sequence[str], separator: str) -> Weights:
    """Phi(x, y): the features of whole labels, and those of parts."""
    total = global_features(x, y)
    for t, label in enumerate(y):
        for feature in x[t]:
            for part in parts(label, separator) if feature.order == 0 else ():
                key = feature, (PART, part)
                total[key] = total.get(key, 0) + feature.amount
    return total


def score(alpha: Weights, x: Input, y: Sequence[str], separator: str) -> float:
    """Phi(x, y) . alpha."""
    return float(sum(alpha.get(feature, 0) * count for feature, count in features(x, y, separator).items()))


def best_labelling(alpha: Weights, x: Input, candidates: Sequence[Sequence[str]], separator: str) -> Labels:
    """Return the best labelling with a candidate at each token; of equal ones the first, read from the end."""
    reversed_labellings = product(*reversed(candidates))
    labellings = [tuple(reversed(y)) for y in reversed_labellings]
    return max(labellings, key=lambda y: score(alpha, x, y, separator))


def visited_weights(
    passes: Iterable[Sequence[tuple[Example, Sequence[Sequence[str]]]]],
    separator: str,
    allows: Allows = lambda _: True,
) -> Iterator[Weights]:
    """Yield every weight vector that training visits; an example comes with the candidates of its tokens."""
    alpha: Weights = {}
    for examples in passes:
        for (x, y), candidates in examples:
            z = best_labelling(alpha, x, candidates, separator)
            if z != y:
                alpha = plus(alpha, features(x, y, separator), +1, allows)
                alpha = plus(alpha, features(x, z, separator), -1, allows)
            yield alpha
