"""All systems on all tasks, one after the other, in several rounds: a disturbance then affects all systems."""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks import systems
from benchmarks.jobs import ChildError, Jobs
from benchmarks.task import Task, read_plain
from perceptag import evaluate


def say(text: str) -> None:
    """Print progress on standard error."""
    print(text, file=sys.stderr, flush=True)


@dataclass
class Result:
    """What one system did on one task: best times in seconds, sizes in bytes."""

    task: str
    system: str
    title: str
    features: str
    rounds: int = 0
    passes: int = 0
    wall: dict[str, float] = field(default_factory=dict)
    cpu: dict[str, float] = field(default_factory=dict)
    each: dict[str, list[float]] = field(default_factory=dict)  # CPU time of each round
    memory: int = 0
    size: int = 0
    score: float = 0.0
    tokens: dict[str, int] = field(default_factory=dict)
    failure: str = ""  # why there are no figures, or fewer

    def add(self, wall: dict[str, float], cpu: dict[str, float]) -> None:
        """Keep the best time of each stage, and the CPU time of each round."""
        for mine, new in ((self.wall, wall), (self.cpu, cpu)):
            for stage, seconds in new.items():
                mine[stage] = min(mine.get(stage, seconds), seconds)
        for stage, seconds in cpu.items():
            self.each.setdefault(stage, []).append(seconds)


@dataclass
class Rounds:
    """The plan: which systems, on which tasks, how often."""

    tasks: list[Task]
    names: list[str]
    rounds: int
    passes: int
    folder: Path
    repeats: int = 3
    long: float = 20.0  # seconds of training after which one round must be enough

    def run(self) -> list[Result]:
        """Measure everything, interleaved."""
        results = {(task.name, name): self.start(task, name) for task in self.tasks for name in self.names}
        for number in range(self.rounds):
            for task in self.tasks:
                gold = [labels for _, labels in read_plain(task.dev, task.columns)]
                for name in self.names:
                    result = results[task.name, name]
                    if self.is_due(result):
                        say(f"round {number + 1} of {self.rounds}: {task.name}, {name}")
                        self.measure(task, name, result, gold)
        return list(results.values())

    def is_due(self, result: Result) -> bool:
        """Return whether to run again: not if it failed, or took so long that one round must be enough."""
        return not result.failure and result.cpu.get("train", 0.0) <= self.long

    def start(self, task: Task, name: str) -> Result:
        """Return an empty result; it says why if the system cannot do the task."""
        missing = systems.missing(name)
        if missing:
            return Result(task.name, name, name, "", failure=missing)
        try:
            system = systems.find(name)
        except ImportError as error:
            return Result(task.name, name, name, "", failure=f"installed, but: {error}")
        result = Result(task.name, name, system.title, system.features, failure=system.refuses(task))
        for part in ("train", "dev"):
            sentences = read_plain(getattr(task, part), task.columns)
            result.tokens[part] = sum(len(labels) for _, labels in sentences)
        return result

    def model(self, task: Task, name: str) -> Path:
        """Return the path for the model of a system."""
        return self.folder / f"{task.name}-{name}.model"

    def measure(self, task: Task, name: str, result: Result, gold: list[list[str]]) -> None:
        """Measure in one child process and add the figures to the result."""
        job = {"do": "fit", "system": name, "task": str(self.folder / f"{task.name}.json"), "passes": self.passes}
        job |= {"model": str(self.model(task, name)), "repeats": self.repeats}
        try:
            done: dict[str, Any] = Jobs(self.folder).run(job)
        except ChildError as failure:
            result.failure = str(failure)
            return
        result.add(done["wall"], done["cpu"])
        result.rounds += 1
        result.passes, result.size = done["passes"], done["size"]
        result.memory = min(result.memory or done["memory"], done["memory"])
        result.score = evaluate(gold, done["labels"], bootstrap=0).main_score[1]
