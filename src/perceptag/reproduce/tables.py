"""A table as in a paper: for every figure what the paper says, and which experiments ours comes from."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from perceptag.reproduce.experiment import Experiment
from perceptag.reproduce.results import Result, Scores

Value = Callable[[Result], float | None]
Found = Mapping[Experiment, Result]


@dataclass(frozen=True, slots=True)
class Figure:
    """One figure: the paper's, and how to get ours from the runs of an experiment with several seeds.

    `missing` says why there is none of ours. `paper` is written as the paper writes it; empty: it has none.
    """

    paper: str = ""
    runs: tuple[Experiment, ...] = ()
    value: Value | None = None
    missing: str = ""
    digits: int = 2

    def ours(self, found: Found) -> Ours | None:
        """Our figure, if all its runs are there and have it."""
        values = [self.value(found[run]) for run in self.runs if run in found] if self.value else []
        if not values or len(values) < len(self.runs) or None in values:
            return None
        numbers = [v for v in values if v is not None]
        spread = statistics.stdev(numbers) if len(numbers) > 1 else None
        return Ours(statistics.fmean(numbers), spread, numbers, self.digits)


@dataclass(frozen=True, slots=True)
class Ours:
    """A figure that was measured: the mean over seeds, and the standard deviation where there are several."""

    mean: float
    spread: float | None
    values: Sequence[float]
    digits: int

    def __str__(self) -> str:
        text = f"{self.mean:,.{self.digits}f}"
        return text if self.spread is None else f"{text} ± {self.spread:.{self.digits}f}"


@dataclass(frozen=True, slots=True)
class Row:
    """A line of a table."""

    name: str
    figures: tuple[Figure, ...]


@dataclass(frozen=True, slots=True)
class Table:
    """A table of a paper. Every column of figures has the paper's beside ours."""

    paper: str
    title: str
    columns: tuple[str, ...]
    rows: tuple[Row, ...]
    notes: tuple[str, ...] = ()

    def experiments(self) -> Iterator[Experiment]:
        """All runs that the table needs."""
        for row in self.rows:
            for figure in row.figures:
                yield from figure.runs


@dataclass(frozen=True, slots=True)
class Curve:
    """A line of a plot: a name and points."""

    name: str
    points: list[tuple[float, float]] = field(default_factory=list)


# --- how figures are read off a result ---


def dev_score(result: Result) -> float:
    """F1 or accuracy on dev."""
    return result.dev.score


def dev_error(result: Result) -> float:
    """Per cent of wrong labels on dev."""
    return result.dev.error


def best_pass(result: Result) -> float:
    """The pass with the best dev score: Collins' Numits."""
    return float(result.best_epoch)


def seconds(result: Result) -> float:
    """CPU time of training."""
    return result.cpu_seconds


def test_score(result: Result) -> float | None:
    """F1 or accuracy on the test set, if it is there."""
    return None if result.test is None else result.test.score


def test_error(result: Result) -> float | None:
    """Per cent of wrong labels on the test set."""
    return None if result.test is None else result.test.error


def final_score(result: Result) -> float | None:
    """The same after training on train and dev together."""
    return None if result.final is None else result.final.score


def final_error(result: Result) -> float | None:
    """Per cent of wrong labels, after training on train and dev together."""
    return None if result.final is None else result.final.error


def variant(name: str) -> Value:
    """The dev score of a variant, e.g. ``nbest_tagging=400``."""
    return lambda result: result.variants.get(name)


def of_type(part: str, kind: str, which: int) -> Value:
    """Precision (0), recall (1) or F1 (2) of one type of spans on `dev` or `test`."""

    def value(result: Result) -> float | None:
        scores: Scores | None = result.dev if part == "dev" else result.test
        return None if scores is None or kind not in scores.types else scores.types[kind][which]

    return value
