"""One measurement in a process of its own: `python -m benchmarks.child JOB.json` writes its result next to the job.

A job says what to do (a function in `WORK`), with which system, on which task. Times are measured here, so neither the
start of Python nor the import of a system counts; memory is that of the whole process.
"""

from __future__ import annotations

import json
import sys
from itertools import islice
from pathlib import Path
from typing import Any

from benchmarks import systems
from benchmarks.measure import Clock, peak_memory
from benchmarks.task import Task, load_task, read_plain
from benchmarks.threads import scaling

BATCH = 1000  # sentences


def fit(system: systems.System, task: Task, job: dict[str, Any]) -> dict[str, Any]:
    """Measure from file to model, then from token lists to labels, each time with a tagger that has seen no words."""
    model, clock = Path(job["model"]), Clock()
    passes = system.passes(job["passes"])
    before = peak_memory()
    with clock.stage("train"):
        system.train(task, passes, model, clock)
    peak = peak_memory()
    sentences = [columns for columns, _ in read_plain(task.dev, task.columns)]
    for _ in range(job["repeats"]):
        with clock.stage("load"):
            tag = system.load(task, model)
        with clock.stage("tag"):
            labels = tag(sentences)
    files = [p for p in model.rglob("*") if p.is_file()] if model.is_dir() else [model]
    size = sum(path.stat().st_size for path in files)
    facts = {"passes": passes, "memory": peak, "memory_before": before, "size": size, "labels": labels}
    return facts | {"wall": clock.wall, "cpu": clock.cpu}


def train(system: systems.System, task: Task, job: dict[str, Any]) -> dict[str, Any]:
    """Train with exactly as many passes as asked for."""
    clock = Clock()
    with clock.stage("train"):
        system.train(task, job["passes"], Path(job["model"]), clock)
    return {"wall": clock.wall, "cpu": clock.cpu}


def file(system: systems.System, task: Task, job: dict[str, Any]) -> dict[str, Any]:
    """Tag from column file to column file with a script, as one writes it for a system without a command line."""
    clock, tokens = Clock(), 0
    with clock.stage("file"), Path(job["output"]).open("w", encoding="utf-8") as out:
        tag = system.load(task, Path(job["model"]))
        with clock.stage("tagging"):
            sentences = (columns for columns, _ in read_plain(task.text, task.columns))
            while batch := list(islice(sentences, BATCH)):
                for columns, labels in zip(batch, tag(batch), strict=True):
                    tokens += len(labels)
                    out.writelines("\t".join(row) + "\n" for row in zip(*columns.values(), labels, strict=True))
                    out.write("\n")
    return {"tokens": tokens, "wall": clock.wall, "cpu": clock.cpu, "memory": peak_memory()}


def own_file(_: systems.System, task: Task, job: dict[str, Any]) -> dict[str, Any]:
    """Tag from column file to column file as `perceptag tag` does."""
    from perceptag import Pipeline
    from perceptag.tagging.job import TagFileOptions
    from perceptag.tagging.tag_file import tag_file

    clock = Clock()
    opened = Pipeline.load(job["model"])
    with clock.stage("tagging"):
        tokens = tag_file(opened, job["input"], job["output"], TagFileOptions(columns=list(task.columns)))
    return {"tokens": tokens, "wall": clock.wall, "cpu": clock.cpu, "memory": peak_memory()}


def threads(_: systems.System, task: Task, job: dict[str, Any]) -> dict[str, Any]:
    """Measure how perceptag scales, and how much time it leaves to other threads."""
    return scaling(task, job)


WORK = {"fit": fit, "train": train, "file": file, "own_file": own_file, "threads": threads}


def main() -> None:
    """Do the job named on the command line."""
    path = Path(sys.argv[1])
    job = json.loads(path.read_text(encoding="utf-8"))
    system = systems.find(job["system"])
    if "settings" in job:
        system = system.with_settings(job["settings"])  # type: ignore[attr-defined]
    result = WORK[job["do"]](system, load_task(job["task"]), job)
    path.with_suffix(".result").write_text(json.dumps(result), encoding="utf-8")


if __name__ == "__main__":
    main()
