"""Where independent trainings run, such as those of folds: in this thread, on a thread pool, or in processes.

Threads where the passes of a learner are native and release the GIL: four short trainings of `pos`, `chunk` and `ner`
on 40,000 tokens, two at a time, took 0.56 to 0.70 of the wall time of processes on two busy cores, since processes
import the package and unpickle the sentences first. Processes for the other learners, whose passes hold the GIL.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from perceptag.engines.calls import Engine
from perceptag.engines.threads_engine import ThreadsEngine
from perceptag.recipe.recipe import Recipe
from perceptag.system.given_file import other_kind
from perceptag.system.memory import available
from perceptag.text.sentence import Sentence
from perceptag.training.checkpoint import files_of

HERE = ThreadsEngine(1)
FEW = 10_000  # tokens: trainings on fewer take less time than it takes to start a process
OF_A_TRAINING = 128 << 20  # bytes
OF_A_TOKEN = 10 << 10  # bytes: its sentence, its features and their weights; a rough upper bound
NOT_SENT = ("start", "classes")  # arguments of a training that are not sent to other processes

Say = Callable[[str], None]


def place_for(
    recipe: Recipe,
    train: Sequence[Sentence],
    given: Mapping[str, Any],
    wanted: int,
    note: Say,
    on: Engine | None = None,
) -> Engine:
    """Choose where trainings by a recipe on such data run. `given`: the other arguments of these trainings.

    `on`: the engine that the user has named. It is taken unless the trainings cannot be sent to another process.
    """
    if on is not None and not _stays_here(recipe, given) and not _has_models(given):
        return on
    number = trainings_at_once(recipe, train, given, wanted, note)
    if number == 1:
        return HERE
    if is_native(recipe):
        return ThreadsEngine(number)
    from perceptag.engines.processes_engine import ProcessesEngine  # which few trainings need

    return ProcessesEngine(number)


def trainings_at_once(
    recipe: Recipe, train: Sequence[Sentence], given: Mapping[str, Any], wanted: int, note: Say
) -> int:
    """Return how many trainings should run at the same time, at most `wanted`."""
    if wanted < 2 or _stays_here(recipe, given):
        return 1
    tokens, native = sum(map(len, train)), is_native(recipe)
    if not native and (tokens < FEW or _has_models(given)):
        return 1
    fit = max(1, available() // (OF_A_TRAINING + OF_A_TOKEN * tokens))
    if fit < wanted:
        note(f"note: {fit} of {wanted} trainings at a time, since memory is short")
    return min(wanted, fit)


def is_native(recipe: Recipe) -> bool:
    """Whether passes of the learner are native, so that several trainings gain from threads."""
    return recipe.declaration.native is not None


def _stays_here(recipe: Recipe, given: Mapping[str, Any]) -> bool:
    """Whether trainings use code of the user, which runs in one thread alone, or read a pipe."""
    has_code = recipe.outside is not None or given.get("attributes") or given.get("functions")
    return bool(has_code) or any(map(_is_pipe, files_of(recipe)))


def _has_models(given: Mapping[str, Any]) -> bool:
    """Whether trainings have arguments that are not sent to other processes."""
    return any(given.get(name) is not None for name in NOT_SENT)


def _is_pipe(path: str) -> bool:
    return Path(path).exists() and bool(other_kind(path))
