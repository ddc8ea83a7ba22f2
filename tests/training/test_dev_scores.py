"""Dev scores of a pass: those of the weights as they stand, and of the weights that would become the model."""

from __future__ import annotations

import pytest

from learner_settings import EVERY
from perceptag.recipe.recipe import Recipe, load
from perceptag.training.train import Training

LAST = ("last", "guided, one state", "candidate", "nonlocal", "rerank-1 of documents", "rerank-2 of documents")
ROUNDED = "pa, constrained"


def recipe_of(name: str) -> Recipe:
    settings = dict(EVERY[name])
    recipe = settings.pop("recipe")
    base = recipe if isinstance(recipe, Recipe) else load(recipe)
    return base.replace(settings | {"labels.column": "label", "weights": "last"})


def watched(training: Training, monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """What dev is tagged with from now on."""
    seen: list[object] = []
    tag = training.trainer.tag_dev
    monkeypatch.setattr(training.trainer, "tag_dev", lambda snapshot: (seen.append(snapshot), tag(snapshot))[1])
    return seen


@pytest.mark.parametrize("name", [*LAST, "chunker, linear"])
def test_last_weights_are_scored_once(name, chunks, monkeypatch):
    training = Training(recipe_of(name), chunks[:40], chunks[40:])
    tag = training.trainer.tag_dev
    seen = watched(training, monkeypatch)
    for report in training.run():
        assert len(seen) == report.epoch
        assert report.dev_last == report.dev_kept
        assert tag(training.trainer.current()) == tag(
            training.trainer.snapshot(training.task.recipe.weights)
        )  # so one score says it all


def test_rounded_weights_are_scored_apart(chunks, monkeypatch):
    training = Training(recipe_of(ROUNDED), chunks[:40], chunks[40:])
    seen = watched(training, monkeypatch)
    reports = list(training.run())
    assert len(seen) == 2 * len(reports)
