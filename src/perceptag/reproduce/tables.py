"""A table as in a paper: for every figure the paper's value, and the experiments that give ours."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from perceptag.reproduce.experiment import Experiment
from perceptag.reproduce.results import Result, RunScores

Found = Mapping[Experiment, Result]


@dataclass(frozen=True, slots=True)
class Measure:
    """One number of one run, with its 95 % interval if it has one."""

    value: float
    interval: tuple[float, float] | None = None


Value = Callable[[Result], Measure | None]


@dataclass(frozen=True, slots=True)
class Ours:
    """Our figure: the mean over training orders, with its standard deviation, or the interval of the only run."""

    mean: float
    deviation: float | None
    interval: tuple[float, float] | None
    values: tuple[float, ...]

    def text(self, digits: int) -> str:
        """Return the figure as tables show it."""
        shown = f"{self.mean:,.{digits}f}"
        if self.deviation is not None:
            return f"{shown} ± {self.deviation:.{digits}f}"
        return shown if self.interval is None else f"{shown} ({self.interval[0]:.1f}–{self.interval[1]:.1f})"


@dataclass(frozen=True, slots=True)
class Figure:
    """One figure: the paper's, and how to get ours from the runs of an experiment in several training orders.

    `missing` says why we have no figure. `paper` is written as in the paper; empty: the paper has none. With `against`
    the figure is by how many per cent the value, which is an error, is lower than that of these runs.
    """

    paper: str = ""
    runs: tuple[Experiment, ...] = ()
    value: Value | None = None
    missing: str = ""
    digits: int = 2
    against: tuple[Experiment, ...] = ()

    def ours(self, found: Found) -> Ours | None:
        """Return our figure, or None if a run is missing or does not have it."""
        measures = self._measures(self.runs, found)
        if not measures:
            return None
        values = tuple(m.value for m in measures)
        if self.against:
            others = self._measures(self.against, found)
            worse = statistics.fmean(m.value for m in others) if others else 0.0
            if not worse:
                return None
            values = tuple(100 * (worse - value) / worse for value in values)
        alone = len(values) == 1
        deviation = None if alone else statistics.stdev(values)
        interval = measures[0].interval if alone and not self.against else None
        return Ours(statistics.fmean(values), deviation, interval, values)

    def _measures(self, runs: tuple[Experiment, ...], found: Found) -> list[Measure]:
        """Return the measures of all runs, or nothing if one of them has none."""
        measured = [self.value(found[run]) for run in runs if run in found] if self.value else []
        return [m for m in measured if m is not None] if len(measured) == len(runs) and None not in measured else []


@dataclass(frozen=True, slots=True)
class PaperRow:
    """A line of a table."""

    name: str
    figures: tuple[Figure, ...]

    def runs(self) -> tuple[Experiment, ...]:
        """Return all runs behind the row."""
        return tuple(dict.fromkeys(run for figure in self.figures for run in figure.runs))


@dataclass(frozen=True, slots=True)
class PaperTable:
    """A table of a paper. Every column of figures shows the paper's next to ours."""

    paper: str
    title: str
    columns: tuple[str, ...]
    rows: tuple[PaperRow, ...]
    notes: tuple[str, ...] = ()

    def experiments(self) -> Iterator[Experiment]:
        """Yield all runs that the table needs."""
        for row in self.rows:
            for figure in row.figures:
                yield from (*figure.runs, *figure.against)


# --- how figures are read off a result ---


def _score(scores: RunScores | None) -> Measure | None:
    return None if scores is None else Measure(scores.score, scores.interval)


def _error(scores: RunScores | None) -> Measure | None:
    if scores is None:
        return None
    low, high = scores.interval
    return Measure(scores.error, (100 - high, 100 - low))


def _on(part: str, measure: Callable[[RunScores | None], Measure | None]) -> Value:
    return lambda result: measure(getattr(result, part))


# F1 or accuracy, and the per cent of wrong labels; `final`: on the test set, after training on train and dev together.
dev_score, test_score, final_score = (_on(part, _score) for part in ("dev", "test", "final"))
dev_error, test_error, final_error = (_on(part, _error) for part in ("dev", "test", "final"))


def best_pass(result: Result) -> Measure:
    """The pass with the best dev score: Collins' Numits."""
    return Measure(result.best_epoch)


def chosen(*keys: str) -> Value:
    """The setting that was chosen on dev, such as C: the first of the keys that the recipe has."""

    def value(result: Result) -> Measure | None:
        found = next((result.recipe[key] for key in keys if key in result.recipe), None)
        return None if found is None else Measure(float(found))

    return value


def seconds(result: Result) -> Measure:
    """CPU time of training."""
    return Measure(result.cpu_seconds)


def variant(name: str, part: str = "dev") -> Value:
    """The score of a variant, e.g. ``nbest_tagging=400``, on `dev` or `test`."""

    def value(result: Result) -> Measure | None:
        found = result.variants.get(name)
        return None if found is None else _score(found.dev if part == "dev" else found.test)

    return value


def of_type(part: str, kind: str, which: int) -> Value:
    """Precision (0), recall (1) or F1 (2) of one type of spans on `dev` or `test`."""

    def value(result: Result) -> Measure | None:
        scores = result.dev if part == "dev" else result.test
        if scores is None or kind not in scores.types:
            return None
        is_score = (kind, which) == ("overall", 2)
        return Measure(scores.types[kind][which], scores.interval if is_score else None)

    return value
