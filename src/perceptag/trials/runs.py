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
from perceptag.evaluation.scoring import MainScore
from perceptag.models.kinds import make_ready
from perceptag.recipe.recipe import Recipe
from perceptag.system.given_file import other_kind
from perceptag.text.sentence import Sentence
from perceptag.training.checkpoint import files_of
from perceptag.training.cross_validation import Pair
from perceptag.training.fit import Code, make_plan
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
        training = _begin(recipe, train, dev, allow_code)
    except PerceptagError as error:
        return Trial(0.0, 0, [], for_command_line(error))  # where trials are started
    training.run_all()
    done = training.finish()
    return Trial(done.dev or 0.0, done.epoch, done.dev_labels or [])


def run_unseen(
    recipe: Recipe, train: Sequence[Sentence], heldout: Sequence[Sentence], *, allow_code: bool = False
) -> Trial:
    """Train by a recipe and label held-out data, which choose nothing: the last pass becomes the model."""
    try:
        training = _begin(recipe, train, None, allow_code)
    except PerceptagError as error:
        return Trial(0.0, 0, [], for_command_line(error))
    done = training.run_all().finish()
    task = training.task
    labels = make_ready(done.model, task.attributes, task.functions).tag(heldout)
    return Trial(MainScore(task.label_set.gold(heldout)).score(labels), done.epoch, labels)


def _begin(recipe: Recipe, train: Sequence[Sentence], dev: Sequence[Sentence] | None, allow_code: bool) -> Training:
    plan = make_plan(recipe, code=Code(allowed=allow_code), settles=False)
    return plan.begin(plan.resolve(train), train, dev)


class TrialWorker:
    """Runs trials, one after the other."""

    def run(self, recipe: Recipe, data: Pair, allow_code: bool) -> Trial:
        """Run one trial on training and dev data."""
        return run_trial(recipe, *data, allow_code=allow_code)

    def run_unseen(self, recipe: Recipe, data: Pair, allow_code: bool) -> Trial:
        """Run one trial on training data and data that choose nothing."""
        return run_unseen(recipe, *data, allow_code=allow_code)


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
    pair = train, dev
    return run_on({number: (recipe, pair) for number, recipe in recipes.items()}, jobs, on=on, allow_code=allow_code)


def run_on(
    work: Mapping[int, tuple[Recipe, Pair]],
    jobs: int,
    *,
    on: str = "",
    allow_code: bool = False,
    method: str = "run",
) -> Iterator[tuple[int, Trial]]:
    """Run trials, each on its data, `jobs` at a time, by default in processes; yield each when it is done.

    `method`: that of `TrialWorker`. Trials with the same pair of data share it.
    """
    for path in {path for recipe, _ in work.values() for path in files_of(recipe) if Path(path).exists()}:
        if kind := other_kind(path):
            raise DataError(f"expected a regular file, which every trial can read; found {kind}", where=path)
    crew = engine(on or ("threads" if jobs == 1 else "processes"), jobs).crew(TrialWorker)
    try:
        shared = {key: crew.share(pair) for key, pair in {id(pair): pair for _, pair in work.values()}.items()}
        yield from crew.run(
            [Call(number, method, (recipe, shared[id(pair)], allow_code)) for number, (recipe, pair) in work.items()]
        )
    except RecursionError:
        raise DataError("the sentences have lists or objects nested too deep for several jobs; try --jobs 1") from None
    except LostWorkerError as error:
        raise DataError(
            f"a training run ended without a result: {error}; if memory ran out, fewer runs at a time may do: --jobs 1"
        ) from None
    finally:
        crew.close()
