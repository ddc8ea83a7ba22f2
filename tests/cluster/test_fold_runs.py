"""Trainings on folds in processes: what one process gives, and errors as they are there."""

from __future__ import annotations

import multiprocessing
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

import pytest

from command_line import CORPUS
from perceptag import DataError, Sentence, SettingError, Tagger
from perceptag.cluster import room
from perceptag.cluster.engines import Call, engine
from perceptag.cluster.fold_runs import RunsInProcesses, predict_in_processes
from perceptag.cluster.in_order import in_order
from perceptag.cluster.outcomes import LostWorkerError
from perceptag.recipe.recipe import load
from perceptag.text import read_columns
from perceptag.training.choices import settle
from perceptag.training.jackknife import LowerLayer, with_predicted
from perceptag.training.train import Training


@pytest.fixture(scope="module")
def data() -> list[Sentence]:
    return list(read_columns(CORPUS / "train.txt", ["form", "pos", "chunk", "ner"]))[:12]


class Worker:
    """Doubles numbers, or fails."""

    def double(self, number: int) -> int:
        if number < 0:
            raise SettingError(f"number: expected one from 0, found {number}")
        return 2 * number


def test_choices_are_those_of_one_process(data: list[Sentence]) -> None:
    recipe = load("ner").replace({"labels.column": "ner", "epochs": 2, "margins": 2, "inner_folds": 3})
    notes: list[list[str]] = [[], []]
    here = settle(recipe, {}, data, None, Training, notes[0].append)
    there = settle(
        recipe, {}, data, None, Training, notes[1].append, folds_elsewhere=partial(RunsInProcesses, workers=2)
    )
    assert here == there and notes[0] == notes[1]
    assert not multiprocessing.active_children()
    assert len(here.reasons) == 2 and there.recipe.inner_folds == 0


def test_layers_are_those_of_one_process(data: list[Sentence]) -> None:
    layer = LowerLayer(Tagger("collins-pos", epochs=1, labels_column="pos").fit(data).model_)
    there = with_predicted([layer], data, folds=3, elsewhere=partial(predict_in_processes, 1))
    assert there == with_predicted([layer], data, folds=3)


def test_results_are_in_order_and_errors_are_raised_here() -> None:
    crew = engine("threads", 2).crew(Worker)  # tests/cluster/test_engines.py has all engines
    try:
        assert in_order(crew, "double", [(3,), (1,), (2,)]) == [6, 2, 4]
        with pytest.raises(SettingError, match=r"^number: expected one from 0, found -1$"):
            in_order(crew, "double", [(1,), (-1,)])
    finally:
        crew.close()


class Stopped:
    """A crew whose work ends with an error."""

    size = 1

    def __init__(self, error: BaseException) -> None:
        self.error, self.closed = error, False

    def share(self, value: object) -> object:
        return value

    def run(self, calls: Sequence[Call]) -> Iterator[tuple[int, Any]]:
        yield calls[0].key, None
        raise self.error

    def close(self) -> None:
        self.closed = True


def test_processes_that_are_killed_are_an_error_that_says_what_may_help() -> None:
    crew = Stopped(LostWorkerError("3 workers were lost, one after the other: a process ended"))
    with pytest.raises(DataError, match=r"^a training run ended without a result: 3 workers .*: --threads 1$"):
        in_order(crew, "double", [(1,), (2,)])


def test_an_interrupt_ends_the_processes(data: list[Sentence], monkeypatch: pytest.MonkeyPatch) -> None:
    crew = Stopped(KeyboardInterrupt())
    monkeypatch.setattr("perceptag.cluster.fold_runs.in_processes", lambda *_: crew)
    recipe = load("pos").replace({"labels.column": "pos", "epochs": 1})
    with pytest.raises(KeyboardInterrupt):
        settle(recipe, {}, data, None, Training, folds_elsewhere=partial(RunsInProcesses, workers=2))
    assert crew.closed


def test_processes_are_as_many_as_fit(data: list[Sentence], monkeypatch: pytest.MonkeyPatch) -> None:
    notes: list[str] = []
    assert room.processes_for(data, 8, notes.append) == 1 and not notes  # it is not worth the start
    monkeypatch.setattr(room, "FEW", 10)
    monkeypatch.setattr(room, "available", lambda: 3 * (room.OF_A_PROCESS + room.OF_A_TOKEN * sum(map(len, data))))
    assert room.processes_for(data, 2, notes.append) == 2 and not notes
    assert room.processes_for(data, 8, notes.append) == 3
    assert notes == ["note: 3 of 8 trainings at a time, since memory is short"]
    monkeypatch.setattr(room, "available", lambda: 0)
    assert room.processes_for(data, 8, notes.append) == 1
