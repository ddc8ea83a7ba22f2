"""Cross-validation on threads and in processes: what this thread gives, and errors as they are here."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from types import SimpleNamespace
from typing import Any

import pytest

from command_line import CORPUS
from perceptag import DataError, Sentence, Tagger
from perceptag.engines.calls import Call, FailedCall, LostWorkerError, in_order
from perceptag.engines.processes_engine import ProcessesEngine
from perceptag.engines.threads_engine import ThreadsEngine
from perceptag.recipe.recipe import load
from perceptag.text import read_columns
from perceptag.training import fit, jackknife
from perceptag.training.cross_validation import Folds, cross_val_predict
from perceptag.training.fit import settle
from perceptag.training.jackknife import LowerLayer, with_predicted
from perceptag.training.train import Training, TrainingEndedError


@pytest.fixture(scope="module")
def data() -> list[Sentence]:
    return list(read_columns(CORPUS / "train.txt", ["form", "pos", "chunk", "ner"]))[:12]


ENGINES = {"threads": ThreadsEngine(2), "processes": ProcessesEngine(2)}


@pytest.mark.parametrize("on", ENGINES)
def test_layers_are_those_of_this_thread(on: str, data: list[Sentence], monkeypatch: pytest.MonkeyPatch) -> None:
    layer = LowerLayer(Tagger("collins-pos", epochs=1, labels_column="pos").fit(data).model_)
    here = with_predicted([layer], data, folds=3)
    monkeypatch.setattr(jackknife, "place_for", lambda *_: ENGINES[on])
    assert with_predicted([layer], data, folds=3) == here


def _words(train: Sequence[Sentence], held_out: Sequence[Sentence]) -> list[tuple[str, int]]:
    return [(sentence.tokens[0], len(train)) for sentence in held_out]


@pytest.mark.parametrize("on", ENGINES)
def test_predictions_are_in_the_order_of_the_sentences(on: str, data: list[Sentence]) -> None:
    folds = Folds(data, 5)
    found = cross_val_predict(_words, folds, ENGINES[on])
    assert [word for word, _ in found] == [sentence.tokens[0] for sentence in data]
    sizes = {i: len(train) for train, test in folds.positions for i in test}
    assert [size for _, size in found] == [sizes[i] for i in range(len(data))]


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


def test_an_interrupt_ends_the_workers(data: list[Sentence], monkeypatch: pytest.MonkeyPatch) -> None:
    crew = Stopped(KeyboardInterrupt())
    monkeypatch.setattr(fit, "place_for", lambda *_: SimpleNamespace(crew=lambda _: crew))
    recipe = load("pos").replace({"labels.column": "pos", "epochs": 1})
    with pytest.raises(KeyboardInterrupt):
        settle(recipe, {}, data, None, Training)
    assert crew.closed


def test_a_training_whose_thread_is_dismissed_ends_after_its_pass(data: list[Sentence]) -> None:
    recipe = load("collins-pos").replace({"labels.column": "pos", "epochs": 1_000_000, "tolerance": 0})
    begun = threading.Event()

    class Endless:
        def run(self) -> None:
            training = Training(recipe, data)
            begun.set()
            training.run_all()

    hands = ThreadsEngine(2).crew(Endless).hands
    worker = hands.hire()
    hands.begin(worker, Call(0, "run"))
    assert begun.wait(60)
    hands.dismiss([worker])
    assert not worker.thread.is_alive()
    outcomes = [outcome for _, outcome in (hands.wait([worker], 1)[0], hands.wait([worker], 1)[0])]
    assert isinstance(outcomes[-1], FailedCall) and isinstance(outcomes[-1].error, TrainingEndedError)
