"""The perceptron with non-local features over dictionaries, by trying every labelling.

Kazama and Torisawa (2007), "A New Perceptron Algorithm for Sequence Labeling with Non-local Features",
EMNLP-CoNLL [D07-1033], algorithms 4.1 (`candidate`) and 4.2 (`proposed`).

    {y^n} = n-best_y  Phi^l(x, y) . alpha                               best(alpha, x.local, x.labellings, n)
    y', y'' = best and second best of {y^n} under Phi^a(x, y) . alpha   best_two(alpha, x.all, n_best)
    if y' != y* and Phi^a(x, y*) . alpha - Phi^a(x, y') . alpha <= C^a:
      alpha += Phi^a(x, y*) - Phi^a(x, y')                                                                  (A)
    elif Phi^a(x, y*) . alpha - Phi^a(x, y'') . alpha <= C^a:
      alpha += Phi^a(x, y*) - Phi^a(x, y'')                                                                 (A)
    else, in 4.2:
      y^1, y^2 = best and second best of {y^n} under Phi^l(x, y) . alpha     best_two(alpha, x.local, n_best)
      if y^1 != y*:
        alpha += Phi^l(x, y*) - Phi^l(x, y^1)                                                               (B)
      elif Phi^l(x, y*) . alpha - Phi^l(x, y^2) . alpha <= C^l:
        alpha += Phi^l(x, y*) - Phi^l(x, y^2)                                                               (B)

Section 4.3 names two alternatives: with `conservative` (B) only moves toward a y* that is not in {y^n}; with
`local_first` (B) comes before (A). Each update leaves the weights as they are where its condition does not hold.

A document gives its features as functions of a labelling: Phi^l(x, y) is `x.local(y)`, Phi^g(x, y) is
`x.nonlocal_(y)`, and Phi^a(x, y), `x.all(y)`, is both.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from reference.margin import Features, MarginExample, Vector, Visit, best, best_two, gap, moved
from reference.perceptron import Labels


@dataclass(frozen=True)
class DocumentExample(MarginExample):
    """An example with non-local features, none of which has the name of a local one."""

    nonlocal_: Features

    def all(self, y: Labels) -> Vector:
        """Phi^a(x, y)."""
        return self.local(y) | self.nonlocal_(y)


def candidate(
    passes: Iterable[Sequence[DocumentExample]], n: int, C: float, start: Vector | None = None
) -> Iterator[Visit]:
    """Algorithm 4.1: yield one visit of each document of each pass, from zero or from the weights of `start`."""
    alpha: Vector = dict(start or {})
    for documents in passes:
        for x in documents:
            n_best = best(alpha, x.local, x.labellings, n)
            y_prime, _ = best_two(alpha, x.all, n_best)
            alpha = update_all(alpha, x, n_best, C)
            yield Visit(y_prime, alpha)


def proposed(
    passes: Iterable[Sequence[DocumentExample]],
    n: int,
    C_all: float,
    C_local: float,
    conservative: bool = False,
    local_first: bool = False,
    start: Vector | None = None,
) -> Iterator[Visit]:
    """Algorithm 4.2: yield one visit of each document of each pass, from zero or from the weights of `start`."""
    alpha: Vector = dict(start or {})
    for documents in passes:
        for x in documents:
            n_best = best(alpha, x.local, x.labellings, n)
            y_prime, _ = best_two(alpha, x.all, n_best)
            a = update_all(alpha, x, n_best, C_all)
            b = update_unlisted(alpha, x, n_best) if conservative else update_local(alpha, x, n_best, C_local)
            first, second = (b, a) if local_first else (a, b)
            alpha = second if first is alpha else first
            yield Visit(y_prime, alpha)


def update_all(alpha: Vector, x: DocumentExample, n_best: Sequence[Labels], C: float) -> Vector:
    """(A): y* must win by more than C among the listed labellings, under all features."""
    y_prime, y_second = best_two(alpha, x.all, n_best)
    if y_prime != x.y_star and gap(alpha, x.all, x.y_star, y_prime) <= C:
        return moved(alpha, x.all, x.y_star, y_prime)
    if y_second is not None and gap(alpha, x.all, x.y_star, y_second) <= C:
        assert y_second != x.y_star  # otherwise y' beats y*, and the first branch was taken
        return moved(alpha, x.all, x.y_star, y_second)
    return alpha


def update_local(alpha: Vector, x: DocumentExample, n_best: Sequence[Labels], C: float) -> Vector:
    """(B): y* must be the first of the list, and win by more than C under local features."""
    y1, y2 = best_two(alpha, x.local, n_best)
    if y1 != x.y_star:
        return moved(alpha, x.local, x.y_star, y1)
    if y2 is not None and gap(alpha, x.local, x.y_star, y2) <= C:
        return moved(alpha, x.local, x.y_star, y2)
    return alpha


def update_unlisted(alpha: Vector, x: DocumentExample, n_best: Sequence[Labels]) -> Vector:
    """Conservative (B): y* must be in the list."""
    return alpha if x.y_star in n_best else moved(alpha, x.local, x.y_star, n_best[0])
