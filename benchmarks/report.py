"""All results as one JSON file, one Markdown file and drawings; also the part of the documentation that shows them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from benchmarks import growth, machine, tables
from benchmarks.growth import Point
from benchmarks.rounds import Result
from benchmarks.task import Task
from perceptag.system.plot import bars

BEGIN, END = "<!-- benchmarks: begin (make bench ARGUMENTS=--docs) -->", "<!-- benchmarks: end -->"


@dataclass
class Report:
    """What one run measured."""

    machine: dict[str, Any]
    tasks: list[Task]
    passes: int
    rounds: int
    results: list[Result]
    more: dict[str, Any] = field(default_factory=dict)
    by_data: list[Point] = field(default_factory=list)
    by_labels: list[Point] = field(default_factory=list)
    counters: dict[str, float] = field(default_factory=dict)
    no_counters: str = "not asked for"
    failures: list[str] = field(default_factory=list)
    certainty: str = ""  # what a fixed piece of work before and after the run says

    def summary(self) -> str:
        """Return the tables of both tasks and the other figures, for the documentation."""
        names = {r.system for r in self.results} - {"perceptag-2"}
        known = dict(self.machine["versions"])
        known["perceptag"] += f" at {self.machine['commit']}"
        versions = ", ".join(f"{n} {v}" for n, v in known.items() if n in names)
        count = "one round" if self.rounds == 1 else f"{self.rounds} rounds"
        how = f"{self.passes} passes, one thread, best CPU time of {count}; ×: ratio to python-crfsuite"
        how += "; in brackets the range over all rounds" if self.rounds > 1 else ""
        parts = [f"{how}. {machine.in_words(self.machine)}. Versions: {versions}. {self.certainty}".rstrip()]
        for task in self.tasks:
            mine = [r for r in self.results if r.task == task.name]
            parts += [f"**{task.title[0].upper()}{task.title[1:]}**", tables.task_table(mine, task.metric)]
        parts.append(tables.other_table(self.more))
        notes = [*tables.remarks(self.results), *self.failures]
        parts.append("\n".join(f"- {note}" for note in notes))
        return "\n\n".join(part for part in parts if part) + "\n"

    def markdown(self) -> str:
        """Return everything as Markdown."""
        parts = ["# Benchmarks", self.summary(), "## Wall time", tables.wall_table(self.results)]
        if self.by_data or self.by_labels:
            parts += ["## Growth", tables.growth_table(self.by_data), tables.label_table(self.by_labels)]
            parts += [f"![{name}]({name})" for name in growth.plots(self.by_data, self.by_labels)]
        counted = [f"- {name}: {value:,.0f}" for name, value in self.counters.items()]
        parts += ["## Counters", "\n".join(counted) or f"Not available: {self.no_counters}."]
        return "\n\n".join(parts) + "\n"

    def as_json(self) -> str:
        """Return every number as JSON."""
        data = asdict(self)
        for task in data["tasks"]:
            del task["patterns"], task["train"], task["dev"], task["text"]
        data["fits"] = [[name, y, asdict(fit), drift] for name, y, fit, drift in growth.fits(self.by_data)]
        return json.dumps(data, indent=1)

    def plots(self) -> dict[str, str]:
        """Return drawings by file name."""
        drawn = growth.plots(self.by_data, self.by_labels)
        for task in self.tasks:
            mine = [r for r in self.results if r.task == task.name and "tag" in r.cpu]
            drawn |= _bars(task, mine)
        return drawn

    def write(self, folder: Path) -> None:
        """Write JSON, Markdown and drawings."""
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "results.json").write_text(self.as_json(), encoding="utf-8")
        (folder / "results.md").write_text(self.markdown(), encoding="utf-8")
        for name, drawing in self.plots().items():
            (folder / name).write_text(drawing, encoding="utf-8")


def _bars(task: Task, results: Sequence[Result]) -> dict[str, str]:
    if not results:
        return {}
    names = [f"{r.title.replace('`', '')} ({task.metric} {r.score:.2f})" for r in results]
    tagging = [round(r.tokens["dev"] / r.cpu["tag"]) for r in results]
    training = [round(r.tokens["train"] * r.passes / r.cpu["train"]) for r in results]
    what = task.title.split(",")[0]
    return {
        f"{task.name}-tagging.svg": bars(names, tagging, title=f"Tagging {what}", x="tokens a second of CPU time"),
        f"{task.name}-training.svg": bars(names, training, title=f"Training, {what}", x="tokens × passes a second"),
    }


def into_page(summary: str, path: Path, begin: str = BEGIN, end: str = END) -> None:
    """Replace the text between the markers of a page."""
    text = path.read_text(encoding="utf-8")
    if begin not in text or end not in text:
        raise SystemExit(f"{path}: expected the lines {begin!r} and {end!r}, found neither or only one")
    before, rest = text.split(begin, 1)
    path.write_text(f"{before}{begin}\n{summary}{end}{rest.split(end, 1)[1]}", encoding="utf-8")
