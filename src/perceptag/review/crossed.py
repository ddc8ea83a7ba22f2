"""Cross-validation: each sentence is labelled by a model that has not seen its document."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

from perceptag.confidence.margins import Margins
from perceptag.models.kinds import make_ready
from perceptag.models.protocol import ReadyModel
from perceptag.recipe.recipe import Recipe
from perceptag.store.model import Model
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
