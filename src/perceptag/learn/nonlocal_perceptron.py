"""The perceptron with non-local features: the candidate algorithm and the proposed algorithm.

Read first: reference/nonlocal_perceptron.py; machinery: models/document/; tables: reproduce/kazama2007.py

Kazama and Torisawa (2007), "A New Perceptron Algorithm for Sequence Labeling with Non-local Features",
EMNLP-CoNLL [D07-1033], algorithms 4.1 (learner "candidate") and 4.2 (learner "nonlocal"). `Phi^l` are the local
features, `Phi^g` the non-local ones, `Phi^a` all of them. 4.1 is 4.2 without (B), and C^a is its C.

    until no more updates, for i = 1..L                                  one pass is one call
      {y^n} = n-best_y           Phi^l(x, y) . alpha                     y_star, n_best = problem.candidates(x)
      y'  = argmax_y in {y^n}    Phi^a(x, y) . alpha                     y_prime, y_second = best_two(n_best)
      y'' = 2nd-best_y in {y^n}  Phi^a(x, y) . alpha
      if y' != y* and Phi^a(x, y*) . alpha - Phi^a(x, y') . alpha <= C^a:    y_star.total - y_prime.total <= C_all
        alpha += Phi^a(x, y*) - Phi^a(x, y')                             problem.move_all(x, y_star, y_prime)      (A)
      elif Phi^a(x, y*) . alpha - Phi^a(x, y'') . alpha <= C^a:          y_star.total - y_second.total <= C_all
        alpha += Phi^a(x, y*) - Phi^a(x, y'')                            problem.move_all(x, y_star, y_second)     (A)
      else:
        y^1, y^2 = best and 2nd best of {y^n} under Phi^l(x, y) . alpha  y1, y2 = first_two(n_best)
        if y^1 != y*:
          alpha += Phi^l(x, y*) - Phi^l(x, y^1)                          problem.move_local(x, y_star, y1)         (B)
        elif Phi^l(x, y*) . alpha - Phi^l(x, y^2) . alpha <= C^l:        y_star.local - y2.local <= C_local
          alpha += Phi^l(x, y*) - Phi^l(x, y^2)                          problem.move_local(x, y_star, y2)         (B)

In the loops below, `total_rival` finds the y' or y'' of (A), and `local_rival` the y^1 or y^2 of (B). Section 4.3 names
two alternatives, which worked less well for the authors:
- `conservative`: "we cease the update when the n-best candidates contain the correct answer", so (B) becomes
  ``if y* not in {y^n}: alpha += Phi^l(x, y*) - Phi^l(x, y^1)``
- `local_first`: (B) has priority over (A); "the opposite is also possible"

The gold labelling y* may be missing from {y^n}: then no choice from the list can be right. So 4.1 alone does not
work well, as the authors found; (B) makes the local model good enough to list y*. Where the second branch looks at
y'', it is never y*: a listed y* is y', or y' beats it and the first branch is taken. A list of one has no y'' or y^2.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, Protocol, TypeVar

from perceptag._core import Labels
from perceptag.learn.learner import Errors, Learner, Setting
from perceptag.learn.settings import DOCUMENT, MARGIN, MARGIN_LOCAL

if TYPE_CHECKING:
    from perceptag.arrays import Floats

Document = TypeVar("Document", contravariant=True)  # noqa: PLC0105


@dataclass(frozen=True, slots=True, eq=False)
class Candidate:
    """A labelling y of a document, with its scores under the current weights."""

    labels: Labels
    local: float  # Phi^l(x, y) . alpha
    total: float  # Phi^a(x, y) . alpha
    features: Floats  # Phi^g(x, y)


class Found(NamedTuple):
    """The candidates of the local model for a document."""

    y_star: Candidate  # the gold labelling, in the list or not
    n_best: Sequence[Candidate]  # {y^n}: best first under the local model, at least one


class NonlocalProblem(Protocol[Document]):
    """A model as the algorithms need it."""

    def candidates(self, x: Document, /) -> Found:
        """Return the n best of the local model, and the gold labelling."""

    def move_all(self, x: Document, toward: Candidate, away: Candidate, /) -> None:
        """alpha += Phi^a(x, toward) - Phi^a(x, away)."""

    def move_local(self, x: Document, toward: Candidate, away: Candidate, /) -> None:
        """alpha += Phi^l(x, toward) - Phi^l(x, away)."""

    def tick(self) -> None:
        """Count one document, for the average."""


def learn_candidate(problem: NonlocalProblem[Document], documents: Iterable[Document], C: float) -> Errors:
    """Run one pass of algorithm 4.1."""
    errors = Errors()
    for x in documents:
        y_star, n_best = problem.candidates(x)
        if rival := total_rival(y_star, n_best, C):
            problem.move_all(x, y_star, rival)
        errors.count(y_star.labels, best_two(n_best)[0].labels)
        problem.tick()
    return errors


def learn_proposed(
    problem: NonlocalProblem[Document],
    documents: Iterable[Document],
    C_all: float,
    C_local: float,
    conservative: bool = False,
    local_first: bool = False,
) -> Errors:
    """Run one pass of algorithm 4.2."""
    errors = Errors()
    for x in documents:
        y_star, n_best = problem.candidates(x)
        rival = total_rival(y_star, n_best, C_all)
        nearest = unlisted_rival(y_star, n_best) if conservative else local_rival(y_star, n_best, C_local)
        if rival and not (local_first and nearest):
            problem.move_all(x, y_star, rival)  # (A)
        elif nearest:
            problem.move_local(x, y_star, nearest)  # (B)
        errors.count(y_star.labels, best_two(n_best)[0].labels)
        problem.tick()
    return errors


def total_rival(y_star: Candidate, n_best: Sequence[Candidate], C_all: float) -> Candidate | None:
    """(A): return the listed labelling that y* does not beat by more than C^a under all features, if there is one."""
    y_prime, y_second = best_two(n_best)
    if y_prime.labels != y_star.labels and y_star.total - y_prime.total <= C_all:
        return y_prime
    if y_second and y_star.total - y_second.total <= C_all:
        return y_second
    return None


def local_rival(y_star: Candidate, n_best: Sequence[Candidate], C_local: float) -> Candidate | None:
    """(B): return the listed labelling that y* does not beat under local features, or not by more than C^l."""
    y1, y2 = first_two(n_best)
    if y1.labels != y_star.labels:
        return y1
    if y2 and y_star.local - y2.local <= C_local:
        return y2
    return None


def unlisted_rival(y_star: Candidate, n_best: Sequence[Candidate]) -> Candidate | None:
    """Conservative (B): return the first of a list that does not contain y*; None if it does."""
    return None if any(y.labels == y_star.labels for y in n_best) else n_best[0]


def best_two(n_best: Sequence[Candidate]) -> tuple[Candidate, Candidate | None]:
    """Return the two with the highest total scores; of equal ones the better under the local model is first."""
    return first_two(sorted(n_best, key=lambda y: -y.total))


def first_two(candidates: Sequence[Candidate]) -> tuple[Candidate, Candidate | None]:
    """Return the first two of a list; None where there is no second."""
    return candidates[0], candidates[1] if len(candidates) > 1 else None


CONSERVATIVE = Setting("conservative", False, "update the local model only while its list lacks the gold labelling")
LOCAL_FIRST = Setting("local_first", False, "update the local model, (B), before the whole model, (A)")

LEARNERS = (
    Learner(
        name="candidate",
        kind="nonlocal",
        epoch=learn_candidate,
        source="Kazama and Torisawa (2007), algorithm 4.1",
        settings=(MARGIN, *DOCUMENT),
        problem="sequences",
    ),
    Learner(
        name="nonlocal",
        kind="nonlocal",
        epoch=learn_proposed,
        source="Kazama and Torisawa (2007), algorithm 4.2",
        settings=(MARGIN, MARGIN_LOCAL, CONSERVATIVE, LOCAL_FIRST, *DOCUMENT),
        problem="sequences",
    ),
)
