"""The margin perceptron over dictionaries, by trying every labelling.

Kazama and Torisawa (2007), "A New Perceptron Algorithm for Sequence Labeling with Non-local Features",
EMNLP-CoNLL [D07-1033], algorithm 3.1.

    y'  = argmax_y    Phi(x, y) . alpha                                 best(alpha, x.local, x.labellings, 2)
    y'' = 2nd-best_y  Phi(x, y) . alpha
    if y' != y*:                                                        y_prime != x.y_star
      alpha += Phi(x, y*) - Phi(x, y')                                  moved(alpha, x.local, x.y_star, y_prime)
    elif Phi(x, y*) . alpha - Phi(x, y'') . alpha <= C:                 gap(alpha, x.local, x.y_star, y_second) <= C
      alpha += Phi(x, y*) - Phi(x, y'')                                 moved(alpha, x.local, x.y_star, y_second)

An example gives its features as a function of a labelling: Phi(x, y) is `x.local(y)`.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product
from typing import NamedTuple

from reference.perceptron import Allows, Input, Labels, global_features

Vector = dict[Hashable, float]  # a missing feature is zero
Features = Callable[[Labels], Vector]


@dataclass(frozen=True)
class MarginExample:
    """An example x as the algorithm sees it."""

    labellings: Sequence[Labels]  # all possible ones; if scores are equal, the earlier one wins
    y_star: Labels  # gold
    local: Features


class Visit(NamedTuple):
    """One step of training: the labelling found, and the weights afterwards."""

    y_prime: Labels
    alpha: Vector


def visits(passes: Iterable[Sequence[MarginExample]], C: float, start: Vector | None = None) -> Iterator[Visit]:
    """Algorithm 3.1: yield one visit of each example of each pass, from zero or from the weights of `start`."""
    alpha: Vector = dict(start or {})
    for examples in passes:
        for x in examples:
            y_prime, y_second = best_two(alpha, x.local, x.labellings)
            if y_prime != x.y_star:
                alpha = moved(alpha, x.local, x.y_star, y_prime)
            elif y_second is not None and gap(alpha, x.local, x.y_star, y_second) <= C:
                alpha = moved(alpha, x.local, x.y_star, y_second)
            yield Visit(y_prime, alpha)


def best_two(alpha: Vector, phi: Features, labellings: Iterable[Labels]) -> tuple[Labels, Labels | None]:
    """Return the best and the second best labelling; None if there is only one."""
    first, *rest = best(alpha, phi, labellings, 2)
    return first, rest[0] if rest else None


def best(alpha: Vector, phi: Features, labellings: Iterable[Labels], n: int) -> list[Labels]:
    """Return the n labellings with the highest Phi . alpha, best first."""
    return sorted(labellings, key=lambda y: -dot(phi(y), alpha))[:n]


def gap(alpha: Vector, phi: Features, y_star: Labels, y: Labels) -> float:
    """Phi(x, y*) . alpha - Phi(x, y) . alpha."""
    return dot(phi(y_star), alpha) - dot(phi(y), alpha)


def dot(phi: Vector, alpha: Vector) -> float:
    """Phi . alpha."""
    return sum(value * alpha.get(feature, 0) for feature, value in phi.items())


def moved(alpha: Vector, phi: Features, toward: Labels, away: Labels) -> Vector:
    """alpha + Phi(x, toward) - Phi(x, away), as a new vector without zeros."""
    result = dict(alpha)
    for y, sign in ((toward, +1), (away, -1)):
        for feature, value in phi(y).items():
            result[feature] = result.get(feature, 0) + sign * value
    return {feature: weight for feature, weight in result.items() if weight}


def all_labellings(labels: Sequence[str], length: int) -> list[Labels]:
    """Return every labelling, in the order of `reference.lattice.tie_order`.

    >>> all_labellings("AB", 2)
    [('A', 'A'), ('B', 'A'), ('A', 'B'), ('B', 'B')]
    """
    return [tuple(reversed(y)) for y in product(labels, repeat=length)]


def local_features(x: Input, allows: Allows = lambda _: True) -> Features:
    """Phi(x, y) of `reference.perceptron`, without features that have no parameter."""

    @cache
    def phi(y: Labels) -> Vector:
        return {feature: float(count) for feature, count in global_features(x, y).items() if allows(feature)}

    return phi
