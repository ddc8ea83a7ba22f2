"""Re-ranking over dictionaries: algorithm 4.1 on the fixed n-best lists of a first model.

Kazama and Torisawa (2007) [D07-1033], section 6.3. The training data are cut into folds; the list of a document comes
from a model of the other folds (`propose`), trained by algorithm 3.1 on local features. Next to the non-local
features the second model has

    re-ranking 1   the score of the first model as one feature           `with_first_score`
    re-ranking 2   the same local features, with weights of their own    the document as it is
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from reference import margin
from reference.margin import Vector, Visit, best, best_two, dot
from reference.nonlocal_perceptron import DocumentExample, update_all
from reference.perceptron import Labels

FIRST_SCORE = "score of the first model"


class Listed(NamedTuple):
    """A document, and what the first model says about it."""

    x: DocumentExample
    n_best: Sequence[Labels]
    first: Vector  # the weights of the first model


def propose(folds: Sequence[Sequence[DocumentExample]], epochs: int, C: float, n: int) -> Iterator[Listed]:
    """Yield the n-best list of every document, from a model of the other folds."""
    for heldout in folds:
        others = [x for fold in folds if fold is not heldout for x in fold]
        *_, last = margin.visits([others] * epochs, C)
        for x in heldout:
            yield Listed(x, best(last.alpha, x.local, x.labellings, n), last.alpha)


def with_first_score(listed: Listed, spread: float) -> Listed:
    """Re-ranking 1: replace the local features by the score of the first model, divided by `spread`."""
    x, _, first = listed
    return listed._replace(x=replace(x, local=lambda y: {FIRST_SCORE: dot(x.local(y), first) / spread}))


def visits(passes: Iterable[Sequence[Listed]], C: float) -> Iterator[Visit]:
    """Algorithm 4.1 with {y^n} of the first model: yield one visit of each document of each pass."""
    alpha: Vector = {}
    for documents in passes:
        for x, n_best, _ in documents:
            y_prime, _ = best_two(alpha, x.all, n_best)
            alpha = update_all(alpha, x, n_best, C)
            yield Visit(y_prime, alpha)
