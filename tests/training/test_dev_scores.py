"""Dev scores of a pass: those of the weights as they stand, and of the weights that would become the model."""

from __future__ import annotations

import pytest

from learner_settings import EVERY
from perceptag.recipe.recipe import Recipe, load
from perceptag.training.train import Training

LAST = ("last", "guided, one state", "candidate", "nonlocal", "rerank-1 of documents", "rerank-2 of documents")


def recipe_of(name: str) -> Recipe:
    settings = dict(EVERY[name])
    recipe = settings.pop("recipe")
    base = recipe if isinstance(recipe, Recipe) else load(recipe)
    return base.replace(settings | {"labels.column": "label", "weights": "last"})


@pytest.mark.parametrize("name", [*LAST, "chunker, linear"])
def test_last_weights_have_one_score(name, chunks):
    training = Training(recipe_of(name), chunks[:40], chunks[40:])
    tag = training.trainer.tag_dev
    for report in training.run():
        assert report.dev_last == report.dev_kept
        assert tag(training.trainer.current()) == tag(
            training.trainer.snapshot(training.task.recipe.weights)
        )  # so one score says it all
