"""Find good settings of rivals for the tasks of the default recipes: every setting is tried, the best dev score counts.

    python -m benchmarks.rival_settings --data FOLDER --work build/rivals [--part 3] [--only pos]

Each try is trained on the first third (`--part 3`) of the training data and scored on all dev data. Dev data are also
what the comparison is scored on, so rivals have the same small advantage that perceptag has, whose best pass is chosen
there. Tries that are done are not done again; all are in docs/measurements/rival-settings.json. The best are printed.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

from benchmarks.default_tasks import Problem, problems, score_of
from benchmarks.jobs import ROOT, ChildError, Jobs
from benchmarks.rounds import say
from benchmarks.tables import markdown
from benchmarks.task import Task, read_plain

FOUND = ROOT / "docs/measurements/rival-settings.json"
PRIORS = [(0.0, 0.05), (0.0, 0.5), (0.05, 0.05), (0.2, 0.01), (0.5, 0.01)]
Try = dict[str, Any]


def tries(task: str) -> Iterator[Try]:
    """All settings, by system."""
    for features, passes in product(("usual", "recipe"), (10, 30)):
        yield {"system": "crfsuite", "features": features, "passes": passes, "settings": {"epsilon": 0.0}}
    for algorithm in ("pa", "arow"):
        yield {"system": "crfsuite", "features": "recipe", "passes": 20, "settings": {"algorithm": algorithm}}
    for features, (c1, c2) in product(("usual", "recipe"), PRIORS):
        settings = {"algorithm": "lbfgs", "c1": c1, "c2": c2}
        yield {"system": "crfsuite", "features": features, "passes": 100, "settings": settings}
    for dropout, passes in ((0.1, 5), (0.1, 15), (0.3, 15)):
        settings = {"component": "tagger" if task == "pos" else "ner", "dropout": dropout}
        yield {"system": "spacy", "features": "usual", "passes": passes, "settings": settings}
    if task == "pos":
        yield from ({"system": "nltk", "features": "usual", "passes": n, "settings": {}} for n in (5, 10))


def part_of(task: Task, folder: Path, part: int) -> Path:
    """Write the task with the first part of its training data."""
    path = folder / f"{task.name}-part{part}"
    sentences = list(read_plain(task.train, task.columns))
    with path.with_suffix(".txt").open("w", encoding="utf-8") as out:
        for columns, labels in sentences[: len(sentences) // part]:
            out.writelines("\t".join(row) + "\n" for row in zip(*columns.values(), labels, strict=True))
            out.write("\n")
    replace(task, train=str(path.with_suffix(".txt")), text=task.dev).save(path.with_suffix(".json"))
    return path.with_suffix(".json")


def search(problem: Problem, folder: Path, part: int, done: list[Try]) -> Iterator[Try]:
    """Yield each setting that was not tried yet with its score."""
    names = {kind: part_of(task, folder, part) for kind, task in problem.tasks.items()}
    for one in tries(problem.recipe):
        if any({**one, "task": problem.recipe, "part": part}.items() <= d.items() for d in done):
            continue
        job = {k: v for k, v in one.items() if k != "features"} | {"task": str(names[one["features"]])}
        job |= {"model": str(folder / f"{one['system']}.model"), "output": str(folder / "try.txt")}
        result: Try = {**one, "task": problem.recipe, "part": part}
        try:
            result["seconds"] = Jobs(folder).run(job | {"do": "train"})["cpu"]["train"]
            Jobs(folder).run(job | {"do": "file"})
            result["score"] = score_of(problem.tasks[one["features"]], job["output"])[0]
        except ChildError as error:
            say(f"{problem.recipe}: {json.dumps(one)} failed: {error}")
            continue
        say(f"{problem.recipe}: {json.dumps(one)} -> {result['score']:.2f}")
        yield result


def best_tries(task: str) -> list[Try]:
    """Return the best try of each system with each kind of features."""
    results: list[Try] = json.loads(FOUND.read_text(encoding="utf-8"))
    groups: dict[tuple[str, str], Try] = {}
    for r in sorted((r for r in results if r["task"] == task), key=lambda r: -float(r["score"])):
        groups.setdefault((r["system"], r["features"]), r)
    return list(groups.values())


def in_words(one: Try) -> str:
    """Return the settings of a try, as a table shows them.

    >>> in_words({"system": "crfsuite", "passes": 100, "settings": {"algorithm": "lbfgs", "c1": 0.2, "c2": 0.01}})
    '`lbfgs`, c1 0.2, c2 0.01, 100 passes'
    """
    usual = {"crfsuite": {"algorithm": "ap"}}.get(one["system"], {})
    settings = {k: v for k, v in (usual | one["settings"]).items() if k != "epsilon"}
    shown = [f"`{v}`" if isinstance(v, str) else f"{k} {v}" for k, v in settings.items()]
    return ", ".join([*shown, f"{one['passes']} passes"])


def main() -> None:
    """Try what was not tried yet."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--part", type=int, default=3)
    parser.add_argument("--only", default="")
    given = parser.parse_args()
    folder = given.work.resolve()
    folder.mkdir(parents=True, exist_ok=True)
    results: list[Try] = json.loads(FOUND.read_text(encoding="utf-8")) if FOUND.exists() else []
    for problem in problems(given.data, folder):
        if given.only in ("", problem.recipe):
            for result in search(problem, folder, given.part, results):
                results.append(result)
                FOUND.write_text("[\n" + ",\n".join(map(json.dumps, results)) + "\n]\n", encoding="utf-8")
    tried = [r for task in ("pos", "chunk", "ner") for r in best_tries(task)]
    rows = [[r["task"], r["system"], r["features"], in_words(r), f"{r['score']:.2f}"] for r in tried]
    print(markdown(["task", "system", "features", "settings", "score"], rows))


if __name__ == "__main__":
    main()
