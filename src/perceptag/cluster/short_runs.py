"""Short runs that choose margins, in processes of this machine, while this process begins the training itself.

They are processes, not threads: the learner of `ner` makes its decisions in Python.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import partial

from perceptag.cluster.engines import Call
from perceptag.cluster.outcomes import Done, Failed
from perceptag.cluster.processes_engine import Process, Processes
from perceptag.recipe.recipe import Recipe
from perceptag.training.margin_runs import Outcome, Pair, run_short
from perceptag.training.train import Training

MUCH = 50_000  # tokens: a short run on fewer takes less time than it takes to start a process


class ShortRunWorker:
    """Carries out short runs, one after the other."""

    def run(self, recipes: Sequence[Recipe], pair: Pair) -> list[Outcome]:
        """The outcomes of some recipes on training and held-out data."""
        return [run_short(recipe, [pair], Training) for recipe in recipes]


class RunsInProcesses:
    """A `perceptag.training.margin_runs.Elsewhere`. A run whose process is lost is made here, with the same outcome."""

    def __init__(self, recipes: Sequence[Recipe], pair: Pair, workers: int) -> None:
        self._recipes, self._pair = recipes, pair
        self._processes = Processes(ShortRunWorker, workers)
        self._found: dict[int, Outcome] = {}
        self._busy: dict[Process, Sequence[int]] = {}  # and the runs of each
        shared = self._processes.share(pair)
        numbers = range(len(recipes))
        for first in range(min(workers, len(recipes))):
            own = numbers[first::workers]
            worker = self._processes.hire()
            self._busy[worker] = own
            self._processes.begin(worker, Call(first, "run", ([recipes[k] for k in own], shared)))

    def is_done(self) -> bool:
        """Whether all outcomes are there."""
        self._take(0)
        return not self._busy

    def outcomes(self) -> list[Outcome]:
        """The outcomes in the order of the recipes."""
        while self._busy:
            self._take(None)
        for k, recipe in enumerate(self._recipes):
            if k not in self._found:
                self._found[k] = run_short(recipe, [self._pair], Training)
        return [self._found[k] for k in range(len(self._recipes))]

    def close(self) -> None:
        """End the processes."""
        self._dismiss(list(self._busy))

    def _take(self, seconds: float | None) -> None:
        for worker, outcome in self._processes.wait(list(self._busy), seconds):
            if isinstance(outcome, Failed):
                raise outcome.error
            if isinstance(outcome, Done) and outcome.value is None:
                continue  # the worker is there
            if isinstance(outcome, Done):
                assert isinstance(outcome.value, list)
                self._found |= zip(self._busy[worker], outcome.value, strict=True)
            self._dismiss([worker])

    def _dismiss(self, workers: Collection[Process]) -> None:
        for worker in workers:
            del self._busy[worker]
        self._processes.dismiss(workers)


def short_runs_in_processes(threads: int) -> partial[RunsInProcesses]:
    """What begins short runs in processes, one fewer than `threads`, since this process works as well."""
    return partial(RunsInProcesses, workers=threads - 1)
