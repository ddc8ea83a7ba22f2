"""Checkpoints: when they are written, and which are refused."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from perceptag.errors import ModelError, SettingError
from perceptag.recipe.recipe import load
from perceptag.text import Sentence
from perceptag.training import checkpoint
from perceptag.training.checkpoint import Checkpoints
from perceptag.training.train import Training

SENTENCES = [
    Sentence({"form": ["the", "dog", "barks"], "label": ["DT", "NN", "VBZ"]}),
    Sentence({"form": ["dogs", "bark"], "label": ["NNS", "VBP"]}),
]


def make(sentences: list[Sentence] = SENTENCES, **settings: object) -> Training:
    return Training(load("collins-pos").replace(settings), sentences)


def after(passes: int, training: Training) -> Training:
    run = training.run()
    for _ in range(passes):
        next(run)
    return training


class Clock:
    """A clock that returns the times it is given."""

    def __init__(self, *times: float) -> None:
        self.times: Iterator[float] = iter(times)

    def __call__(self) -> float:
        return next(self.times)


def test_the_next_one_waits_fifty_times_as_long_as_the_last_one_took(tmp_path: Path) -> None:
    path = tmp_path / "c"
    # is it time? · start · end · is it time? (just before 12 + 50 * 2) · is it time? · start · end
    checkpoints = Checkpoints(after(1, make()), str(path), clock=Clock(10, 10, 12, 111, 112, 112, 113))
    assert [checkpoints.after_pass() for _ in range(3)] == [True, False, True]


@pytest.mark.parametrize(("every", "expected"), [(0, []), (1, [1, 2, 3, 4]), (2, [2, 4])])
def test_every_so_many_passes(tmp_path: Path, every: int, expected: list[int]) -> None:
    training = make(epochs=4)
    checkpoints = Checkpoints(training, str(tmp_path / "c"), every)
    assert [r.epoch for r in training.run() if checkpoints.after_pass()] == expected
    assert (tmp_path / "c").exists() == bool(expected)
    checkpoints.remove()
    assert not (tmp_path / "c").exists()


def test_no_checkpoint_no_resumption(tmp_path: Path) -> None:
    assert not Checkpoints(make(), str(tmp_path / "c")).resume()


@pytest.mark.parametrize(
    ("other", "message"),
    [
        (lambda: make(SENTENCES[:1]), "train sentences: 2 in the checkpoint, 1 here"),
        (lambda: make(epochs=3), "recipe epochs: 10 in the checkpoint, 3 here"),
        (lambda: Training(load("collins-pos"), SENTENCES, SENTENCES), "dev: none in the checkpoint"),
    ],
)
def test_another_run_is_refused(tmp_path: Path, other: Callable[[], Training], message: str) -> None:
    path = str(tmp_path / "c")
    checkpoint.write(after(1, make()), path)
    training = other()
    with pytest.raises(SettingError, match=message):
        checkpoint.restore(training, path)
    assert training.reports == []


def test_other_files_of_the_recipe_are_refused(tmp_path: Path) -> None:
    path, cities = str(tmp_path / "c"), tmp_path / "cities.txt"
    cities.write_text("London\n")
    settings = {"gazetteer": [f"city={cities}"]}
    checkpoint.write(after(1, make(**settings)), path)
    cities.write_text("Lisbon\n")
    with pytest.raises(SettingError, match=r"files .*cities\.txt"):
        checkpoint.restore(make(**settings), path)


def test_damaged_and_foreign_files_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "c"
    training = after(1, make())
    checkpoint.write(training, str(path))
    data = path.read_bytes()
    for wrong in (b"", data[:-1], data[:-1] + bytes([data[-1] ^ 1]), b"nonsense" * 100):
        path.write_bytes(wrong)
        with pytest.raises(ModelError, match=f"^{path}: "):
            checkpoint.restore(make(), str(path))
