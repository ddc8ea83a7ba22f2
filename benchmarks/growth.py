"""How time and memory grow with the data, 1 to 16 times, and with the number of labels; on generated text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks import systems
from benchmarks.corpora import POS_TEMPLATES, patterns_of
from benchmarks.generate import write
from benchmarks.jobs import ChildError, Jobs
from benchmarks.rounds import say
from benchmarks.task import Task
from perceptag.system.plot import Series, lines

TIMES = (1, 2, 4, 8, 16)
UNIT = 32_000  # tokens
LABELS = 45
LABEL_NUMBERS = (5, 10, 20, 40, 80, 160)
PASSES = 2
SYSTEMS = ("perceptag", "crfsuite")
SECOND = "perceptag-2"
MAX_SECOND = 40  # labels: with more, one run of second order takes minutes


@dataclass
class Point:
    """One run: CPU seconds from file to model and of tagging, peak memory, size of the model in bytes."""

    system: str
    tokens: int
    labels: int
    train: float
    passes: float
    tag: float
    load: float
    memory: int
    size: int


@dataclass
class Fit:
    """A straight line through points, and how well it fits."""

    slope: float
    intercept: float
    r2: float


def linear_fit(xs: Sequence[float], ys: Sequence[float]) -> Fit:
    """Least squares; R² is the share of the variance that the line explains."""
    slope, intercept = (float(c) for c in np.polyfit(xs, ys, 1))
    left = sum((y - slope * x - intercept) ** 2 for x, y in zip(xs, ys, strict=True))
    total = sum((y - sum(ys) / len(ys)) ** 2 for y in ys)
    return Fit(slope, intercept, 1 - left / total if total else 1.0)


class Growth:
    """Measures in child processes; keeps the points and the failures."""

    def __init__(self, folder: Path, unit: int = UNIT) -> None:
        self.folder = folder
        self.unit = unit
        self.jobs = Jobs(folder)
        self.failures: list[str] = []

    def by_data(self, times: Sequence[int] = TIMES) -> list[Point]:
        """Measure with 1 to 16 times the data; the text to tag is half as long."""
        return self.points([(n * self.unit, LABELS, SYSTEMS) for n in times])

    def by_labels(self, numbers: Sequence[int] = LABEL_NUMBERS) -> list[Point]:
        """Measure the same amount of data with more and more labels; second order only up to `MAX_SECOND` labels."""
        names = ("perceptag", "crfsuite", SECOND)
        wanted = [(n, tuple(s for s in names if s != SECOND or n <= MAX_SECOND)) for n in numbers]
        return self.points([(self.unit, n, some) for n, some in wanted])

    def points(self, plan: Sequence[tuple[int, int, Sequence[str]]]) -> list[Point]:
        """Return all points that could be measured."""
        found = []
        for tokens, labels, names in plan:
            task = self.task(tokens, labels)
            for name in (n for n in names if systems.version(n)):
                say(f"growth: {name}, {tokens:,} tokens, {labels} labels")
                try:
                    found.append(self.point(name, task, tokens, labels))
                except ChildError as error:
                    self.failures.append(str(error))
        return found

    def task(self, tokens: int, labels: int) -> Task:
        """Generate data of one size."""
        train, dev = (self.folder / f"growth-{part}.txt" for part in ("train", "dev"))
        write(train, tokens, labels, seed=1)
        write(dev, tokens // 2, labels, seed=2)
        columns = ("form", "label")
        patterns = patterns_of(POS_TEMPLATES, columns)
        files = str(train), str(dev), str(dev)
        task = Task("growth", "generated text", columns, *files, "accuracy", POS_TEMPLATES, patterns)
        task.save(self.folder / "growth.json")
        return task

    def point(self, name: str, task: Task, tokens: int, labels: int) -> Point:
        """Measure one point in a child process."""
        job: dict[str, Any] = {"do": "fit", "system": name, "task": str(self.folder / f"{task.name}.json")}
        job |= {"passes": PASSES, "repeats": 2, "model": str(self.folder / "growth.model")}
        done = self.jobs.run(job)
        cpu = done["cpu"]
        train, passes, tag, load = (cpu[stage] for stage in ("train", "passes", "tag", "load"))
        return Point(name, tokens, labels, train, passes, tag, load, done["memory"], done["size"])


def curves(points: Sequence[Point], x: str, y: str, scale: float) -> list[Series]:
    """Return one curve for each system."""
    by_system: dict[str, list[tuple[float, float]]] = {}
    for p in points:
        by_system.setdefault(p.system, []).append((getattr(p, x), getattr(p, y) / scale))
    return [Series(name, found) for name, found in by_system.items()]


def plots(by_data: Sequence[Point], by_labels: Sequence[Point]) -> dict[str, str]:
    """Return drawings by file name."""
    drawn = {}
    for y, what, unit, scale in (
        ("train", "Time", "CPU seconds, file to model", 1.0),
        ("memory", "Memory", "peak memory, MB", 1e6),
    ):
        if by_data:
            against = curves(by_data, "tokens", y, scale)
            title = f"{what} against data"
            drawn[f"growth-data-{y}.svg"] = lines(against, title=title, x="tokens", y=unit, zero=True)
        if by_labels:
            against = curves(by_labels, "labels", y, scale)
            title = f"{what} against labels"
            drawing = lines(against, title=title, x="labels", y=unit, log_x=True, log_y=True)
            drawn[f"growth-labels-{y}.svg"] = drawing
    return drawn


def fits(points: Sequence[Point]) -> list[tuple[str, str, Fit, float]]:
    """Return for each system and figure the line over tokens, and the largest cost per token over the middle one."""
    found = []
    for name in dict.fromkeys(p.system for p in points):
        mine = [p for p in points if p.system == name]
        if len(mine) < 3:
            continue
        tokens = [p.tokens for p in mine]
        for y in ("train", "passes", "tag", "memory"):
            values = [float(getattr(p, y)) for p in mine]
            middle = len(mine) // 2
            drift = (values[-1] / tokens[-1]) / (values[middle] / tokens[middle])
            found.append((name, y, linear_fit(tokens, values), drift))
    return found
