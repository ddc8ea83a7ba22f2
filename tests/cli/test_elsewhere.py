"""Which trainings of a command get processes of their own."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from perceptag import Sentence
from perceptag.cli.elsewhere import Elsewhere, layer_folds
from perceptag.cluster import room, short_runs
from perceptag.recipe.recipe import load

DATA = [Sentence({"form": ["a"] * 50, "ner": ["O"] * 50})] * 20
GIVEN: dict[str, Any] = {"threads": 4, "attributes": {}, "functions": {}, "start": None}


@pytest.fixture(autouse=True)
def little_is_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room, "FEW", 1000)
    monkeypatch.setattr(short_runs, "MUCH", 1000)
    monkeypatch.setattr(room, "available", lambda: 1 << 40)


def chosen(settings: dict[str, object], given: dict[str, Any], data: list[Sentence] = DATA) -> tuple[bool, bool]:
    others = Elsewhere(load("ner").replace(settings), data, GIVEN | given, notes.append)
    return others.short_runs() is not None, others.fold_runs() is not None


notes: list[str] = []


def test_processes_where_they_help() -> None:
    assert chosen({}, {}) == (True, True)
    assert chosen({"margins": 1}, {}) == (False, True)
    assert chosen({"inner_folds": 0}, {}) == (True, False)
    assert chosen({}, {"threads": 1}) == chosen({}, {}, DATA[:19]) == (False, False)
    assert layer_folds(DATA, 2, notes.append) is not None
    assert layer_folds(DATA, 1, notes.append) is layer_folds(DATA[:19], 2, notes.append) is None
    assert not notes


@pytest.mark.parametrize("given", [{"attributes": {"f": len}}, {"functions": {"f": len}}, {"start": "a model"}])
def test_code_and_earlier_models_stay_here(given: dict[str, Any]) -> None:
    assert chosen({}, given) == (False, False)


def test_pipes_stay_here(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "cities")
    assert chosen({"gazetteer": [f"city={tmp_path / 'cities'}"]}, {}) == (False, False)
    assert chosen({"gazetteer": [f"city={tmp_path / 'missing'}"]}, {}) == (True, True)


def test_short_memory_is_noted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room, "available", lambda: 0)
    assert chosen({}, {}) == (False, False)
    assert notes == ["note: 1 of 4 trainings at a time, since memory is short"] * 2
    notes.clear()
