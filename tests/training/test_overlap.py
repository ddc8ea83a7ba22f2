"""Passes that are scored while the next one learns: reports, models, checkpoints and interrupts are the same."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from perceptag import Sentence
from perceptag.models.model_file import to_bytes
from perceptag.recipe.recipe import load
from perceptag.training.checkpoint import Checkpoints
from perceptag.training.train import PassReport, Training

COMMON = {"labels.column": "label", "epochs": 4, "recall": 0, "weights": "best", "shuffle": True}


def make(data: Sequence[Sentence], threads: int, **settings: object) -> Training:
    recipe = load("collins-np").replace({**COMMON, **settings})
    return Training(recipe, data[:30], data[40:50], threads=threads)


def until_stopped(training: Training) -> tuple[list[PassReport], type[BaseException] | None]:
    found: list[PassReport] = []
    try:
        for report in training.run():
            found += [report]
    except (KeyboardInterrupt, ValueError) as error:
        return found, type(error)
    return found, None


@pytest.mark.parametrize("settings", [{}, {"tolerance": 0.9}, {"weights": "averaged"}])
def test_reports_and_models_are_the_same(settings: dict[str, object], chunks: list[Sentence]) -> None:
    one, two, three = (make(chunks, threads, **settings) for threads in (1, 2, 3))
    assert two._overlaps == ("weights" not in settings) and not one._overlaps
    assert list(one.run()) == list(two.run()) == list(three.run())
    assert to_bytes(one.model()) == to_bytes(two.model()) == to_bytes(three.model())


@pytest.mark.parametrize("error", [KeyboardInterrupt, ValueError])
def test_what_ends_a_pass_comes_after_the_report_of_the_one_before(
    error: type[BaseException], chunks: list[Sentence], tmp_path: Path
) -> None:
    found = []
    for threads in (1, 2):
        training = make(chunks, threads)
        learn = training.trainer.learn_epoch

        def learn_two(epoch: int, learn=learn, error=error) -> int:
            if epoch == 3:
                raise error
            return learn(epoch)

        training.trainer.learn_epoch = learn_two
        found.append((until_stopped(training), to_bytes(training.model())))
        checkpoints = Checkpoints(training, str(tmp_path / "checkpoint"))
        assert not checkpoints.after_pass() and not (tmp_path / "checkpoint").exists()  # it is within a pass
    assert found[0] == found[1]
    (reports, caught), _ = found[0]
    assert [report.epoch for report in reports] == [1, 2] and caught is error


@pytest.mark.parametrize(("every", "passes"), [(None, 1), (1, 1), (2, 2)])
@pytest.mark.parametrize("is_late", [False, True])
def test_checkpoints_hold_whole_passes(
    every: int | None, passes: int, is_late: bool, chunks: list[Sentence], tmp_path: Path
) -> None:
    whole = make(chunks, 1)
    list(whole.run())
    stopped = make(chunks, 2)
    run = stopped.run()
    checkpoints = Checkpoints(stopped, str(tmp_path / "checkpoint"), every)
    if is_late:  # checkpoints were not announced
        stopped.keeps_up = bool
    assert next(run).epoch == 1
    if every == 2:
        assert not checkpoints.after_pass() and next(run).epoch == 2
    assert checkpoints.after_pass()
    assert checkpoints.passes == len(stopped.reports) == passes + is_late
    resumed = make(chunks, 2)
    assert Checkpoints(resumed, checkpoints.path).resume()
    list(resumed.run())
    assert resumed.reports == whole.reports and to_bytes(resumed.model()) == to_bytes(whole.model())


def test_who_stops_early_gets_the_passes_so_far(chunks: list[Sentence]) -> None:
    found = []
    for threads in (1, 2):
        training = make(chunks, threads)
        assert next(training.run()).epoch == 1
        found.append((training.reports, to_bytes(training.model())))
    assert found[0] == found[1]


def test_an_interrupt_after_a_pass_and_before_its_copies_leaves_no_checkpoint(
    chunks: list[Sentence], tmp_path: Path
) -> None:
    training, time = make(chunks, 2), [0.0]
    checkpoints = Checkpoints(training, str(tmp_path / "c"), clock=lambda: time[0])
    checkpoints._next = 1.0
    learn, copy, learned = training.trainer.learn_epoch, training.trainer.snapshot, [0]

    def learn_and_count(epoch: int) -> int:
        learned[0] = epoch
        return learn(epoch)

    def interrupted(kind: str) -> object:
        if learned[0] == 2:
            time[0] = 2.0
            raise KeyboardInterrupt
        return copy(kind)

    training.trainer.learn_epoch, training.trainer.snapshot = learn_and_count, interrupted
    written = []
    with pytest.raises(KeyboardInterrupt):
        written += [checkpoints.after_pass() for _ in training.run()]
    assert len(training.reports) == 1
    assert not (tmp_path / "c").exists()
