"""Training runs to be compared: one recipe each, the same data, several at a time on several cores.

Several runs at a time are processes: the passes of most learners hold the GIL, and any learner can be tried.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from perceptag.engines.calls import Call, LostWorkerError
from perceptag.engines.engine_names import engine
from perceptag.errors import DataError, PerceptagError, for_command_line
from perceptag.recipe.recipe import Recipe
from perceptag.system.given_file import other_kind
from perceptag.text.sentence import Sentence
from perceptag.training.checkpoint import files_of
from perceptag.training.fit import Code, make_plan


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
        plan = make_plan(recipe, code=Code(allowed=allow_code), settles=False)
        training = plan.begin(plan.resolve(train), train, dev)
    except PerceptagError as error:
        return Trial(0.0, 0, [], for_command_line(error))  # where trials are started
    training.run_all()
    done = training.finish()
    return Trial(done.dev or 0.0, done.epoch, done.dev_labels or [])


class TrialWorker:
    """Runs trials, one after the other."""

    def run(self, recipe: Recipe, data: tuple[Sequence[Sentence], Sequence[Sentence]], allow_code: bool) -> Trial:
        """Run one trial on training and dev data."""
        return run_trial(recipe, *data, allow_code=allow_code)


def run_trials(
    recipes: Mapping[int, Recipe],
    train: Sequence[Sentence],
    dev: Sequence[Sentence],
    jobs: int,
    *,
    on: str = "",
    allow_code: bool = False,
) -> Iterator[tuple[int, Trial]]:
    """Run trials on the same data, `jobs` at a time; yield each with its number when it is done."""
    work = {number: (recipe, train) for number, recipe in recipes.items()}
    return run_on(work, dev, jobs, on=on, allow_code=allow_code)


def run_on(
    work: Mapping[int, tuple[Recipe, Sequence[Sentence]]],
    dev: Sequence[Sentence],
    jobs: int,
    *,
    on: str = "",
    allow_code: bool = False,
) -> Iterator[tuple[int, Trial]]:
    """Run trials, each on its training data, `jobs` at a time, by default in processes; yield each when it is done."""
    for path in {path for recipe, _ in work.values() for path in files_of(recipe) if Path(path).exists()}:
        if kind := other_kind(path):
            raise DataError(f"expected a regular file, which every trial can read; found {kind}", where=path)
    crew = engine(on or ("threads" if jobs == 1 else "processes"), jobs).crew(TrialWorker)
    try:
        different = {id(train): train for _, train in work.values()}
        shared = {key: crew.share((train, dev)) for key, train in different.items()}
        yield from crew.run(
            [Call(number, "run", (recipe, shared[id(train)], allow_code)) for number, (recipe, train) in work.items()]
        )
    except RecursionError:
        raise DataError("the sentences have lists or objects nested too deep for several jobs; try --jobs 1") from None
    except LostWorkerError as error:
        raise DataError(
            f"a training run ended without a result: {error}; if memory ran out, fewer runs at a time may do: --jobs 1"
        ) from None
    finally:
        crew.close()
