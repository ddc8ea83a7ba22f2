"""The figures of a release, in a file that stays: docs/measurements/releases/VERSION.json.

    python -m benchmarks.record [--data FOLDER] [--release VERSION]

The default recipes learn the corpus of the package and, with `--data`, real ones, and are scored on dev data; test data
is not touched. Times are of CPU, on one thread, the best of three for start-up and tagging. A table of all releases is
in docs/measurements/benchmarks.md. An existing file is overwritten: a release has one record.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks import machine, startup
from benchmarks.jobs import ROOT
from benchmarks.report import into_page
from perceptag import Sentence, Tagger, __version__, evaluate
from perceptag.text.formats import read

FOLDER = ROOT / "docs" / "measurements" / "releases"
PAGE = FOLDER.parent / "benchmarks.md"
BEGIN, END = "<!-- releases: begin (make bench OF=record) -->", "<!-- releases: end -->"
OWN = ROOT / "src" / "perceptag" / "data"
COLUMNS = ("form", "pos", "chunk", "ner")


@dataclass(frozen=True)
class Work:
    """A recipe, and what it learns. Without dev data the last tenth of the training data is kept apart."""

    name: str
    recipe: str
    label: str
    train: Path
    dev: Path | None
    columns: tuple[str, ...] | None = COLUMNS

    def sentences(self) -> tuple[list[Sentence], list[Sentence]]:
        """Training and dev data."""
        train = list(read(str(self.train), columns=self.columns))
        if self.dev is not None:
            return train, list(read(str(self.dev), columns=self.columns))
        cut = len(train) * 9 // 10
        return train[:cut], train[cut:]


def everything(data: Path | None) -> Iterator[Work]:
    """What a record consists of."""
    for recipe, label in (("pos", "pos"), ("chunk", "chunk"), ("ner", "ner")):
        yield Work(f"package, {label}", recipe, label, OWN / "train.txt", OWN / "dev.txt")
    if data:
        ewt, names = data / "ewt", data / "conll2003"
        yield Work("EWT", "pos", "xpos", ewt / "en_ewt-ud-train.conllu", ewt / "en_ewt-ud-dev.conllu", None)
        yield Work("CoNLL-2000", "chunk", "chunk", data / "conll2000" / "train.txt", None, COLUMNS[:3])
        yield Work("CoNLL-2003", "ner", "ner", names / "eng.train", names / "eng.testa")


def measure(work: Work) -> dict[str, Any]:
    """Train, save, tag and score."""
    train, dev = work.sentences()
    settings: dict[str, Any] = {"labels.column": work.label}
    started = time.process_time()
    tagger = Tagger(work.recipe, threads=1, **settings).fit(train, dev=dev)
    seconds = time.process_time() - started
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "model")
        digest = tagger.save(str(path))
        size = path.stat().st_size
    best, labels = _tagging(tagger, dev)
    report = evaluate([s.columns[work.label] for s in dev], labels)
    return {
        "recipe": work.recipe,
        "measure": report.main_score[0],
        "dev": round(report.main_score[1], 2),
        "training_seconds": round(seconds, 2),
        "tokens_per_second": round(sum(len(one) for one in labels) / best),
        "bytes": size,
        "sha256": digest,
    }


def _tagging(tagger: Tagger, sentences: Sequence[Sentence]) -> tuple[float, list[list[str]]]:
    """CPU seconds of the fastest of three, and the labels."""
    seconds, labels = [], []
    for _ in range(3):
        started = time.process_time()
        labels = tagger.predict(sentences)
        seconds.append(time.process_time() - started)
    return max(min(seconds), 1e-9), labels


def record(release: str, data: Path | None) -> dict[str, Any]:
    """All figures of this release."""
    works = {}
    for work in everything(data):
        print(work.name, file=sys.stderr, flush=True)
        works[work.name] = measure(work)
    about = {key: value for key, value in machine.describe().items() if key != "versions"}
    starts = {"import perceptag": startup.import_seconds("import perceptag")}
    starts["perceptag --version"] = startup.best([sys.executable, "-m", "perceptag", "--version"], repeats=3)
    cpu = {name: round(seconds["cpu"], 3) for name, seconds in starts.items()}
    return {"version": release, "machine": about, "start_up_seconds": cpu, "works": works}


def table(records: Sequence[dict[str, Any]]) -> str:
    """One row for each work of each release."""
    head = "| release | data | recipe | dev score | training, CPU s | tokens a second | bytes |"
    rows = [head, "|---|---|---|---|---|---|---|"]
    for found in records:
        for name, one in found["works"].items():
            figures = [f"{one['measure']} {one['dev']:.2f}", f"{one['training_seconds']:.1f}"]
            figures += [f"{one['tokens_per_second']:,}", f"{one['bytes']:,}"]
            rows.append(" | ".join([f"| {found['version']}", name, f"`{one['recipe']}`", *figures]) + " |")
    return "\n".join(rows)


def summary(records: Sequence[dict[str, Any]]) -> str:
    """The table with all releases, and the machines."""
    machines = [f"- {one['version']}: {machine.in_words(one['machine'] | {'versions': {}})}" for one in records]
    return "\n".join([table(records), "", *machines, ""])


def main() -> None:
    """Measure, and write the file of this version and the table of all."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=os.environ.get("PERCEPTAG_DATA") or None)
    parser.add_argument("--release", default=__version__, help="the release that this code will be")
    given = parser.parse_args()
    FOLDER.mkdir(parents=True, exist_ok=True)
    text = json.dumps(record(given.release, Path(given.data) if given.data else None), indent=1) + "\n"
    (FOLDER / f"{given.release}.json").write_text(text, "utf-8")
    files = sorted(FOLDER.glob("*.json"), key=lambda path: [int(part) for part in path.stem.split(".")])
    records = [json.loads(path.read_text("utf-8")) for path in files]
    into_page(summary(records), PAGE, BEGIN, END)


if __name__ == "__main__":
    main()
