"""Cross-validation with a recipe that is quick to train: no model has seen the document that it labels."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

from perceptag.errors import SettingError
from perceptag.models.kinds import make_ready
from perceptag.models.margins import Margins
from perceptag.models.model import Model
from perceptag.models.protocol import ReadyModel
from perceptag.recipe.common_settings import TEXT
from perceptag.recipe.recipe import Recipe, load
from perceptag.text.sentence import Sentence
from perceptag.training.cross_validation import Folds, Progress, cross_validate
from perceptag.training.fit import Say, make_plan, say_nothing
from perceptag.training.places import HERE, place_for

FOLDS = 5


class Fold(NamedTuple):
    """Sentences that a model has not seen, by their places in the data, and how it labels them."""

    places: list[int]
    model: ReadyModel
    margins: list[Margins]


def trained(recipe: Recipe, sentences: Sequence[Sentence], threads: int = 1) -> ReadyModel:
    """Train a model, and make it ready to tag."""
    return make_ready(make_plan(recipe, threads=threads, settles=False).train(sentences).model())


def crossed(
    sentences: Sequence[Sentence],
    recipe: Recipe,
    folds: int = FOLDS,
    threads: int = 1,
    progress: Progress | None = None,
    note: Say = say_nothing,
) -> list[Fold]:
    """Train on all folds but one and label that one, for each fold; on several `threads` some at the same time."""
    parts = Folds(sentences, folds)
    place = place_for(recipe, sentences, {}, min(threads, folds), note)
    label = partial(_label, recipe, threads if place is HERE else 1)
    found = cross_validate(label, parts, place, progress)
    return [
        Fold(test, make_ready(model), margins)
        for (_, test), (model, margins) in zip(parts.positions, found, strict=True)
    ]


def _label(
    recipe: Recipe, threads: int, train: Sequence[Sentence], held_out: Sequence[Sentence]
) -> tuple[Model, list[Margins]]:
    """The model of a fold, and how it labels the fold."""
    ready = trained(recipe, train, threads)
    return ready.model, ready.margins(held_out, threads)


# First order, averaged weights, words and their spelling, and no choices that need folds of their own.

# Margins of passive-aggressive learning rank errors better than those of the plain perceptron, at the same cost.
_OF_SPANS = ("basic-ner", {"learner": "pa", "epochs": 10})
_OF_TAGS = ("pos", {"learner": "pa", "epochs": 5, "support": "gold"})
_QUICK = {"weights": "averaged", "recall": 0.0, "inner_folds": 0, "shuffle": True}


def quick_recipe(of_spans: bool) -> Recipe:
    """Return the recipe for labels that mark spans, or for labels of single tokens."""
    name, own = _OF_SPANS if of_spans else _OF_TAGS
    return load(name).replace({**own, **_QUICK})


def chosen_recipe(name: str, sentences: Sequence[Sentence], column: str, of_spans: bool) -> Recipe:
    """Return the recipe that the user names, for labels in this column; without a name, the quick one."""
    fixed = {"labels.column": column, "inner_folds": 0} | ({} if of_spans else {"labels.scheme": "none"})
    if not name:
        return quick_recipe(of_spans).replace(fixed)
    wanted = load(name)
    if wanted.unit == TEXT:
        raise SettingError(f"--recipe: expected a recipe for labels of tokens, found {name!r}, which is for tokenisers")
    return make_plan(wanted, fixed).resolve(sentences).recipe
