"""Coordinate ascent with one update for the whole document.

Read first: learn/ascent.py; machinery: models/document/; tables: reproduce/kazama2007.py

This is like `perceptag.learn.ascent`, but an update moves away from a labelling of the whole document: the one that
coordinate ascent found, or, if that is gold, the best one that differs from gold in one sentence:

    y = the document found by ascent; if it is gold, the best wrong one with a single sentence changed
    if Phi^a(y*).alpha - Phi^a(y).alpha <= C^a:    alpha += Phi^a(y*) - Phi^a(y)                       (A)
    elif some sentence's best labelling is wrong:  alpha += Phi^l(y*) - Phi^l(those)                   (B)
    elif the narrowest local margin is <= C^l:     alpha += Phi^l(y*) - Phi^l(that sentence's second)  (B)

Each update moves from a labelling that violates the margin towards gold, so the proof of convergence of Kazama and
Torisawa (2007), appendix A, covers it: at most (2C + R^2) / delta^2 updates on data that local features separate.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Protocol

from perceptag.learn.candidate_lists import Document, ListedDocument, ListProblem, best_other, count_inferred
from perceptag.learn.learner import Errors, Learner
from perceptag.learn.settings import DOCUMENT, MARGIN, MARGIN_LOCAL

if TYPE_CHECKING:
    from perceptag.arrays import Floats


class WholeDocument(ListedDocument, Protocol):
    """A document whose features as a whole can move the weights."""

    def features(self) -> Floats:
        """Phi^g of the document as chosen."""

    def score(self, features: Floats, /) -> float:
        """``Phi^g.alpha`` of non-local features."""

    def move_local(self, s: int, away: int, /) -> None:
        """alpha += Phi^l(y*) - Phi^l(candidate `away`), of sentence s."""

    def move_nonlocal(self, difference: Floats, /) -> None:
        """alpha += Phi^g(y*) - Phi^g(y), given as a difference."""


def learn_epoch(
    problem: ListProblem[Document, WholeDocument], documents: Iterable[Document], C_all: float, C_local: float
) -> Errors:
    """Run one pass, one update for each document."""
    errors = Errors()
    for x in documents:
        document = problem.search(x)
        for s in range(len(document.gold)):
            count_inferred(errors, document, s)
        local = [document.local_scores(s) for s in range(len(document.gold))]
        y = document.inferred if document.inferred != document.gold else best_change(document, local)
        if y is not None:
            change = nonlocal_difference(document, y)
            if local_difference(document.gold, local, y) + document.score(change) <= C_all:
                move_local(document, y)
                document.move_nonlocal(change)
            else:
                move_local(document, local_rival(document.gold, local, C_local))
        problem.tick()
    return errors


def best_change(document: WholeDocument, local: Sequence[Floats]) -> list[int] | None:
    """Return the best labelling that differs from gold in one sentence; None if no sentence has another candidate."""
    choose(document, document.gold)
    best: tuple[float, int, int] | None = None
    for s, gold in enumerate(document.gold):
        total = local[s] + document.nonlocal_scores(s)
        other = best_other(total, gold)
        if other is not None and (best is None or total[gold] - total[other] < best[0]):
            best = float(total[gold] - total[other]), s, other
    if best is None:
        return None
    return [best[2] if s == best[1] else gold for s, gold in enumerate(document.gold)]


def local_difference(gold: Sequence[int], local: Sequence[Floats], y: Sequence[int]) -> float:
    """Phi^l(y*).alpha - Phi^l(y).alpha of the whole document."""
    return sum(float(scores[g] - scores[k]) for scores, g, k in zip(local, gold, y, strict=True))


def nonlocal_difference(document: WholeDocument, y: Sequence[int]) -> Floats:
    """Phi^g(y*) - Phi^g(y) of the whole document; a feature that only one of them has may be new."""
    choose(document, document.gold)
    gold = document.features()
    choose(document, y)
    other = document.features()
    change = gold.copy() if len(gold) >= len(other) else -other
    shorter = min(len(gold), len(other))
    change[:shorter] = gold[:shorter] - other[:shorter]
    return change


def local_rival(gold: Sequence[int], local: Sequence[Floats], C_local: float) -> Sequence[int]:
    """Return the target of (B): all wrong sentences, or the one with the narrowest margin, or none."""
    best = [int(scores.argmax()) for scores in local]
    if best != gold:
        return best
    gaps = []
    for s, (scores, g) in enumerate(zip(local, gold, strict=True)):
        other = best_other(scores, g)
        if other is not None and scores[g] - scores[other] <= C_local:
            gaps.append((float(scores[g] - scores[other]), s, other))
    rival = list(gold)
    if gaps:
        _, s, other = min(gaps)
        rival[s] = other
    return rival


def choose(document: WholeDocument, y: Sequence[int]) -> None:
    """Choose a candidate in every sentence."""
    for s, k in enumerate(y):
        document.choose(s, k)


def move_local(document: WholeDocument, y: Sequence[int]) -> None:
    """alpha += Phi^l(y*) - Phi^l(y) of the whole document."""
    for s, gold in enumerate(document.gold):
        if y[s] != gold:
            document.move_local(s, y[s])


LEARNER = Learner(
    name="ascent-document",
    kind="nonlocal",
    epoch=learn_epoch,
    source="Kazama and Torisawa (2007), algorithm 4.2, on documents put together from lists",
    settings=(MARGIN, MARGIN_LOCAL, *DOCUMENT),
    problem="lists",
)
