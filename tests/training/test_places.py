"""Where trainings run: threads for native passes, processes for the others, this thread for code of the user."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from perceptag import Sentence
from perceptag.engines.processes_engine import ProcessesEngine
from perceptag.engines.threads_engine import ThreadsEngine
from perceptag.recipe.recipe import load
from perceptag.training import places
from perceptag.training.places import HERE, place_for

DATA = [Sentence({"form": ["a"] * 50, "ner": ["O"] * 50})] * 20
NATIVE = {"learner": "margin"}
PYTHON = {"learner": "pa"}


@pytest.fixture(autouse=True)
def little_is_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(places, "FEW", 1000)
    monkeypatch.setattr(places, "available", lambda: 1 << 40)


def place(
    settings: dict[str, object], given: dict[str, Any] | None = None, data: list[Sentence] = DATA, wanted: int = 4
) -> tuple[str, int]:
    notes: list[str] = []
    found = place_for(load("basic-ner").replace(settings), data, given or {}, wanted, notes.append)
    assert not notes
    assert isinstance(found, ThreadsEngine | ProcessesEngine)
    return found.name, found.workers


def test_threads_where_passes_are_native_and_processes_where_they_are_not() -> None:
    assert place(NATIVE) == place(NATIVE, data=DATA[:1]) == ("threads", 4)
    assert place(PYTHON) == ("processes", 4)
    assert place(PYTHON, data=DATA[:19]) == place(NATIVE, wanted=1) == place(PYTHON, wanted=1) == ("threads", 1)
    assert HERE.workers == 1


@pytest.mark.parametrize("given", [{"attributes": {"f": len}}, {"functions": {"f": len}}])
def test_code_of_the_user_stays_here(given: dict[str, Any]) -> None:
    assert place(NATIVE, given) == place(PYTHON, given) == ("threads", 1)


@pytest.mark.parametrize("given", [{"start": "a model"}, {"classes": "some"}])
def test_earlier_models_are_not_sent_to_processes(given: dict[str, Any]) -> None:
    assert place(NATIVE, given) == ("threads", 4)
    assert place(PYTHON, given) == ("threads", 1)


def test_pipes_stay_here(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "cities")
    assert place({**NATIVE, "gazetteer": [f"city={tmp_path / 'cities'}"]}) == ("threads", 1)
    assert place({**NATIVE, "gazetteer": [f"city={tmp_path / 'missing'}"]}) == ("threads", 4)


@pytest.mark.parametrize("settings", [NATIVE, PYTHON])
def test_trainings_are_as_many_as_fit_into_memory(settings: dict[str, object], monkeypatch: pytest.MonkeyPatch) -> None:
    notes: list[str] = []
    recipe = load("basic-ner").replace(settings)
    monkeypatch.setattr(places, "available", lambda: 3 * (places.OF_A_TRAINING + places.OF_A_TOKEN * 1000))
    assert place_for(recipe, DATA, {}, 2, notes.append).workers == 2 and not notes  # type: ignore[attr-defined]
    assert place_for(recipe, DATA, {}, 8, notes.append).workers == 3  # type: ignore[attr-defined]
    assert notes == ["note: 3 of 8 trainings at a time, since memory is short"]
    monkeypatch.setattr(places, "available", lambda: 0)
    assert place_for(recipe, DATA, {}, 8, notes.append) is HERE
