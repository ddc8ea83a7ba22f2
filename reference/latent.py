"""The perceptron for sentences with missing labels, as plainly as possible.

Sun, Matsuzaki, Okanohara and Tsujii (2009), "Latent Variable Perceptron Algorithm for Structured Classification",
IJCAI, for labels that are hidden at some tokens only.

    z = argmax_z  Phi(x, z) . alpha                          over all labellings
    y = argmax_y  Phi(x, y) . alpha                          over those that agree with the known labels
    if z != y:  alpha += Phi(x, y) - Phi(x, z)

The same for margins and non-local features, of a document that is one sequence (`ascent`): y* is the best of the
candidates that agree, and what it must be above by a margin is the best of those that do not.

    {y^n} = n-best_y  Phi^l(x, y) . alpha, and the best under Phi^l . alpha that agrees
    y*, y = best of {y^n} that agrees, and best that does not, under Phi^a(x, y) . alpha
    if Phi^a(x, y*) . alpha - Phi^a(x, y) . alpha <= C^a:      alpha += Phi^a(x, y*) - Phi^a(x, y)           (A)
    else the same two under Phi^l, with C^l:                   alpha += Phi^l(x, y*) - Phi^l(x, y)           (B)

Of equally good labellings both searches take the one with the earlier label, read from the end of the sentence.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import product

from reference.margin import Features, Vector, best, gap, moved
from reference.nonlocal_perceptron import DocumentExample
from reference.perceptron import Input, Labels, Weights, best_labelling, global_features, plus, score

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


def ascent(
    passes: Iterable[Sequence[tuple[DocumentExample, Known]]],
    n: int,
    C_all: float,
    C_local: float,
    start: Vector | None = None,
) -> Iterator[Vector]:
    """Yield the weights after each document of each pass; a document is one sequence."""
    alpha: Vector = dict(start or {})
    for documents in passes:
        for x, known in documents:
            candidates = best(alpha, x.local, x.labellings, n)
            agreeing = [y for y in x.labellings if _agrees(y, known)]
            candidates += [y for y in best(alpha, x.local, agreeing, 1) if y not in candidates]
            update = _update(alpha, x.all, C_all, candidates, known)  # (A)
            if update is None:
                update = _update(alpha, x.local, C_local, candidates, known)  # (B)
            alpha = alpha if update is None else update
            yield alpha


def _agrees(y: Labels, known: Known) -> bool:
    return all(given in (label, None) for label, given in zip(y, known, strict=True))


def _update(alpha: Vector, phi: Features, C: float, candidates: Sequence[Labels], known: Known) -> Vector | None:
    """Return the weights after an update; None if the margin is wide enough, or if all candidates agree."""
    wrong = best(alpha, phi, (y for y in candidates if not _agrees(y, known)), 1)
    [y_star] = best(alpha, phi, (y for y in candidates if _agrees(y, known)), 1)
    if not wrong or gap(alpha, phi, y_star, wrong[0]) > C:
        return None
    return moved(alpha, phi, y_star, wrong[0])
