"""The recipes that users run by default next to other taggers: score on dev data, and tokens a second of CPU time.

    python -m benchmarks.defaults --data FOLDER --rivals build/defaults [--rounds 5] [--docs]

pos    parts of speech (xpos) of UD English EWT
chunk  all phrases of CoNLL-2000
ner    names of CoNLL-2003, with documents, parts of speech and phrases as the corpus has them

perceptag is run as users run it: `perceptag train -r RECIPE --train … --dev …`, then `perceptag tag` on the dev file.
python-crfsuite has the features that it has in `make bench` ("usual"), or those of the recipe's templates that strings
can express: all but gazetteer and document ("recipe's"). NLTK and spaCy have features of their own. The table names
the settings of rivals, which are not tuned. Models are trained once and stay in the folder.

The time of tagging is that from column file to column file, without start and loading; systems take turns, each in a
process of its own, and the best of several rounds counts.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from benchmarks import machine, systems
from benchmarks.corpora import POS_TEMPLATES, ewt_tags, patterns_of, write_task
from benchmarks.jobs import ROOT, ChildError, Jobs, run
from benchmarks.report import into_page
from benchmarks.rounds import say
from benchmarks.startup import timed
from benchmarks.tables import markdown
from benchmarks.task import Task, read_plain
from perceptag import evaluate
from perceptag.labels.schemes import convert
from perceptag.recipe.recipe import load
from perceptag.system.plot import Panel, scatter
from perceptag.text import read_columns

OURS = "perceptag"
PAGE, PICTURE, RESULTS = (ROOT / "docs/measurements" / f for f in ("benchmarks.md", "defaults.svg", "defaults.json"))
BEGIN, END = "<!-- defaults: begin (python -m benchmarks.defaults --rivals) -->", "<!-- defaults: end -->"
CHUNKS, NAMES = ("form", "pos", "chunk"), ("form", "pos", "chunk", "ner")
NOT_IN_STRINGS = ("gazetteer", "doc_")


@dataclass(frozen=True)
class Rival:
    """A system, the features that it gets, and how long it is trained."""

    title: str
    system: str
    features: str
    passes: int
    settings: str
    tasks: tuple[str, ...] = ("pos", "chunk", "ner")


USUAL, SAME, CRF = "crfsuite, usual features", "crfsuite, recipe's features", "the same, as a CRF"
RIVALS = (
    Rival(USUAL, "crfsuite", "usual", 10, "`ap`, 10 passes"),
    Rival(SAME, "crfsuite", "recipe", 10, "`ap`, 10 passes"),
    Rival(CRF, "crfsuite-lbfgs", "recipe", 100, "`lbfgs`, c2 0.05, 100 iterations", ("chunk", "ner")),
    Rival("NLTK", "nltk", "usual", 5, "`PerceptronTagger`, 5 passes", ("pos",)),
    Rival("spaCy", "spacy", "usual", 5, "blank `tok2vec` tagger, 5 passes", ("pos",)),
)


@dataclass(frozen=True)
class Problem:
    """A task for rivals, by features, and the files that perceptag gets."""

    recipe: str
    data: str
    train: str
    dev: str
    tasks: dict[str, Task]


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


def problems(data: Path, folder: Path) -> list[Problem]:
    """Write the files of the three tasks."""
    chunks, names = data / "conll2000", data / "conll2003"
    whole = [*_columns(chunks / "train.txt", CHUNKS)]
    phrases = whole[: -(len(whole) // 10)], whole[-(len(whole) // 10) :]  # it has no dev data
    people = [[*_columns(names / f"eng.{part}", NAMES)] for part in ("train", "testa")]
    np = load("collins-np").templates
    pos = _problem(folder, "pos", "UD English EWT", ("form", "xpos"), POS_TEMPLATES, ewt_tags(data / "ewt"))
    chunk = _problem(folder, "chunk", "CoNLL-2000", CHUNKS, [t for t in np if "y-2" not in t], phrases)
    ner = _problem(folder, "ner", "CoNLL-2003", NAMES, POS_TEMPLATES, people)
    return [pos, chunk, replace(ner, train=str(names / "eng.train"), dev=str(names / "eng.testa"))]


def _columns(path: Path, names: Sequence[str]) -> Iterator[Sequence[Sequence[str]]]:
    for sentence in read_columns(path, list(names)):
        *others, labels = (sentence.columns[name] for name in names)
        yield [*others, convert(labels, "IOB2")]


def _problem(
    folder: Path, recipe: str, data: str, columns: tuple[str, ...], usual: Sequence[str], parts: Sequence[Any]
) -> Problem:
    metric = "accuracy" if recipe == "pos" else "F1"
    usual_task = write_task(folder, recipe, columns, metric, tuple(usual), data, [*parts, parts[1]], "")
    own = tuple(t for t in load(recipe).templates if not any(word in t for word in NOT_IN_STRINGS))
    own_task = replace(usual_task, name=f"{recipe}-own", templates=own, patterns=patterns_of(own, columns))
    tasks = {"usual": usual_task, "recipe": own_task}
    for features, task in tasks.items():
        task.save(folder / f"{recipe}-{features}.json")
    return Problem(recipe, data, usual_task.train, usual_task.dev, tasks)


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
            turns += [self.theirs(problem, rival) for rival in RIVALS if problem.recipe in rival.tasks]
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

    def theirs(self, problem: Problem, rival: Rival) -> tuple[Row, Callable[[], None]]:
        """Train a rival in a process of its own."""
        task, row = problem.tasks[rival.features], Row(problem.recipe, rival.title, rival.settings)
        row.failure = systems.missing(rival.system)
        stem = self.folder / f"{problem.recipe}-{rival.system}-{rival.features}"
        model = Path(f"{stem}.model")
        job = {"system": rival.system, "task": str(self.folder / f"{problem.recipe}-{rival.features}.json")}
        job |= {"model": str(model), "output": f"{stem}.txt"}
        train = job | {"do": "train", "passes": rival.passes}
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
        gold, labels = (_labels(path, task) for path in (task.dev, job["output"]))
        row.score, row.tokens = evaluate(gold, labels, bootstrap=0).main_score[1], sum(map(len, gold))


def _try(row: Row, work: Callable[[], None]) -> None:
    try:
        work()
    except ChildError as error:
        row.failure = str(error)


def _labels(path: str, task: Task) -> list[list[str]]:
    found = [y for x, y in read_plain(path, task.columns) if x["form"][0] != "-DOCSTART-"]
    return found if task.metric == "accuracy" else [convert(y, "IOB2") for y in found]


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
