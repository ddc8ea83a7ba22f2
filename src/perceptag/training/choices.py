"""Choices that are made before training: margins in short runs, and without dev data everything on folds.

    dev data       `margins` short runs with smaller and smaller margins; another one must clearly win
    no dev data    with little data and `inner_folds`: the same on folds of the documents, and there also the number of
                   passes, the kind of weights and the score of O

What was chosen is written into the recipe, so a model says how it was trained. With dev data the pass, the kind of
weights and the score of O are chosen later, by `Training` itself.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from perceptag.evaluation.chunks import Counts
from perceptag.learn.learner import python_name
from perceptag.learn.settings import MARGIN, MARGIN_LOCAL
from perceptag.recipe.recipe import Recipe
from perceptag.text.sentence import Sentence
from perceptag.training.fold_runs import FoldRuns, Folds, RunsHere, Step
from perceptag.training.margin_runs import Begin, Make, Say, choose_margins, run_on_dev
from perceptag.training.outside import STEPS, best_step, f_beta, on_grid
from perceptag.training.train import PassReport, Training

SMALL = 50_000  # tokens: with more, training on folds would take too long to be done unasked


@dataclass(frozen=True, slots=True)
class Settled:
    """A recipe without open choices, and what was chosen, one sentence each."""

    recipe: Recipe
    reasons: tuple[str, ...] = ()
    begun: Training | None = None  # the training of the recipe, if choosing has run its first passes

    def for_manifest(self, auto: Mapping[str, object] | None) -> dict[str, object]:
        """What the manifest of a model says about these choices, and about that of the recipe."""
        return ({"auto": dict(auto)} if auto else {}) | ({"choices": list(self.reasons)} if self.reasons else {})


def respecting(recipe: Recipe, settings: Mapping[str, object]) -> Recipe:
    """The recipe without the choice of what the user has set: a margin, or the score of O."""
    given = {python_name(key) for key in settings}
    settled: dict[str, object] = {}
    if {"margin", "margin_local"} & given and "margins" not in given:
        settled["margins"] = 1
    if "outside_score" in given and "recall" not in given:
        settled["recall"] = 0
    return recipe.replace(settled)


def open_keys(recipe: Recipe, dev: Sequence[Sentence] | None) -> tuple[str, ...]:
    """The keys that `settle` may change."""
    of_margins = (MARGIN.key, MARGIN_LOCAL.key, "margins") if recipe.margins > 1 else ()
    of_folds = ("epochs", "weights", "outside_score", "inner_folds") if recipe.inner_folds > 1 and dev is None else ()
    return of_margins + of_folds


def settle(
    recipe: Recipe,
    settings: Mapping[str, object],
    train: Sequence[Sentence],
    dev: Sequence[Sentence] | None,
    make: Make,
    note: Say = lambda _: None,
    elsewhere: Begin | None = None,
    folds_elsewhere: Callable[[Folds], FoldRuns] | None = None,
) -> Settled:
    """Make the choices that the recipe leaves open, and the user's settings too.

    `make` gives the training of a recipe on some data. With dev data, `elsewhere` may carry out some of the short runs,
    without it `folds_elsewhere` all trainings on folds.
    """
    recipe = respecting(recipe, settings)
    if dev is not None:
        margins = choose_margins(recipe, partial(run_on_dev, (train, dev), make, elsewhere), note)
        return Settled(margins.recipe, margins.reasons, margins.begun)
    if not is_for_folds(recipe, train):
        return Settled(recipe)
    folds = Folds(train, recipe.inner_folds)
    number = len(folds.pairs)
    short = f" and {number * recipe.margins} short ones" if recipe.margins > 1 else ""
    note(
        f"no dev data: choices are made on {number} folds, which takes {number} trainings{short}; "
        "--set inner_folds=0 makes none"
    )
    runs = folds_elsewhere(folds) if folds_elsewhere else RunsHere(folds, make)
    try:
        margins = choose_margins(recipe, lambda _, short: (runs.every_short(short), None), note)
        return _on_folds(margins.recipe, runs, note, margins.reasons, all_passes="epochs" in settings)
    finally:
        runs.close()


# --- folds ---


def is_for_folds(recipe: Recipe, train: Sequence[Sentence]) -> bool:
    """Whether choices without dev data are made on folds."""
    if recipe.labels_missing:
        return False  # a fold whose labels are not all known cannot be scored
    return recipe.inner_folds > 1 and sum(map(len, train)) <= SMALL and len(train) >= 2 * recipe.inner_folds


def _on_folds(recipe: Recipe, runs: FoldRuns, note: Say, reasons: tuple[str, ...], all_passes: bool) -> Settled:
    """Choose passes, the kind of weights and the score of O by what trainings without each fold give on it."""
    whole = recipe.replace({"inner_folds": 0, "patience": 0})
    weights, epoch, score = _best_pass(recipe, runs.every("reports", whole), all_passes)
    settings: dict[str, object] = {"weights": weights, "epochs": epoch, "inner_folds": 0}
    reason = f"folds: {weights} weights of pass {epoch}, {score:.2f} on average"
    if recipe.recall and (outside := _outside_score(recipe.recall, runs.every("curve", whole, weights))) is not None:
        settings["outside_score"] = outside
        reason += f"; {outside:+g} for the score of O"
    note(reason)
    return Settled(recipe.replace(settings), (*reasons, reason))


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
