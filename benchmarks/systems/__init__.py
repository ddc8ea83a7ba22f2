"""The systems to compare, one file each. A system is imported only in the process that measures it."""

from __future__ import annotations

import platform
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

    def refuses(self, task: Task) -> str:
        """Why it cannot do this task; empty if it can."""

    def passes(self, asked: int) -> int:
        """How many passes over the data it makes when so many are asked for."""

    def train(self, task: Task, passes: int, model: Path, clock: Clock) -> None:
        """From the task's training file to a model; times the stage `passes`, the passes over the data alone."""

    def load(self, task: Task, model: Path) -> Tag:
        """A function that labels sentences with the model in a file."""


# name: module, and what pip calls the distribution
MODULES = {
    "perceptag": ("ours", "perceptag"),
    "perceptag-2": ("ours_second", "perceptag"),
    "crfsuite": ("crfsuite", "python-crfsuite"),
    "chaine": ("chaine_", "chaine"),
    "vowpal": ("vowpal", "vowpalwabbit"),
    "nltk": ("nltk_", "nltk"),
    "spacy": ("spacy_", "spacy"),
}


def find(name: str) -> System:
    """The system of that name."""
    system: System = import_module(f"benchmarks.systems.{MODULES[name][0]}").SYSTEM
    return system


def version(name: str) -> str:
    """The installed version of a system; empty if there is none."""
    try:
        return metadata.version(MODULES[name][1])
    except metadata.PackageNotFoundError:
        return ""


def missing(name: str) -> str:
    """Why a system cannot be measured here; empty if it can."""
    if version(name):
        return ""
    distribution = MODULES[name][1]
    asked = [r for r in metadata.requires("perceptag") or [] if r.startswith(distribution) and "extra" in r]
    wanted = f"; the extra `bench` asks for {asked[0]}" if asked else "; install it to measure it"
    return f"{distribution} is not installed for Python {platform.python_version()}{wanted}"
