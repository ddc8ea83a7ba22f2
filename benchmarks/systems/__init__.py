"""The systems to compare, one file each. A system is imported only in the process that measures it."""

from __future__ import annotations

import platform
import re
from collections.abc import Callable
from importlib import import_module, metadata
from pathlib import Path
from typing import Protocol

from benchmarks.features import Columns
from benchmarks.measure import Clock
from benchmarks.task import Task

Tag = Callable[[list[Columns]], list[list[str]]]


class System(Protocol):
    """What a benchmark needs from a system."""

    title: str
    features: str  # "the same", or what it uses instead

    def refuses(self, task: Task) -> str:
        """Return why it cannot do this task, or "" if it can."""

    def passes(self, asked: int) -> int:
        """Return how many passes over the data it makes when `asked` passes are asked for."""

    def train(self, task: Task, passes: int, model: Path, clock: Clock) -> None:
        """Train from the task's file to a model; measure the stage `passes`, the passes over the data alone."""

    def load(self, task: Task, model: Path) -> Tag:
        """Return a function that labels sentences with the model in a file."""


# name: module, and what pip calls the distribution
MODULES = {
    "perceptag": ("ours", "perceptag"),
    "perceptag-2": ("ours_second", "perceptag"),
    "crfsuite": ("crfsuite", "python-crfsuite"),
    "crfsuite-lbfgs": ("crfsuite_lbfgs", "python-crfsuite"),
    "chaine": ("chaine_", "chaine"),
    "vowpal": ("vowpal", "vowpalwabbit"),
    "nltk": ("nltk_", "nltk"),
    "spacy": ("spacy_", "spacy"),
}
PASS_BY_PASS = [name for name in MODULES if name != "crfsuite-lbfgs"]  # those that ten passes are enough for


def find(name: str) -> System:
    """Return the system of that name."""
    system: System = import_module(f"benchmarks.systems.{MODULES[name][0]}").SYSTEM
    return system


def version(name: str) -> str:
    """Return the installed version of a system, or "" if it is not installed."""
    try:
        return metadata.version(MODULES[name][1])
    except metadata.PackageNotFoundError:
        return ""


def missing(name: str) -> str:
    """Return why a system cannot be measured here, or "" if it can."""
    if version(name):
        return ""
    distribution = MODULES[name][1]
    asked = [r for r in metadata.requires("perceptag") or [] if r.startswith(distribution) and "extra" in r]
    extra = re.search(r"extra == ['\"](\w+)", asked[0]) if asked else None
    wanted = f"; it comes with perceptag[{extra[1]}]" if extra else "; install it to measure it"
    return f"{distribution} is not installed for Python {platform.python_version()}{wanted}"
