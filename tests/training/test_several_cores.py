"""Training on several threads: the default recipes give the same bytes, also with short runs in other threads."""

from __future__ import annotations

from concurrent.futures import CancelledError
from functools import partial

import pytest

from perceptag import Sentence
from perceptag.models.model_file import to_bytes
from perceptag.recipe import auto as shards
from perceptag.recipe.recipe import Recipe, load
from perceptag.training.fit import settle
from perceptag.training.margin_runs import RunsAside, run_short
from perceptag.training.train import Training, TrainingEndedError

COLUMNS = {"pos": "pos", "chunk": "label", "ner": "label"}


def few_passes(name: str) -> Recipe:
    return load(name).replace({"labels.column": COLUMNS[name], "epochs": 4, "margins": 1})


def bytes_of(training: Training) -> bytes:
    for _ in training.run():
        pass
    return to_bytes(training.model())[0]


@pytest.mark.parametrize("name", COLUMNS)
def test_the_default_recipes_give_the_same_bytes(
    name: str, chunks: list[Sentence], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shards, "MUCH", 100)
    recipe, data = few_passes(name), (chunks[:40], chunks[40:])
    trainings = [Training(recipe, *data, threads=threads) for threads in (1, 2, 3)]
    assert {training.task.recipe.own["shards"] for training in trainings} == {1 if name == "ner" else shards.FOR_MUCH}
    one, two, three = map(bytes_of, trainings)
    assert one == two == three


def test_the_number_of_shards_follows_the_size_of_the_data() -> None:
    def settled(tokens: int, **settings: object) -> int:
        recipe = shards.settle_shards(load("pos").replace(settings), tokens)
        assert shards.number_of_shards(recipe) == recipe.own["shards"]
        return int(recipe.own["shards"])

    assert (settled(shards.MUCH - 1), settled(shards.MUCH)) == (1, 8)
    assert settled(10**9) == 8
    assert (settled(10, shards=3), settled(10**9, shards=1)) == (3, 1)
    assert (
        settled(10**9, weights="voted", learner="perceptron")
        == settled(10**9, bpm=2)
        == settled(10**9, learner="arow")
        == 1
    )
    assert settled(10**9, learner="crf", weights="last") == 1
    assert load("collins-pos").own["shards"] == load("ner").own["shards"] == 1


# --- margins ---


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_the_first_short_run_becomes_the_training(threads: int, chunks: list[Sentence]) -> None:
    recipe = load("ner").replace({"labels.column": "label", "epochs": 6, "margins": 3, "dropout": 0})
    data = chunks[:40], chunks[40:]  # on which the first margin wins
    settled = settle(recipe, {}, *data, partial(Training, threads=threads), threads=threads)
    assert settled.begun is not None
    assert len(settled.begun.reports) == 3 if threads == 1 else len(settled.begun.reports) >= 3
    reports = list(settled.begun.run())
    assert [report.epoch for report in reports] == [1, 2, 3, 4, 5, 6]
    fresh = Training(settled.recipe, *data)
    assert list(fresh.run()) == reports
    assert to_bytes(fresh.model()) == to_bytes(settled.begun.model())


def test_short_runs_aside_give_the_same_and_end_when_they_are_closed(chunks: list[Sentence]) -> None:
    recipes = [few_passes("chunk").replace({"epochs": 2, "margin": margin}) for margin in (1, 10, 100)]
    pair = chunks[:10], chunks[10:20]
    runs = RunsAside(recipes, pair, Training, threads=2)
    found = runs.outcomes()
    assert runs.is_done()
    runs.close()
    wanted = [run_short(recipe, pair, Training) for recipe in recipes]
    assert [outcome.rows[0].tolist() for outcome in found] == [outcome.rows[0].tolist() for outcome in wanted]
    runs = RunsAside([recipes[0].replace({"epochs": 1_000_000})] * 3, pair, Training, threads=2)
    runs.close()
    assert runs.is_done()
    with pytest.raises((TrainingEndedError, CancelledError)):
        runs.outcomes()
