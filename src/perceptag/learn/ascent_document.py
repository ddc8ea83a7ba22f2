"""Documents put together from the n-best lists of their sentences, one update for the whole document.

As `perceptag.learn.ascent`, but the labelling that is moved away from is that of the whole document, as coordinate
ascent found it, or, if that is gold, the best that differs from gold in one sentence:

    y = the document found by ascent; if it is gold, the best wrong one with a single sentence changed
    if Phi^a(y*).alpha - Phi^a(y).alpha <= C^a:    alpha += Phi^a(y*) - Phi^a(y)                       (A)
    elif some sentence's best labelling is wrong:  alpha += Phi^l(y*) - Phi^l(those)                   (B)
    elif the narrowest local margin is <= C^l:     alpha += Phi^l(y*) - Phi^l(that sentence's second)  (B)

Each update moves from a labelling that violates the margin towards gold, so the proof of convergence of Kazama and
Torisawa (2007), appendix A, covers it: at most (2C + R^2) / delta^2 updates on data that local features separate.
"""

from __future__ import annotations

from collections.abc import Iterable

from perceptag.learn.ascent import AscentProblem, Lists, best_other
from perceptag.learn.margin import Errors, differing
from perceptag.models.document.features import Stage
from perceptag.models.document.sequence_problem import Document
from perceptag.numeric.arrays import Floats


def learn_epoch(
    problem: AscentProblem, documents: Iterable[Document], margin_all: float, margin_local: float
) -> Errors:
    """Run one pass, one update for each document."""
    mistakes = wrong = 0
    for document in documents:
        lists, stage, found = problem.search(document)
        for s, x in enumerate(document.sequences):
            if found[s] != lists.gold[s]:
                mistakes += 1
                wrong += differing(x.labels, lists.labels[s][found[s]])
        w = problem.global_weights.w
        local = [problem.local_scores(x, labels) for x, labels in zip(document.sequences, lists.labels, strict=True)]
        rival = found if found != lists.gold else best_change(stage, lists, local, w)
        if rival is not None:
            if distance(stage, lists, local, rival, w) <= margin_all:
                _move(problem, document, lists, rival)
                problem.move_global(difference(stage, lists, rival))
            else:
                _move(problem, document, lists, local_rival(lists, local, margin_local))
        problem.weights.tick()
    return Errors(mistakes, wrong)


def best_change(stage: Stage, lists: Lists, local: list[Floats], weights: Floats) -> list[int] | None:
    """The gold document with one sentence changed so that it loses least; None if there is nothing to change."""
    _choose(stage, lists.gold)
    best: tuple[float, int, int] | None = None
    for s, gold in enumerate(lists.gold):
        total = local[s] + stage.scores(s, weights)
        other = best_other(total, gold)
        if other is not None and (best is None or total[gold] - total[other] < best[0]):
            best = float(total[gold] - total[other]), s, other
    if best is None:
        return None
    return [best[2] if s == best[1] else gold for s, gold in enumerate(lists.gold)]


def distance(stage: Stage, lists: Lists, local: list[Floats], rival: list[int], weights: Floats) -> float:
    """Phi^a(y*).alpha - Phi^a(y).alpha of the whole document."""
    gap = sum(float(scores[g] - scores[k]) for scores, g, k in zip(local, lists.gold, rival, strict=True))
    change = difference(stage, lists, rival)
    width = min(len(change), len(weights))
    return gap + float(change[:width] @ weights[:width])


def difference(stage: Stage, lists: Lists, rival: list[int]) -> Floats:
    """Phi^g(y*) - Phi^g(y) of the whole document."""
    _choose(stage, lists.gold)
    gold = stage.vector()
    _choose(stage, rival)
    other = stage.vector()
    change = gold.copy() if len(gold) >= len(other) else -other
    shorter = min(len(gold), len(other))
    change[:shorter] = gold[:shorter] - other[:shorter]
    return change


def local_rival(lists: Lists, local: list[Floats], margin: float) -> list[int]:
    """What (B) moves away from: all sentences that are wrong, or the one with the narrowest margin, or nothing."""
    best = [int(scores.argmax()) for scores in local]
    if best != lists.gold:
        return best
    gaps = []
    for s, (scores, gold) in enumerate(zip(local, lists.gold, strict=True)):
        other = best_other(scores, gold)
        if other is not None and scores[gold] - scores[other] <= margin:
            gaps.append((float(scores[gold] - scores[other]), s, other))
    rival = list(lists.gold)
    if gaps:
        _, s, other = min(gaps)
        rival[s] = other
    return rival


def _choose(stage: Stage, chosen: list[int]) -> None:
    for s, k in enumerate(chosen):
        stage.choose(s, k)


def _move(problem: AscentProblem, document: Document, lists: Lists, rival: list[int]) -> None:
    for s, x in enumerate(document.sequences):
        if rival[s] != lists.gold[s]:
            problem.move_local(x, lists.labels[s][rival[s]])
