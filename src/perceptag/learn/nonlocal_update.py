"""The perceptron with non-local features.

Kazama and Torisawa (2007), algorithm 4.2, the paper's proposal. For every document:

    (A)  as in algorithm 4.1, with C^a                              update_all
    (B)  if (A) changed nothing; y^1, y^2 = best and second best of the n-best list under the local model
         if y^1 != y*:                                 alpha += Phi^l(y*) - Phi^l(y^1)
         elif Phi^l(y*).alpha - Phi^l(y^2).alpha <= C^l:  alpha += Phi^l(y*) - Phi^l(y^2)

(B) makes sure that the gold labelling gets into the list, without which (A) cannot find it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from perceptag.learn.candidate import Candidates, Problem, best_two, update_all
from perceptag.learn.margin import Errors, differing


def learn_epoch(problem: Problem, documents: Iterable[Any], margin_all: float, margin_local: float) -> Errors:
    """Run one pass of algorithm 4.2."""
    mistakes = wrong = 0
    for x in documents:
        found = problem.candidates(x)
        first, _ = best_two(found.total)
        if not update_all(problem, x, found, margin_all):
            update_local(problem, x, found, margin_local)
        problem.tick()
        if found.labels[first] != found.gold:
            mistakes += 1
            wrong += differing(found.gold, found.labels[first])
    return Errors(mistakes, wrong)


def update_local(problem: Problem, x: Any, found: Candidates, margin: float) -> bool:
    """Branch (B); say whether it moved the weights."""
    if found.labels[0] != found.gold:
        problem.move_local(x, found, away=0)
        return True
    if len(found.labels) > 1 and found.gold_local - found.local[1] <= margin:
        problem.move_local(x, found, away=1)
        return True
    return False
