"""The recipes that users run by default next to other taggers: score on dev data, and tokens a second of CPU time.

    python -m benchmarks.defaults --data FOLDER --rivals build/defaults [--rounds 5] [--docs]

The tasks are those of default_tasks.py. perceptag is run as users run it: `perceptag train -r RECIPE --train FILE
--dev FILE`, then `perceptag tag` on the dev file. Rivals have the settings that gave them the best dev score in
rival_settings.py. python-crfsuite has the features that it has in `make bench` ("usual"), or those of the recipe's
templates that strings can express: all but gazetteer and document ("recipe's"). NLTK and spaCy have features of their
own, made of words alone. Models are trained once and stay in the folder.

The time of tagging is that from column file to column file, without start and loading; systems take turns, each in a
process of its own, and the best of several rounds counts.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from benchmarks import machine, systems
from benchmarks.default_tasks import Problem, problems, score_of
from benchmarks.jobs import ROOT, ChildError, Jobs, run
from benchmarks.report import into_page
from benchmarks.rival_settings import Try, best_tries, in_words
from benchmarks.rounds import say
from benchmarks.scatter import Panel, scatter
from benchmarks.startup import timed
from benchmarks.tables import markdown
from benchmarks.task import Task

OURS = "perceptag"
PAGE, PICTURE, RESULTS = (ROOT / "docs/measurements" / f for f in ("benchmarks.md", "defaults.svg", "defaults.json"))
BEGIN, END = "<!-- defaults: begin (python -m benchmarks.defaults --rivals) -->", "<!-- defaults: end -->"


TITLES = {
    ("crfsuite", "usual"): "crfsuite, usual features",
    ("crfsuite", "recipe"): "crfsuite, recipe's features",
    ("spacy", "usual"): "spaCy, small network",
    ("nltk", "usual"): "NLTK",
}


@dataclass
class Row:
    """What one system did on one task; times are CPU seconds."""

    task: str
    system: str
    settings: str
    score: float = 0.0
    train: float = 0.0
    tagging: float = float("inf")
    tokens: int = 0
    failure: str = ""

    @property
    def rate(self) -> float:
        """Tokens a second."""
        return self.tokens / self.tagging


@dataclass
class Comparison:
    """All systems on all tasks; models and files are in one folder."""

    data: Path
    folder: Path
    rounds: int
    may_train: bool = True

    def run(self) -> list[Row]:
        """Train what is not trained yet, then measure the tagging of all in turn."""
        self.folder.mkdir(parents=True, exist_ok=True)
        turns: list[tuple[Row, Callable[[], None]]] = []
        for problem in problems(self.data, self.folder):
            turns.append(self.ours(problem))
            turns += [self.theirs(problem, rival) for rival in best_tries(problem.recipe)]
        for number in range(self.rounds):
            for row, measure in turns:
                if not row.failure:
                    say(f"round {number + 1} of {self.rounds}: {row.task}, {row.system}")
                    _try(row, measure)
        return [row for row, _ in turns]

    def ours(self, problem: Problem) -> tuple[Row, Callable[[], None]]:
        """Train as users do."""
        task, row = problem.tasks["usual"], Row(problem.recipe, OURS, f"`-r {problem.recipe}`")
        model, output = self.folder / f"{problem.recipe}-{OURS}.model", self.folder / f"{problem.recipe}-{OURS}.txt"
        columns = ",".join(task.columns)
        perceptag = [sys.executable, "-m", "perceptag"]
        train = ["train", "-r", problem.recipe, "--train", problem.train, "--dev", problem.dev, "--columns", columns]
        command = [*perceptag, *train, "--threads", "1", "--quiet", "-m", str(model)]
        _try(row, lambda: self.trained(model, row, lambda: timed(command)["cpu"]))
        job = {"do": "own_file", "system": OURS, "task": str(self.folder / f"{problem.recipe}-usual.json")}
        job |= {"model": str(model), "input": problem.dev, "output": str(output)}
        tag = [*perceptag, "tag", "--quiet", "-m", str(model), problem.dev, "-o", str(output), "--columns", columns]

        def measure() -> None:
            self.measure(job, task, row)
            by_function = output.read_bytes()
            run(tag)
            assert output.read_bytes() == by_function, "the command writes what was measured"

        return row, measure

    def theirs(self, problem: Problem, rival: Try) -> tuple[Row, Callable[[], None]]:
        """Train a rival in a process of its own."""
        system, features, passes = rival["system"], rival["features"], rival["passes"]
        task, row = problem.tasks[features], Row(problem.recipe, TITLES[system, features], in_words(rival))
        row.failure = systems.missing(system)
        stem = self.folder / f"{problem.recipe}-{system}-{features}"
        model = Path(f"{stem}.model")
        job = {"system": system, "task": str(self.folder / f"{problem.recipe}-{features}.json")}
        job |= {"model": str(model), "output": f"{stem}.txt", "settings": rival["settings"]}
        train = job | {"do": "train", "passes": passes}
        if not row.failure:
            _try(row, lambda: self.trained(model, row, lambda: Jobs(self.folder).run(train)["cpu"]["train"]))
        return row, lambda: self.measure(job | {"do": "file"}, task, row)

    def trained(self, model: Path, row: Row, train: Callable[[], float]) -> None:
        """Train if there is no model yet; the CPU seconds are kept next to it."""
        seconds = Path(f"{model}.seconds")
        if not seconds.exists() and not self.may_train:
            raise ChildError("not trained yet")
        if not seconds.exists():
            say(f"training: {row.task}, {row.system}")
            seconds.write_text(str(train()))
        row.train = float(seconds.read_text())

    def measure(self, job: dict[str, Any], task: Task, row: Row) -> None:
        """Tag once, keep the best time, and score what was written."""
        done = Jobs(self.folder).run(job)
        row.tagging = min(row.tagging, done["cpu"]["tagging"])
        row.score, row.tokens = score_of(task, job["output"])


def _try(row: Row, work: Callable[[], None]) -> None:
    try:
        work()
    except ChildError as error:
        row.failure = str(error)


def table(rows: Sequence[Row]) -> str:
    """One row for each system of each task; the ratio says how many times as fast perceptag tags."""
    base = {row.task: row.rate for row in rows if row.system == OURS}
    lines = [
        [
            f"`{row.task}`: {row.system}",
            row.settings,
            f"{row.score:.2f}",
            f"{row.train:.0f} s",
            f"{row.rate:,.0f}",
            f"{base[row.task] / row.rate:.1f}×",
        ]
        for row in rows
        if not row.failure
    ]
    return markdown(["", "settings", "dev score", "training", "tokens/s", "perceptag against it"], lines)


def picture(rows: Sequence[Row]) -> str:
    """Return scores over speed as SVG."""
    titles = {"pos": "pos: accuracy, EWT", "chunk": "chunk: F1, CoNLL-2000", "ner": "ner: F1, CoNLL-2003"}
    shown = [r for r in rows if not r.failure]
    tasks = dict.fromkeys(r.task for r in shown)
    panels = [Panel(titles[t], {r.system: (r.rate, r.score) for r in shown if r.task == t}) for t in tasks]
    title, x = "Default recipes: score on dev data and speed", "tokens a second of CPU time, tagging"
    return scatter(panels, title=title, x=x)


def compare(data: Path, folder: Path, rounds: int, may_train: bool = True) -> None:
    """Measure, and write every number into the folder."""
    about = machine.describe()
    rows = Comparison(data, folder, rounds, may_train).run()
    facts = {"machine": about, "rounds": rounds, "results": [asdict(r) for r in rows]}
    (folder / RESULTS.name).write_text(json.dumps(facts, indent=1) + "\n", encoding="utf-8")


def show(folder: Path, docs: bool) -> str:
    """Draw what was measured, and return the table; write both into the documentation if `docs`."""
    measured = (folder / RESULTS.name).read_text(encoding="utf-8")
    facts = json.loads(measured)
    rows = [Row(**result) for result in facts["results"]]
    (folder / PICTURE.name).write_text(picture(rows) + "\n", encoding="utf-8")
    count = "one round" if facts["rounds"] == 1 else f"best of {facts['rounds']} rounds"
    head = f"One thread, CPU time, tagging from file to file, {count}. {machine.in_words(facts['machine'])}."
    notes = "".join(f"- {r.task}, {r.system}: {r.failure}\n" for r in rows if r.failure)
    text = f"{head}\n\n{table(rows)}\n" + (f"\n{notes}" if notes else "")
    if docs:
        RESULTS.write_text(measured, encoding="utf-8")
        PICTURE.write_text(picture(rows) + "\n", encoding="utf-8")
        into_page(text, PAGE, BEGIN, END)
    return text
