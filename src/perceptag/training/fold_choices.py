"""Choices on folds of little data: margins, the number of passes, the kind of weights and the score of O."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

from perceptag.engines.calls import Engine
from perceptag.evaluation.chunks import Counts
from perceptag.recipe.recipe import Recipe
from perceptag.text.sentence import Sentence
from perceptag.training.cross_validation import FoldRuns, Folds
from perceptag.training.margin_runs import HeldOutCounts, Make, Say, choose_margins, run_short
from perceptag.training.outside import STEPS, best_step, f_beta, on_grid
from perceptag.training.train import PassReport, Training

SMALL = 50_000  # tokens: with more, training on folds would take too long to be done unasked


class Step(NamedTuple):
    """One score of O, and what it gives on a fold."""

    outside_score: float
    counts: Counts


class FoldWorker:
    """Trains without a fold, and says what that gives on the fold."""

    def __init__(self, make: Make) -> None:
        self._make = make
        self._whole: dict[int, Training] = {}  # by fold

    def short(self, folds: Folds, fold: int, recipe: Recipe) -> HeldOutCounts:
        """The outcome of a short run."""
        return run_short(recipe, folds.pairs[fold], self._make)

    def reports(self, folds: Folds, fold: int, recipe: Recipe) -> list[PassReport]:
        """The reports of all passes."""
        training = self._whole[fold] = self._make(recipe, *folds.pairs[fold])
        return training.run_all().reports

    def curve(self, folds: Folds, fold: int, recipe: Recipe, weights: str) -> list[Step]:
        """What some scores of O give with the best pass of one kind of weights; nothing if there is no choice."""
        if fold not in self._whole:
            self.reports(folds, fold, recipe)
        training = self._whole[fold]
        tried = training.outside_scores(weights) if training.chooses_outside_score() else []
        return [Step(t.outside_score, t.counts) for t in tried]


def is_for_folds(recipe: Recipe, train: Sequence[Sentence]) -> bool:
    """Whether choices without dev data are made on folds."""
    if recipe.labels_missing:
        return False  # a fold whose labels are not all known cannot be scored
    return recipe.inner_folds > 1 and sum(map(len, train)) <= SMALL and len(train) >= 2 * recipe.inner_folds


def choose_on_folds(
    recipe: Recipe, folds: Folds, place: Engine, make: Make, note: Say, all_passes: bool
) -> tuple[Recipe, tuple[str, ...]]:
    """Return the recipe without open choices, and what was chosen. `all_passes`: their number is not a choice."""
    number = len(folds.pairs)
    short = f" and {number * recipe.margins} short ones" if recipe.margins > 1 else ""
    note(
        f"no dev data: choices are made on {number} folds, which takes {number} trainings{short}; "
        "--set inner_folds=0 makes none"
    )
    with FoldRuns(folds, place, partial(FoldWorker, make)) as runs:
        margins = choose_margins(recipe, lambda _, short: (_every_short(runs, short), None), note)
        chosen, reason = _choose_passes(margins.recipe, runs, all_passes)
    note(reason)
    return chosen, (*margins.reasons, reason)


def _every_short(runs: FoldRuns, recipes: Sequence[Recipe]) -> list[HeldOutCounts]:
    """The outcomes of short runs on all folds."""
    every = runs.every_of("short", [(recipe,) for recipe in recipes])
    return [HeldOutCounts([rows for one in some for rows in one.rows], some[-1].measure) for some in every]


def _choose_passes(recipe: Recipe, runs: FoldRuns, all_passes: bool) -> tuple[Recipe, str]:
    """Choose passes, the kind of weights and the score of O by what trainings without each fold give on it."""
    whole = recipe.replace({"inner_folds": 0})
    weights, epoch, score = _best_pass(recipe, runs.every("reports", whole), all_passes)
    settings: dict[str, object] = {"weights": weights, "epochs": epoch, "inner_folds": 0}
    reason = f"folds: {weights} weights of pass {epoch}, {score:.2f} on average"
    if recipe.recall and (outside := _outside_score(recipe.recall, runs.every("curve", whole, weights))) is not None:
        settings["outside_score"] = outside
        reason += f"; {outside:+g} for the score of O"
    return recipe.replace(settings), reason


def _best_pass(recipe: Recipe, folds: Sequence[Sequence[PassReport]], all_passes: bool) -> tuple[str, int, float]:
    """The kind of weights and the pass with the best mean score over the folds; the later one of equal passes."""
    passes = min(map(len, folds))
    found = []
    for number, weights in enumerate(recipe.kinds_of_weights):
        for i in range(passes - 1 if all_passes else 0, passes):
            scores = [reports[i].dev_kept if number == 0 else reports[i].dev_last for reports in folds]
            found.append((sum(score or 0.0 for score in scores) / len(scores), -number, i, weights))
    score, _, i, weights = max(found)
    return weights, i + 1, score


def _outside_score(beta: float, folds: Sequence[Sequence[Step]]) -> float | None:
    """The score of O with the best F over all folds. Its step is the same in each; the units may differ."""
    curves = [curve for curve in folds if curve]
    if not curves:
        return None
    sums = [_sum([curve[i].counts for curve in curves]) for i in range(len(STEPS))]
    best = best_step([f_beta(counts, beta) for counts in sums])
    return on_grid(sum(curve[best].outside_score for curve in curves) / len(curves))


def _sum(some: Sequence[Counts]) -> Counts:
    return Counts(sum(c.correct for c in some), sum(c.predicted for c in some), sum(c.gold for c in some))
