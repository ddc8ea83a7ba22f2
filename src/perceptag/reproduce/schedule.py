"""Run unfinished experiments, several at a time, and say how long the rest will take."""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from perceptag.engines.calls import Call, Crew, Engine, LostWorkerError
from perceptag.engines.engine_names import engine
from perceptag.errors import PerceptagError
from perceptag.reproduce.corpora import CORPORA, Folder
from perceptag.reproduce.experiment import Experiment, Settings
from perceptag.reproduce.results import Result, Results
from perceptag.reproduce.retagged import missing_tagchunk
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

    def chosen(self, experiment: Experiment) -> Experiment:
        """Return the run whose result is that of an experiment."""
        return next(e for e in self.choices[experiment] if self.found[e] is self.found[experiment])

    def reason(self, experiment: Experiment) -> str:
        """Return why there is no result, or "" if there is one."""
        runs = self.choices.get(experiment, (experiment,))
        return next((known[run] for run in runs for known in (self.skipped, self.failed) if run in known), "")

    def runs(self) -> dict[Experiment, Result]:
        """Return what was really run: no experiment that stands for the best of several, or for another."""
        return {e: r for e, r in self.found.items() if e.grid is None and not e.takes}


def carry_out(
    experiments: Sequence[Experiment],
    folder: Folder,
    out: Path,
    *,
    quick: bool,
    jobs: int,
    say: Say,
    progress: Progress = lambda *_: None,
    on: str = "",
) -> RunOutcomes:
    """Run all experiments whose data is present; the longest first, so that no long one runs alone at the end."""
    left = needed(experiments)
    outcome = RunOutcomes()
    lacking = {_data(e): missing_data(e, folder) for e in left}
    ready = [run for run in dict.fromkeys(r for e in left for r in e.alternatives(quick)) if not lacking[_data(run)]]
    _prepare(ready, folder, out, quick, say)
    clock = _Clock(ready, Results(out / "results").keys(), quick)
    progress(0, clock.number)
    while left:  # those whose settings depend on others come in a later round
        now = [e for e in left if not any(taken.run in left for taken in e.takes)]
        left = [e for e in left if e not in now]
        for experiment in now:
            outcome.choices[experiment] = _settled(experiment, quick, outcome)
        wanted = dict.fromkeys(run for e in now for run in outcome.choices[e])
        outcome.skipped |= {run: lacking[_data(run)] for run in wanted if lacking[_data(run)]}
        known = (outcome.found, outcome.skipped, outcome.failed)
        new = sorted((run for run in wanted if not any(run in place for place in known)), key=lambda e: -e.cost)
        for experiment, result in _finished(new, folder, out, quick, engine(on or "processes", jobs)):
            if isinstance(result, str):
                outcome.failed[experiment] = result
            else:
                outcome.found[experiment] = result
            told = clock.tick(experiment, result)
            progress(clock.done, clock.number)
            say(told)
        outcome.choose()
    return outcome


def needed(experiments: Sequence[Experiment]) -> list[Experiment]:
    """Return all experiments, and those whose results they depend on."""
    found: dict[Experiment, None] = {}
    stack = list(reversed(experiments))
    while stack:
        experiment = stack.pop()
        if experiment not in found:
            found[experiment] = None
            stack += [taken.run for taken in experiment.takes]
    return list(found)


def _settled(experiment: Experiment, quick: bool, outcome: RunOutcomes) -> tuple[Experiment, ...]:
    """Return the runs of an experiment with the settings that it takes from others; itself if one of those failed."""
    changed = experiment
    for taken in experiment.takes:
        result = outcome.found.get(taken.run)
        if result is None:
            outcome.skipped[experiment] = outcome.reason(taken.run) or f"{taken.run.recipe} was not run"
            return (experiment,)
        value = result.best_epoch if taken.key == "best_epoch" else result.recipe[taken.key]
        changed = dataclasses.replace(
            changed.with_setting(taken.name, value), quick=_without(changed.quick, taken.name)
        )
    return dataclasses.replace(changed, takes=()).alternatives(quick)


def _without(given: Settings, name: str) -> Settings:
    return tuple((key, value) for key, value in given if key != name)


def _data(experiment: Experiment) -> tuple[str, str]:
    return experiment.data, experiment.tags


def missing_data(experiment: Experiment, folder: Folder) -> str:
    """Return which data of an experiment is missing, or ""."""
    reason = folder.missing(CORPORA[experiment.data])
    if reason or not experiment.tags or not (lacking := missing_tagchunk(folder)):
        return reason
    return lacking if experiment.tags == "tagchunk" else folder.missing(CORPORA["np"])


def _prepare(experiments: Sequence[Experiment], folder: Folder, out: Path, quick: bool, say: Say) -> None:
    """Make what several experiments share, before they run in parallel."""
    shared = next((e for e in experiments if e.tags), None)
    if shared is not None:
        if missing_tagchunk(folder):
            say("tagging the data of names with our own parts of speech and chunks")
        load_parts(shared, folder, out, quick)


class ExperimentWorker:
    """Runs experiments, one after the other."""

    def run(self, experiment: Experiment, folder: Folder, out: Path, quick: bool) -> Result | str:
        """Return a result, or the error as text."""
        try:
            return run(experiment, folder, out, quick)
        except PerceptagError as error:
            return str(error)
        except Exception as error:  # a bug, or no memory: the others continue, and the command ends with status 1
            return f"{type(error).__name__}: {error}"


def _finished(
    experiments: Sequence[Experiment], folder: Folder, out: Path, quick: bool, chosen: Engine
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
        self.left = max(0.0, self.left - experiment.cost)
        if isinstance(result, str) or result.key not in self.known:
            self.spent += experiment.cost
        gone = time.monotonic() - self.started
        rest = f", about {_minutes(gone * self.left / self.spent)} left" if self.spent else ""
        what = result if isinstance(result, str) else f"{result.dev.kind} {result.dev.score:.2f}"
        data = f"{experiment.data}{' retagged' if experiment.tags else ''}"
        name = f"{data}: {experiment.recipe} {experiment.describe(self.quick)}".rstrip()
        return f"[{self.done}/{self.number}] {name}: {what} ({_minutes(gone)} gone{rest})"


def _minutes(seconds: float) -> str:
    """Return a time as people write it.

    >>> _minutes(61), _minutes(9)
    ('1 min 1 s', '9 s')
    """
    whole = round(seconds)
    return f"{whole // 60} min {whole % 60} s" if whole >= 60 else f"{whole} s"
