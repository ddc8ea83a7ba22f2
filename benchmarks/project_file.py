"""How long a large project takes: import, opening, and each call for one sentence.

    python -m benchmarks.project_file [--sentences 100000] [--revisions 10000]

Sentences are made of a few thousand words, 15 tokens each on average, in three columns. Writing is on the disk of the
folder for temporary files, synced at every change; how long a sync alone takes is told as well.
"""

from __future__ import annotations

import argparse
import io
import os
import random
import resource
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import TypeVar

from perceptag.project.project import Project

COLUMNS = ["form", "pos", "chunk"]
TIMES = 100


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--sentences", type=int, default=100_000)
    parser.add_argument("--revisions", type=int, default=10_000)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "large.ptag"
        text = corpus(given.sentences)
        project = Project.create(path, kind="spans", labels=["PER", "LOC"], seed=1)
        once("import", lambda: project.import_file(text, name="large.txt", columns=COLUMNS))
        once(f"{given.revisions} labels", lambda: label_some(project, given.revisions))
        once("log, first call", project.log)
        calls(project)
        once("export", lambda: project.export(io.BytesIO(), format="columns", status="all"))
        once("check", project.check)
        once("close, with a copy", project.close)
        print(f"{'size of the file':<28} {path.stat().st_size / 1e6:10.1f} MB")
        project = once("open", lambda: Project.open(path))
        project.close()
        sync(Path(folder) / "sync")
    print(f"{'most memory':<28} {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:10.1f} MB")


def corpus(sentences: int) -> bytes:
    """Make a column file."""
    rng = random.Random(0)
    words = [f"{rng.choice('abcdefgh')}{rng.randrange(1 << 30):x}"[: rng.randint(2, 9)] for _ in range(5000)]
    lines = []
    for _ in range(sentences):
        lines += [f"{rng.choice(words)} NN B-NP" for _ in range(rng.randint(1, 29))]
        lines.append("")
    return "\n".join(lines).encode()


def label_some(project: Project, number: int) -> None:
    """Label sentences of the random order."""
    for n, sentence in enumerate(project.next_of("random", limit=number)):
        labels = ["B-PER", *["O"] * (len(project.sentence(sentence).tokens) - 1)]
        project.label(sentence, labels, base=0, key=f"k{n}", who="anna")


def calls(project: Project) -> None:
    """Measure what a server asks for all the time."""
    rng = random.Random(1)
    last = project.counts().sentences
    open_ = iter(project.next_of("random", limit=10 * TIMES))

    def label() -> None:
        sentence = next(open_)
        length = len(project.sentence(sentence).tokens)
        project.label(sentence, ["O"] * length, base=0, key=f"n{sentence}", who="anna")

    many("sentence", lambda: project.sentence(rng.randint(1, last)))
    many("next sentences, 200 left out", lambda: project.next_of("random", range(200), 5))
    many("label", label)
    many("undo", lambda: project.undo("anna", ""))
    many("redo", lambda: project.redo("anna", ""))
    many("flag", lambda: project.flag(rng.randint(1, last), True, "", "anna"))
    many("history of a sentence", lambda: project.history(rng.randint(1, last)))
    many("last_revision", lambda: project.last_revision)
    many("counts", project.counts, 20)
    many("log", project.log, 20)
    many("find, page in the middle", lambda: project.find(last // 2, 100), 20)
    many("find by text", lambda: project.find(text="a1 b2"), 20)
    many("find by label", lambda: project.find(label="PER"), 20)
    many("find by status", lambda: project.find(status="labelled"), 20)
    many("pool, 1000 sentences", lambda: project.pool(last // 2, 1000), 20)


Result = TypeVar("Result")


def once(name: str, work: Callable[[], Result]) -> Result:
    """Print how long something takes that happens once."""
    start, cpu = time.perf_counter(), time.process_time()
    result = work()
    print(f"{name:<28} {time.perf_counter() - start:10.2f} s    {time.process_time() - cpu:8.2f} s of CPU")
    return result


def many(name: str, work: Callable[[], object], times: int = TIMES) -> None:
    """Print the median of the times of a call, and the longest."""
    taken, cpu = [], []
    for _ in range(times):
        start, begin = time.perf_counter(), time.process_time()
        work()
        taken.append(1000 * (time.perf_counter() - start))
        cpu.append(1000 * (time.process_time() - begin))
    most = f"{max(taken):8.2f} ms at most"
    print(f"{name:<28} {median(taken):10.2f} ms   {median(cpu):8.2f} ms of CPU   {most}")


def sync(path: Path) -> None:
    """Print how long the disk takes to keep a few bytes."""
    with path.open("wb", buffering=0) as file:

        def work() -> None:
            file.write(bytes(4096))
            os.fsync(file.fileno())

        many("a sync of the disk", work)


if __name__ == "__main__":
    main()
