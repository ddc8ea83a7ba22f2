"""The candidate algorithm: non-local features, learned on n-best lists of the local model.

Kazama and Torisawa (2007), algorithm 4.1. `Phi^l` are the local features, `Phi^g` the non-local ones, `Phi^a`
all of them. For every document:

    {y^n} = n-best under Phi^l.alpha;  y', y'' = best and second best of them under Phi^a.alpha
    if y' != y* and Phi^a(y*).alpha - Phi^a(y').alpha <= C:   alpha += Phi^a(y*) - Phi^a(y')
    elif Phi^a(y*).alpha - Phi^a(y'').alpha <= C:             alpha += Phi^a(y*) - Phi^a(y'')

`y*` may be missing from the list. The authors found that this alone does not work well; see
`perceptag.learn.nonlocal_update`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from perceptag._core import Labels
from perceptag.learn.margin import Errors, differing


class Candidates(Protocol):
    """The n-best list of a document, with all scores under the weights as they are now."""

    @property
    def labels(self) -> Sequence[Labels]:
        """Best first under the local model."""

    @property
    def local(self) -> npt.NDArray[np.float64]:
        """``Phi^l.alpha`` of each."""

    @property
    def total(self) -> npt.NDArray[np.float64]:
        """``Phi^a.alpha`` of each."""

    @property
    def gold(self) -> Labels:
        """The gold labelling, in the list or not."""

    @property
    def gold_local(self) -> float:
        """Its local score."""

    @property
    def gold_total(self) -> float:
        """Its total score."""


class Problem(Protocol):
    """What the algorithms of the paper need of a model."""

    def candidates(self, x: Any) -> Any:
        """The n best of the local model."""

    def move_all(self, x: Any, found: Any, away: int) -> None:
        """alpha += Phi^a(y*) - Phi^a(candidate `away`)."""

    def move_local(self, x: Any, found: Any, away: int) -> None:
        """alpha += Phi^l(y*) - Phi^l(candidate `away`)."""

    def tick(self) -> None:
        """One document has passed."""


def learn_epoch(problem: Problem, documents: Iterable[Any], margin: float) -> Errors:
    """Run one pass of algorithm 4.1."""
    mistakes = wrong = 0
    for x in documents:
        found = problem.candidates(x)
        first, _ = best_two(found.total)
        update_all(problem, x, found, margin)
        problem.tick()
        if found.labels[first] != found.gold:
            mistakes += 1
            wrong += differing(found.gold, found.labels[first])
    return Errors(mistakes, wrong)


def update_all(problem: Problem, x: Any, found: Candidates, margin: float) -> bool:
    """Both branches of the algorithm, (A) in the paper; say whether one of them moved the weights."""
    first, second = best_two(found.total)
    if found.labels[first] != found.gold and found.gold_total - found.total[first] <= margin:
        problem.move_all(x, found, away=first)
        return True
    if second is not None and found.gold_total - found.total[second] <= margin:
        # Were this the gold labelling, the first branch would have been taken.
        assert found.labels[second] != found.gold
        problem.move_all(x, found, away=second)
        return True
    return False


def best_two(total: npt.NDArray[np.float64]) -> tuple[int, int | None]:
    """The numbers of the best and second best score; of equal ones the better under the local model is first.

    >>> best_two(np.array([1.0, 3.0, 3.0]))
    (1, 2)
    """
    first = int(total.argmax())
    if len(total) == 1:
        return first, None
    rest = total.copy()
    rest[first] = -np.inf
    return first, int(rest.argmax())
