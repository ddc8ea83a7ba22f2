"""Run unfinished experiments, several at a time, and say how long the rest will take."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from perceptag.engines.calls import Call, Crew, Engine
from perceptag.engines.engine_names import engine
from perceptag.engines.outcomes import LostWorkerError
from perceptag.errors import PerceptagError
from perceptag.reproduce.corpora import CORPORA, Folder
from perceptag.reproduce.experiment import Experiment
from perceptag.reproduce.results import Result, Results
from perceptag.reproduce.run import load_parts, run

Say = Callable[[str], None]
Progress = Callable[[int, int], object]  # how many runs are done, and of how many


@dataclass(slots=True)
class RunOutcomes:
    """Results by experiment, and what went wrong with others."""

    found: dict[Experiment, Result] = field(default_factory=dict)
    skipped: dict[Experiment, str] = field(default_factory=dict)  # and which data is missing
    failed: dict[Experiment, str] = field(default_factory=dict)  # and the error

    choices: dict[Experiment, tuple[Experiment, ...]] = field(default_factory=dict)  # the runs to choose from

    def choose(self) -> None:
        """Take the best alternative on dev as the result of an experiment, if all have been run."""
        for experiment, runs in self.choices.items():
            if all(run in self.found for run in runs):
                self.found[experiment] = max((self.found[run] for run in runs), key=lambda r: r.dev.score)

    def reason(self, experiment: Experiment) -> str:
        """Return why there is no result, or "" if there is one."""
        runs = self.choices.get(experiment, (experiment,))
        return next((known[run] for run in runs for known in (self.skipped, self.failed) if run in known), "")


def carry_out(
    experiments: Sequence[Experiment],
    folder: str,
    out: Path,
    *,
    quick: bool,
    jobs: int,
    say: Say,
    progress: Progress = lambda *_: None,
    on: str = "",
) -> RunOutcomes:
    """Run all experiments whose data is present; the longest first, so that no long one runs alone at the end."""
    outcome = RunOutcomes(choices={experiment: experiment.alternatives(quick) for experiment in experiments})
    ready = []
    wanted = dict.fromkeys(run for runs in outcome.choices.values() for run in runs)
    for experiment in sorted(wanted, key=lambda e: -e.cost):
        reason = _missing(experiment, Folder(folder))
        if reason:
            outcome.skipped[experiment] = reason
        else:
            ready.append(experiment)
    _prepare(ready, folder, out, quick, say)
    clock = _Clock(ready, Results(out / "results").keys(), quick)
    progress(0, clock.number)
    for experiment, result in _finished(ready, folder, out, quick, engine(on or "processes", jobs)):
        if isinstance(result, str):
            outcome.failed[experiment] = result
        else:
            outcome.found[experiment] = result
        told = clock.tick(experiment, result)
        progress(clock.done, clock.number)
        say(told)
    outcome.choose()
    return outcome


def _missing(experiment: Experiment, folder: Folder) -> str:
    reason = folder.missing(CORPORA[experiment.data])
    return reason or (folder.missing(CORPORA["np"]) if experiment.retagged else "")


def _prepare(experiments: Sequence[Experiment], folder: str, out: Path, quick: bool, say: Say) -> None:
    """Make what several experiments share, before they run in parallel."""
    shared = next((e for e in experiments if e.retagged), None)
    if shared is not None:
        say("tagging the data of names with our own parts of speech and chunks")
        load_parts(shared, Folder(folder), out, quick)


class ExperimentWorker:
    """Runs experiments, one after the other."""

    def run(self, experiment: Experiment, folder: str, out: Path, quick: bool) -> Result | str:
        """Return a result, or the error as text."""
        try:
            return run(experiment, folder, out, quick)
        except PerceptagError as error:
            return str(error)
        except Exception as error:  # a bug, or no memory: the others continue, and the command ends with status 1
            return f"{type(error).__name__}: {error}"


def _finished(
    experiments: Sequence[Experiment], folder: str, out: Path, quick: bool, chosen: Engine
) -> Iterator[tuple[Experiment, Result | str]]:
    """Yield results when they are ready; an experiment that fails gives its error as text, and the others continue."""
    left = dict(enumerate(experiments))
    crew = chosen.crew(ExperimentWorker)
    try:
        while left:  # a worker that is lost ends a run
            calls = [Call(key, "run", (experiment, folder, out, quick)) for key, experiment in left.items()]
            for key, result in _until_lost(crew, calls):
                yield left.pop(key), result
    finally:
        crew.close()


def _until_lost(crew: Crew, calls: Sequence[Call]) -> Iterator[tuple[int, Result | str]]:
    """The results of calls, up to one with which workers are lost again and again."""
    try:
        yield from crew.run(calls)
    except LostWorkerError as error:
        if error.key not in [call.key for call in calls]:
            raise
        yield error.key, f"{error}; is there enough memory?"


class _Clock:
    """Progress, and the time left, estimated from declared costs and the speed of the runs that were not `known`."""

    def __init__(self, experiments: Sequence[Experiment], known: set[str], quick: bool) -> None:
        self.left = sum(e.cost for e in experiments)
        self.spent, self.number, self.done = 0.0, len(experiments), 0
        self.known, self.quick = known, quick
        self.started = time.monotonic()

    def tick(self, experiment: Experiment, result: Result | str) -> str:
        """Count one more finished experiment and return the line that says so."""
        self.done += 1
        self.left -= experiment.cost
        if isinstance(result, str) or result.key not in self.known:
            self.spent += experiment.cost
        gone = time.monotonic() - self.started
        rest = f", about {_minutes(gone * self.left / self.spent)} left" if self.spent else ""
        what = result if isinstance(result, str) else f"{result.dev.kind} {result.dev.score:.2f}"
        data = f"{experiment.data}{' retagged' if experiment.retagged else ''}"
        name = f"{data}: {experiment.recipe} {experiment.describe(self.quick)}".rstrip()
        return f"[{self.done}/{self.number}] {name}: {what} ({_minutes(gone)} gone{rest})"


def _minutes(seconds: float) -> str:
    """Return a time as people write it.

    >>> _minutes(61), _minutes(9)
    ('1 min 1 s', '9 s')
    """
    whole = round(seconds)
    return f"{whole // 60} min {whole % 60} s" if whole >= 60 else f"{whole} s"
