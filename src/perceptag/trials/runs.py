"""Training runs to be compared: one recipe each, the same data, several at a time on several cores.

Every run is a process of its own, not a thread: a learner makes its decisions in Python, and Python runs one thread at
a time. A process also returns its memory when it ends.
"""

from __future__ import annotations

import multiprocessing
import signal
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from pathlib import Path

from perceptag.errors import DataError, PerceptagError, for_command_line
from perceptag.recipe.outside import with_learner
from perceptag.recipe.recipe import Recipe
from perceptag.recipe.usercode import attributes_of, functions_of
from perceptag.system.reading import other_kind
from perceptag.text.sentence import Sentence
from perceptag.training.checkpoint import files_of
from perceptag.training.train import Training


@dataclass(frozen=True, slots=True)
class Trial:
    """The result of one run: the dev score of its best pass and the labels of the dev data, or an error."""

    score: float  # F1 or accuracy in per cent; 0 with an error
    epoch: int  # the best pass
    labels: list[list[str]]
    error: str = ""


def run_trial(recipe: Recipe, train: Sequence[Sentence], dev: Sequence[Sentence], *, allow_code: bool = False) -> Trial:
    """Train by a recipe and label the dev data with the best pass. Conflicting settings are an error in the result."""
    try:
        recipe = with_learner(recipe, allow_code=allow_code)
        attributes = attributes_of(recipe, allow_code=allow_code)
        functions = functions_of(recipe, allow_code=allow_code)
        training = Training(recipe, train, dev, attributes=attributes, functions=functions)
    except PerceptagError as error:
        return Trial(0.0, 0, [], for_command_line(error))  # where trials are started
    for _ in training.run():
        pass
    done = training.finish()
    return Trial(done.dev or 0.0, done.epoch, done.dev_labels or [])


def run_trials(
    recipes: Mapping[int, Recipe],
    train: Sequence[Sentence],
    dev: Sequence[Sentence],
    jobs: int,
    *,
    allow_code: bool = False,
) -> Iterator[tuple[int, Trial]]:
    """Run trials on the same data, `jobs` at a time; yield each with its number when it is done."""
    return run_on({number: (recipe, train) for number, recipe in recipes.items()}, dev, jobs, allow_code=allow_code)


def run_on(
    work: Mapping[int, tuple[Recipe, Sequence[Sentence]]],
    dev: Sequence[Sentence],
    jobs: int,
    *,
    allow_code: bool = False,
) -> Iterator[tuple[int, Trial]]:
    """Run trials, each on its own training data, `jobs` at a time; yield each with its number when it is done."""
    for path in {path for recipe, _ in work.values() for path in files_of(recipe) if Path(path).exists()}:
        if kind := other_kind(path):
            raise DataError(f"expected a regular file, which every trial can read; found {kind}", where=path)
    if jobs == 1:
        for number, (recipe, train) in work.items():
            yield number, run_trial(recipe, train, dev, allow_code=allow_code)
        return
    waiting = list(work.items())
    running: dict[Connection, tuple[int, multiprocessing.process.BaseProcess]] = {}
    try:
        while waiting or running:
            while waiting and len(running) < jobs:
                number, (recipe, train) = waiting.pop(0)
                connection, process = _start(recipe, train, dev, allow_code)
                running[connection] = number, process
            for ready in wait(list(running)):
                assert isinstance(ready, Connection)
                number, process = running[ready]
                yield number, _result(ready, process)
                del running[ready]
    finally:
        for _, process in running.values():
            process.terminate()


def _start(*work: object) -> tuple[Connection, multiprocessing.process.BaseProcess]:
    context = multiprocessing.get_context("spawn")  # a forked process would share the state of native threads
    here, there = context.Pipe()
    process = context.Process(target=_work, args=(there,), daemon=True)
    process.start()
    there.close()  # so that the pipe ends when the process ends
    try:
        with suppress(BrokenPipeError):  # the process has already died; `_result` will find no result
            here.send(work)
    except RecursionError:
        raise DataError("the sentences have lists or objects nested too deep for several jobs; try --jobs 1") from None
    return here, process


def _work(connection: Connection) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # an interrupt is for the process that started this one
    with suppress(EOFError):  # that process has ended
        recipe, train, dev, allow_code = connection.recv()
        connection.send(run_trial(recipe, train, dev, allow_code=allow_code))


def _result(connection: Connection, process: multiprocessing.process.BaseProcess) -> Trial:
    try:
        trial: Trial = connection.recv()
    except (EOFError, ConnectionError):
        process.join()
        raise DataError(
            f"a training run ended without a result (exit status {process.exitcode}); if memory ran out, "
            "fewer runs at a time may do: --jobs 1"
        ) from None
    process.join()
    return trial
