"""The perceptron for sentences with missing labels, as plainly as possible.

Sun, Matsuzaki, Okanohara and Tsujii (2009), "Latent Variable Perceptron Algorithm for Structured Classification",
IJCAI, for labels that are hidden at some tokens only.

    z = argmax_z  Phi(x, z) . alpha                          over all labellings
    y = argmax_y  Phi(x, y) . alpha                          over those that agree with the known labels
    if z != y:  alpha += Phi(x, y) - Phi(x, z)

Of equally good labellings both searches take the one with the earlier label, read from the end of the sentence.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import product

from perceptag.reference.perceptron import Input, Labels, Weights, best_labelling, global_features, plus, score

Known = tuple["str | None", ...]  # a label, or None where it is not known


def best_agreeing(alpha: Weights, x: Input, known: Known, labels: Sequence[str]) -> Labels:
    """Return the labelling with the highest score among those that agree, by enumeration."""
    choices = [labels if y is None else (y,) for y in known]
    order = {label: i for i, label in enumerate(labels)}
    return max(product(*choices), key=lambda y: (score(alpha, x, y), [-order[label] for label in reversed(y)]))


def visited_weights(passes: Iterable[Sequence[tuple[Input, Known]]], labels: Sequence[str]) -> Iterator[Weights]:
    """Yield every weight vector that training visits, one after each example of each pass."""
    alpha: Weights = {}
    for examples in passes:
        for x, known in examples:
            z = best_labelling(alpha, x, labels)
            y = best_agreeing(alpha, x, known, labels)
            if z != y:
                alpha = plus(alpha, global_features(x, y), +1)
                alpha = plus(alpha, global_features(x, z), -1)
            yield alpha
