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

from perceptag.learn.learner import python_name
from perceptag.learn.settings import MARGIN, MARGIN_LOCAL
from perceptag.recipe.recipe import Recipe
from perceptag.text.sentence import Sentence
from perceptag.training.cross_validation import Folds, Pair
from perceptag.training.fold_choices import choose_on_folds, is_for_folds
from perceptag.training.margin_runs import Make, Outcome, Say, choose_margins, run_on_dev
from perceptag.training.places import HERE, is_native, place_for, trainings_at_once
from perceptag.training.train import Training


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
    threads: int = 1,
) -> Settled:
    """Make the choices that the recipe and the user's settings leave open.

    `make` gives the training of a recipe on some data: a `functools.partial` of `Training` if it has more arguments.
    Several short runs, or trainings without a fold, may run at the same time on several `threads`.
    """
    recipe = respecting(recipe, settings)
    given = getattr(make, "keywords", {})
    if dev is not None:
        return _on_dev(
            recipe, (train, dev), make, note, partial(trainings_at_once, recipe, train, given, threads, note)
        )
    if not is_for_folds(recipe, train):
        return Settled(recipe)
    place = place_for(recipe, train, given, min(threads, recipe.inner_folds), note)
    one = make if place is HERE else partial(make, threads=1)
    chosen, reasons = choose_on_folds(recipe, Folds(train, recipe.inner_folds), place, one, note, "epochs" in settings)
    return Settled(chosen, reasons)


def _on_dev(recipe: Recipe, pair: Pair, make: Make, note: Say, at_once: Callable[[], int]) -> Settled:
    """Choose margins in short runs on dev data."""

    def run(settled: Recipe, short: Sequence[Recipe]) -> tuple[list[Outcome], Training | None]:
        return run_on_dev(pair, make, at_once() - 1 if is_native(recipe) else 0, settled, short)

    margins = choose_margins(recipe, run, note)
    return Settled(margins.recipe, margins.reasons, margins.begun)
