"""The systems to compare, one file each. A system is imported only in the process that measures it."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module, metadata
from pathlib import Path
from typing import Protocol

from benchmarks.features import Columns
from benchmarks.measure import Clock
from benchmarks.task import Task

Tag = Callable[[list[Columns]], list[list[str]]]


class System(Protocol):
    """What a benchmark needs of a system."""

    title: str
    features: str  # "the same", or what it uses instead
    slow: bool  # measured in one round only, where several would take minutes

    def refuses(self, task: Task) -> str:
        """Why it cannot do this task; empty if it can."""

    def passes(self, asked: int) -> int:
        """How many passes over the data it makes when so many are asked for."""

    def train(self, task: Task, passes: int, model: Path, clock: Clock) -> None:
        """From the task's training file to a model; times the stage `passes`, the passes over the data alone."""

    def load(self, task: Task, model: Path) -> Tag:
        """A function that labels sentences with the model in a file."""


MODULES = {
    "perceptag": "benchmarks.systems.ours",
    "perceptag-2": "benchmarks.systems.ours_second",
    "crfsuite": "benchmarks.systems.crfsuite",
}


def find(name: str) -> System:
    """The system of that name."""
    if name not in MODULES:
        raise KeyError(f"system {name!r}: expected one of {', '.join(MODULES)}")
    system: System = import_module(MODULES[name]).SYSTEM
    return system


# What pip calls the distribution that a system comes from, known without importing it.
DISTRIBUTIONS = {"perceptag": "perceptag", "perceptag-2": "perceptag", "crfsuite": "python-crfsuite"}


def missing(name: str) -> str:
    """Why a system cannot be measured here; empty if it can."""
    distribution = DISTRIBUTIONS[name]
    return "" if version(distribution) else f"{distribution} is not installed"


def version(distribution: str) -> str:
    """The installed version of a distribution; empty if there is none."""
    try:
        return metadata.version(distribution)
    except metadata.PackageNotFoundError:
        return ""
