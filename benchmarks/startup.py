"""What a process costs before it tags: the import, and the command line on one sentence; also on a whole file."""

from __future__ import annotations

import resource
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

from benchmarks.jobs import Jobs, run
from benchmarks.task import Task

IMPORT = """
import time
wall, cpu = time.perf_counter(), time.process_time()
{}
print(time.perf_counter() - wall, time.process_time() - cpu)
"""
SENTENCE = "The\nquick\nbrown\nfox\njumps\n.\n\n"
REPEATS = 5
Timed = dict[str, float]


def timed(command: list[str], stdin: str = "") -> Timed:
    """Return wall and CPU seconds of a whole process."""
    before, started = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    run(command, stdin)
    wall, after = time.perf_counter() - started, resource.getrusage(resource.RUSAGE_CHILDREN)
    return {"wall": wall, "cpu": after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime}


def best(command: list[str], stdin: str = "", repeats: int = REPEATS) -> Timed:
    """Return the fastest of several runs, by each clock."""
    runs = [timed(command, stdin) for _ in range(repeats)]
    return {clock: min(r[clock] for r in runs) for clock in ("wall", "cpu")}


def import_seconds(statement: str) -> Timed:
    """Return the time of an import in a new Python process, the fastest of several by each clock."""
    runs = [run([sys.executable, "-c", IMPORT.format(statement)]).split() for _ in range(REPEATS)]
    return {"wall": min(float(wall) for wall, _ in runs), "cpu": min(float(cpu) for _, cpu in runs)}


def large_model(task: Task, folder: Path, jobs: Jobs) -> tuple[int, Timed]:
    """Return the size of a model of all available text (7 MB on EWT), and its loading time."""
    train = folder / "large.txt"
    train.write_text(
        "".join(Path(part).read_text(encoding="utf-8") for part in (task.train, task.text)), encoding="utf-8"
    )
    replace(task, name="large", train=str(train)).save(folder / "large.json")
    job = {"do": "fit", "system": "perceptag", "task": str(folder / "large.json"), "passes": 5, "repeats": REPEATS}
    done = jobs.run(job | {"model": str(folder / "large.model")})
    return done["size"], {clock: done[clock]["load"] for clock in ("wall", "cpu")}


def command_line(task: Task, model: Path, folder: Path) -> dict[str, Any]:
    """Measure `perceptag tag` on one sentence and on a long file, as whole processes."""
    tag = [sys.executable, "-m", "perceptag", "tag", "--quiet", "--model", str(model)]
    with Path(task.text).open(encoding="utf-8") as lines:
        tokens = sum(1 for line in lines if line != "\n")
    found: dict[str, Any] = {"tokens": tokens, "cold": best([*tag, "-"], SENTENCE)}
    for threads in (1, 2):
        output = str(folder / "tagged.txt")
        command = [*tag, task.text, "-o", output, "--threads", str(threads)]
        found[f"threads {threads}"] = best(command, repeats=3)
    return found
