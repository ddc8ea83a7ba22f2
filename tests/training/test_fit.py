"""The training plan: the class and the command give the same bytes at any number of threads, and plan once."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from command_line import CORPUS, CORPUS_COLUMNS, succeed
from perceptag import Sentence, Tagger
from perceptag.recipe.recipe import load
from perceptag.text import read_columns
from perceptag.text.formats import write
from perceptag.training import places
from perceptag.training.fit import Code, make_plan

FEW = 60  # sentences


def sentences(name: str) -> list[Sentence]:
    return list(read_columns(CORPUS / f"{name}.txt", CORPUS_COLUMNS.split(",")))[:FEW]


@pytest.mark.parametrize(
    ("recipe", "label", "settings"),
    [
        ("auto", "ner", {"inner_folds": 3, "margins": 2}),
        ("auto", "pos", {"inner_folds": 3}),
        ("basic-ner", "ner", {"inner_folds": 2, "learner": "pa"}),  # whose passes are not native: processes
    ],
)
@pytest.mark.parametrize("has_dev", [True, False])
def test_the_class_and_the_command_give_the_same_bytes(
    recipe: str, label: str, settings: dict[str, Any], has_dev: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(places, "FEW", 1)
    files = {name: tmp_path / f"{name}.txt" for name in ("train", "dev")}
    for name, path in files.items():
        write(sentences(name), str(path))
    dev = ("--dev", files["dev"]) if has_dev else ("--no-dev",)
    sets = [word for key, value in settings.items() for word in ("--set", f"{key}={value}")]
    words = ("train", "--train", files["train"], *dev, "--columns", CORPUS_COLUMNS, "--label", label, "-r", recipe)
    held = sentences("dev") if has_dev else None
    found = set()
    for threads in (1, 2):
        model = tmp_path / f"command-{threads}"
        succeed(*words, *sets, "--epochs", 3, "--threads", threads, "-m", model)
        found.add(model.read_bytes())
        tagger = Tagger(recipe, threads=threads, labels_column=label, **{**settings, "epochs": 3})
        tagger.fit(sentences("train"), dev=held).save(tmp_path / f"class-{threads}")
        found.add((tmp_path / f"class-{threads}").read_bytes())
    assert len(found) == 1


def test_choices_are_left_open_only_if_that_is_asked_for(chunks: list[Sentence]) -> None:
    recipe = load("basic-ner").replace({"labels.column": "label", "epochs": 2, "inner_folds": 2})
    fixed = make_plan(recipe, settles=False).train(chunks[:20])
    assert not fixed.chosen and fixed.task.recipe.inner_folds == 2
    chosen = make_plan(recipe).train(chunks[:20])
    assert chosen.chosen["choices"] and chosen.task.recipe.inner_folds == 0


def test_code_is_imported_only_if_that_is_allowed() -> None:
    recipe = load("basic-ner").replace({"attributes": ["size=builtins:len"]})
    attributes, functions = Code(allowed=True).of(recipe)
    assert list(attributes) == ["size"] and not functions
    with pytest.raises(Exception, match="size=builtins:len"):
        Code().of(recipe)
