"""The tasks of the default recipes as files that every system reads, and the score of what a system wrote.

pos    parts of speech (xpos) of UD English EWT
chunk  all phrases of CoNLL-2000; the last tenth of the training data is its dev data
ner    names of CoNLL-2003, with documents, parts of speech and phrases as the corpus has them
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from benchmarks.corpora import POS_TEMPLATES, ewt_tags, patterns_of, write_task
from benchmarks.task import Task, read_plain
from perceptag import evaluate
from perceptag.labels.schemes import convert
from perceptag.recipe.recipe import load
from perceptag.text import read_columns

CHUNKS, NAMES = ("form", "pos", "chunk"), ("form", "pos", "chunk", "ner")
NOT_IN_STRINGS = ("gazetteer", "doc_")


@dataclass(frozen=True)
class Problem:
    """A task for rivals, by features, and the files that perceptag gets."""

    recipe: str
    data: str
    train: str
    dev: str
    tasks: dict[str, Task]


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


def score_of(task: Task, output: str) -> tuple[float, int]:
    """Return the score of labels in a file, and how many tokens there are."""
    gold, labels = (_labels(path, task) for path in (task.dev, output))
    return evaluate(gold, labels, bootstrap=0).main_score[1], sum(map(len, gold))


def _labels(path: str, task: Task) -> list[list[str]]:
    found = [y for x, y in read_plain(path, task.columns) if x["form"][0] != "-DOCSTART-"]
    return found if task.metric == "accuracy" else [convert(y, "IOB2") for y in found]
