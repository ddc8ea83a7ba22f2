"""A workbench under use: label to acknowledgement, label to a new model in use, and large projects.

    python -m benchmarks.annotate_server --data FOLDER [--labels 200] [--large 100000] [--revisions 10000]

Everything goes through HTTP, over one connection, as the page does it. An acknowledged label is on the disk (fsync), so
the first figure depends on the disk. The sentences are those of CoNLL-2003, repeated for the large project, each with a
number so that no two are the same.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
import uuid
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from benchmarks.annotate_client import Workbench, workbench, write_pool
from benchmarks.annotate_sim import TYPES, load
from perceptag import Sentence
from perceptag.project.project import Project
from perceptag.system.table import Table, render

SIZES = (300, 1_000, 3_000)
TRIED = 15  # labels after which a new model is awaited
REPEATED = 50  # requests of a kind


def main() -> int:
    """Measure, and print tables."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.annotate_server")
    parser.add_argument("--data", default=os.environ.get("PERCEPTAG_DATA", ""), help="a folder with conll2003/")
    parser.add_argument("--labels", type=int, default=200, help="labels for the first table")
    parser.add_argument("--large", type=int, default=100_000, help="sentences of the large project")
    parser.add_argument("--revisions", type=int, default=10_000, help="labels of the large project")
    given = parser.parse_args()
    if not Path(given.data, "conll2003").is_dir():
        print("bench-annotate: expected PERCEPTAG_DATA, a folder with conll2003/; found none", file=sys.stderr)
        return 2
    train = load(Path(given.data, "conll2003", "eng.train"))
    for measure in (acknowledged, in_use, large):
        with tempfile.TemporaryDirectory() as folder:
            print(measure(train, Path(folder), given), flush=True)
    return 0


def quantiles(seconds: Sequence[float]) -> tuple[str, str]:
    """Return the median and the 99th percentile in milliseconds."""
    ordered = sorted(seconds)
    return tuple(f"{1000 * ordered[min(len(ordered) - 1, int(share * len(ordered)))]:.1f}" for share in (0.5, 0.99))  # type: ignore[return-value]


def timed(work: Callable[[], object]) -> float:
    """Return how long something takes."""
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def project_of(sentences: Sequence[Sentence], folder: Path, labelled: int = 0) -> Path:
    """Make a project of which some sentences are labelled, each in a revision of its own."""
    write_pool(sentences, folder / "pool.txt")
    path = folder / "large.ptag"
    with Project.create(path, kind="spans", labels=TYPES.split(","), seed=0) as project:
        project.import_file(str(folder / "pool.txt"), columns=["form"])
        for number in range(1, labelled + 1):
            labels = sentences[number - 1].columns["ner"]
            project.label(number, labels, base=0, key=str(uuid.uuid4()), who="benchmark")
    return path


def acknowledged(train: Sequence[Sentence], folder: Path, given: argparse.Namespace) -> str:
    """Measure how long a label takes until it is on the disk, while models are trained."""
    table = Table(["label → acknowledged", "labels", "p50 ms", "p99 ms"], numbers=(1, 2, 3))
    some = train[: given.labels + 1_000]
    with workbench(project_of(some, folder)) as client:
        items = [client.ask("GET", f"/v1/project/sentences/{n}") for n in range(1, given.labels + 1)]
        at_once = [timed(partial(give, client, item, some)) for item in items]
        client.wait(given.labels)
        table.add("one after the other", str(given.labels), *quantiles(at_once))
        paced = []
        for number in range(given.labels + 1, given.labels + 51):
            item = client.ask("GET", f"/v1/project/sentences/{number}")
            paced.append(timed(partial(give, client, item, some)))
            time.sleep(0.3)
        table.add("one every 0.3 s", "50", *quantiles(paced))
    return render(table)


def give(client: Workbench, item: Any, sentences: Sequence[Sentence]) -> None:
    """Label a sentence as it should be."""
    client.label(item, sentences[item["id"] - 1].columns["ner"])


def in_use(train: Sequence[Sentence], folder: Path, given: argparse.Namespace) -> str:
    """Measure how long it takes until a label is in the model that proposes."""
    del given
    table = Table(["label → new model in use", "sentences", "p50 ms", "p99 ms"], numbers=(1, 2, 3))
    for size in SIZES:
        own = folder / str(size)
        own.mkdir()
        some = train[: size + TRIED + 1_000]
        with workbench(project_of(some, own, size)) as client:
            client.wait(size, pool=True)
            seconds = []
            for number in range(size + 1, size + TRIED + 1):
                item = client.ask("GET", f"/v1/project/sentences/{number}")
                time.sleep(0.5)
                seconds.append(timed(partial(give, client, item, some)) + timed(partial(client.wait, number)))
            table.add("with a pool of 1,000", str(size), *quantiles(seconds))
    return render(table)


def large(train: Sequence[Sentence], folder: Path, given: argparse.Namespace) -> str:
    """Measure requests to a small project and to a large one with many revisions."""
    table = Table(["request", "sentences", "revisions", "p50 ms", "p99 ms"], numbers=(1, 2, 3, 4))
    copies = [copied(train[n % len(train)], n) for n in range(given.large)]
    for size, revisions in ((1_000, 100), (given.large, given.revisions)):
        own = folder / str(size)
        own.mkdir()
        sentences = copies[:size]
        path = project_of(sentences, own, revisions)
        began = time.perf_counter()
        with workbench(path) as client:
            start = f"{1000 * (time.perf_counter() - began):.0f}"
            table.add("start until the page answers", str(size), str(revisions), start, "")
            client.wait(revisions)
            for name, work in requests(client, sentences, revisions).items():
                table.add(name, str(size), str(revisions), *quantiles([timed(work) for _ in range(REPEATED)]))
    return render(table)


def copied(sentence: Sentence, number: int) -> Sentence:
    """Return a sentence with a number as its last word."""
    columns = {"form": [*sentence.tokens, str(number)], "ner": [*sentence.columns["ner"], "O"]}
    return Sentence(columns)


def requests(client: Workbench, sentences: Sequence[Sentence], labelled: int) -> dict[str, Callable[[], object]]:
    """Return requests by name."""
    numbers = iter(range(labelled + 1, len(sentences) + 1))

    def put() -> None:
        item = client.ask("GET", f"/v1/project/sentences/{next(numbers)}")
        give(client, item, sentences)

    return {
        "GET project": client.project,
        "GET next, mixed, k = 1": lambda: client.next(1, "mixed"),
        "GET next, random, k = 1": lambda: client.next(1, "random"),
        "GET a sentence and PUT its labels": put,
        "GET sentences, the first 100": lambda: client.ask("GET", "/v1/project/sentences"),
        "GET sentences, with a text": lambda: client.ask("GET", "/v1/project/sentences?q=Germany&limit=20"),
        "GET sentences, by confidence": lambda: client.ask("GET", "/v1/project/sentences?order=confidence&status=new"),
        "GET history": lambda: client.ask("GET", "/v1/project/history"),
        "GET progress": lambda: client.ask("GET", "/v1/project/progress"),
    }


if __name__ == "__main__":
    sys.exit(main())
