"""Guided models as users see them: training, files, threads, order, explanations."""

from __future__ import annotations

import json
import tracemalloc
from itertools import pairwise

import numpy as np
import pytest

from command_line import succeed
from perceptag import Tagger
from perceptag.errors import ModelError
from perceptag.models.kinds import make_ready
from perceptag.recipe.recipe import load
from perceptag.recipe.recipe_files import shipped
from perceptag.text import read_columns
from perceptag.text.sentence import Sentence
from perceptag.training.train import Training

SHEN = ["shen-pos-a", "shen-pos-b", "shen-pos-c", "shen-pos-d", "shen-pos-e", "shen-pos"]


@pytest.fixture(scope="module")
def news() -> dict[str, list[Sentence]]:
    """The shipped corpus."""
    from importlib import resources

    folder = resources.files("perceptag") / "data"
    names = ["form", "pos", "chunk", "entity"]
    return {part: list(read_columns(str(folder / f"{part}.txt"), names)) for part in ("train", "dev")}


@pytest.fixture(scope="module")
def training(news: dict[str, list[Sentence]]) -> Training:
    made = Training(load("shen-pos").replace({"labels.column": "pos", "epochs": 3}), news["train"], news["dev"])
    list(made.run())
    return made


@pytest.fixture(scope="module")
def tagger(training: Training) -> Tagger:
    made = Tagger("shen-pos")
    made._set_model(training.model())
    return made


def test_it_learns_part_of_speech_tags(training: Training) -> None:
    assert training.reports[-1].dev_kept > 85
    assert training.reports[-1].mistakes < training.reports[0].mistakes


def test_the_recipes_grow_from_a_to_e() -> None:
    sets = [set(load(name).templates) for name in SHEN]
    assert [len(s) for s in sets] == [18, 21, 30, 32, 42, 42]
    assert all(a < b for a, b in pairwise(sets[:5]))
    assert sets[4] == sets[5]
    assert set(SHEN) <= set(shipped())


@pytest.mark.parametrize(("column", "scheme"), [("chunk", "auto"), ("entity", "auto"), ("entity", "IOBES")])
def test_it_learns_chunks_and_entities(news: dict[str, list[Sentence]], column: str, scheme: str) -> None:
    settings = {"labels.column": column, "labels.scheme": scheme, "constrain": True, "epochs": 4, "beam": 2}
    made = Training(load("shen-pos").replace(settings), news["train"], news["dev"])
    reports = list(made.run())
    assert max(r.dev_kept for r in reports) > (70 if column == "chunk" else 30)
    tagged = make_ready(made.model()).tag(news["dev"])
    assert tagged == made.trainer.tag_dev(made.best)


def test_the_order_of_inference(tagger: Tagger, news: dict[str, list[Sentence]]) -> None:
    sentence = news["dev"][0]
    order = tagger.inference_order(sentence)
    n = len(sentence)
    assert sorted(step.position for step in order.steps) == list(range(n))
    assert list(order.labels) == tagger.predict([sentence])[0]
    assert order.steps[-1].spans == ((0, n),)
    assert order.steps[-1].runner_up is None
    done: set[int] = set()
    for step in order.steps:
        done.add(step.position)
        assert {t for start, end in step.spans for t in range(start, end)} == done
        if step.runner_up:
            assert (step.runner_up.score, -step.runner_up.position) < (step.score, -step.position)
            assert step.runner_up.position not in done
    assert json.loads(json.dumps(order.to_dict()))["steps"][0]["token"] == order.steps[0].token
    lines = order.render().splitlines()
    assert len(lines) == n + 1
    assert lines[-1].endswith("]")


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("contexts.keys", lambda a: a[:-1]),
        ("contexts.keys", lambda a: np.concatenate([a[1:], a[1:2]])),
        ("contexts.keys", lambda a: a + np.uint64(2**60)),
        ("contexts.begin", lambda a: a[::-1].copy()),
        ("contexts.codes", lambda a: a + np.uint32(1000)),
        ("contexts.weights", lambda a: a * np.float32(np.nan)),
        ("contexts.weights", lambda a: a.astype(np.float64)),
        ("weights.0", lambda a: a[:-1]),
        ("begin.0", lambda a: a[:-1]),
        ("rows.0", lambda a: a + np.int32(10**6)),
    ],
)
def test_a_model_that_contradicts_itself_is_refused(training: Training, name: str, change) -> None:
    model = training.model()
    model.arrays[name] = change(model.arrays[name])
    with pytest.raises(ModelError):
        make_ready(model)


def test_rows_of_observations_far_out_are_refused_before_memory_is_taken(training: Training) -> None:
    model = training.model()
    last = max((name for name in model.arrays if name.startswith("rows.")), key=lambda name: int(name[5:]))
    model.arrays[last] = model.arrays[last] + np.int32(2**30)
    tracemalloc.start()
    try:
        with pytest.raises(ModelError, match="features of order 1 are not numbered one after the other"):
            make_ready(model)
        assert tracemalloc.get_traced_memory()[1] < 2**26  # a number for each row would take 2**32 bytes
    finally:
        tracemalloc.stop()


def test_more_labellings_than_the_beam_has(tagger: Tagger, news: dict[str, list[Sentence]], tmp_path) -> None:
    assert max(map(len, tagger.ready_model.nbest(news["dev"][:40], 99))) == 3
    path = tmp_path / "guided.model"
    tagger.save(str(path))
    (tmp_path / "in.txt").write_text("Pools\nclose\n\n")
    result = succeed("tag", "--model", path, "--nbest", "5", "--columns", "form", tmp_path / "in.txt", "--to", "jsonl")
    found = json.loads(result.out)["nbest"]
    assert [entry["labels"] for entry in found] == [y for y, _ in tagger.predict_nbest([["Pools", "close"]], 3)[0]]
    assert "lists of 5: the model ranks 3 labellings of a sentence (beam), so lists have 3" in result.err


@pytest.mark.parametrize("direction", ["left-to-right", "right-to-left"])
def test_explanations_and_orders_in_one_direction(direction: str, news: dict[str, list[Sentence]]) -> None:
    made = Training(
        load("shen-pos-b").replace({"labels.column": "pos", "epochs": 2, "direction": direction}), news["train"]
    )
    list(made.run())
    ready = make_ready(made.model())
    sentence = next(s for s in news["dev"] if len(s) > 5)
    (order,) = ready.inference_orders([sentence])
    positions = [step.position for step in order.steps]
    assert positions == sorted(range(len(sentence)), reverse=direction == "right-to-left")
    assert all(step.runner_up is None for step in order.steps)
    (explanation,) = ready.explain([sentence])
    assert [list(explanation.labels)] == [list(order.labels)] == ready.tag([sentence])
    # A token never sees labels on the side that is labelled later.
    unseen = ("y+1", "y+2") if direction == "left-to-right" else ("y-1", "y-2")
    seen = [c.feature for token in explanation.details for c in token.contributions]
    assert [name for name in seen if " * " in name]
    assert not [name for name in seen if " * " in name and any(side in name for side in unseen)]


def test_documents_as_sequences(news: dict[str, list[Sentence]]) -> None:
    recipe = load("shen-pos-b").replace({"labels.column": "pos", "unit": "document", "epochs": 3})
    made = Training(recipe, news["train"], news["dev"])
    list(made.run())
    assert len(made.trainer.sequences) < len(made.task.train)
    assert made.trainer.weights.words.ticks == 3 * len(made.trainer.sequences)
    tagged = made.trainer.tag_dev(made.best)
    assert list(map(len, tagged)) == list(map(len, news["dev"]))
    assert make_ready(made.model()).tag(news["dev"]) == tagged
