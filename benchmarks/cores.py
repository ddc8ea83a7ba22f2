"""Wall time of training `pos`, `chunk` and `ner`, and of `reproduce --quick`, on one thread and on two.

    python -m benchmarks.cores --data FOLDER [--quick] [--rounds 1] [--only pos,chunk]

Whole commands, as a user types them, in turn; the best of the rounds counts, and the range of the ratio over all rounds
is in brackets. The same piece of work before and after the run says how steady the machine was. The models of one and
of two threads must have the same bytes. Run it with nothing else on the machine: this is wall time. `--quick` takes a
third of the data and one paper, and about eight minutes. CoNLL-2000 has no dev data: the last tenth of its training
data takes its place. `benchmarks.phases` says where the time goes.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.measure import calibrate, certainty, ratio_range
from perceptag import Sentence
from perceptag.text.documents import split_documents
from perceptag.text.formats import read, write

AIM = 1.7


@dataclass(frozen=True)
class Case:
    """A recipe and its data."""

    train: str
    dev: str  # empty: the last tenth of the training data
    columns: tuple[str, ...] | None
    label: str


CASES = {
    "pos": Case("ewt/en_ewt-ud-train.conllu", "ewt/en_ewt-ud-dev.conllu", None, "xpos"),
    "chunk": Case("conll2000/train.txt", "", ("form", "pos", "chunk"), "chunk"),
    "ner": Case("conll2003/eng.train", "conll2003/eng.testa", ("form", "pos", "chunk", "ner"), "ner"),
}
REPRODUCE = "reproduce --quick"


def prepare(case: Case, data: Path, folder: Path, quick: bool) -> tuple[Path, Path]:
    """Write the training and dev data of a case; the names of the two files."""
    train = list(read(str(data / case.train), columns=case.columns))
    if case.dev:
        dev = list(read(str(data / case.dev), columns=case.columns))
    else:
        train, dev = train[: len(train) * 9 // 10], train[len(train) * 9 // 10 :]
    ending = ".conllu" if case.columns is None else ".txt"
    files = folder / f"train{ending}", folder / f"dev{ending}"
    for path, sentences in zip(files, (a_third(train) if quick else train, dev), strict=True):
        write(sentences, str(path))
    return files


def a_third(sentences: Sequence[Sentence]) -> list[Sentence]:
    """The first third of the documents, or sentences if they are not marked: enough tokens for shards."""
    documents = split_documents(sentences)
    return [s for document in documents[: len(documents) // 3] for s in document]


def command(name: str, files: tuple[Path, Path], model: Path, threads: int) -> list[str]:
    """The words of a training command."""
    case = CASES[name]
    columns = [] if case.columns is None else ["--columns", ",".join(case.columns)]
    given = ["--train", str(files[0]), "--dev", str(files[1]), *columns, "--label", case.label, "--recipe", name]
    return ["train", *given, "--model", str(model), "--threads", str(threads), "--quiet"]


def reproduce(data: Path, folder: Path, jobs: int, quick: bool) -> float:
    """The wall time of `reproduce --quick`, with this number of jobs."""
    papers = "collins2002" if quick else "all"
    out = folder / f"reproduce-{jobs}-{time.monotonic_ns()}"
    return seconds("reproduce", papers, "--quick", "--data", str(data), "--output", str(out), "--jobs", str(jobs))


def seconds(*arguments: str) -> float:
    """The wall time of a command of perceptag."""
    started = time.perf_counter()
    done = subprocess.run([sys.executable, "-m", "perceptag", *arguments], capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"perceptag {' '.join(arguments)}: exit status {done.returncode}\n{done.stderr}")
    return time.perf_counter() - started


def measure(name: str, data: Path, folder: Path, rounds: int, quick: bool) -> tuple[list[float], list[float]]:
    """The wall times on one and on two threads, of each round."""
    if name == REPRODUCE:
        return [reproduce(data, folder, 1, quick)], [reproduce(data, folder, 2, quick)]
    files = prepare(CASES[name], data, folder, quick)
    models = {threads: folder / f"{name}-{threads}.model" for threads in (1, 2)}
    times: dict[int, list[float]] = {1: [], 2: []}
    for _ in range(rounds):
        for threads, model in models.items():
            times[threads].append(seconds(*command(name, files, model, threads)))
    if models[1].read_bytes() != models[2].read_bytes():
        sys.exit(f"{name}: the models of one and of two threads differ")
    return times[1], times[2]


def main() -> None:
    """Measure, and print a table as it grows."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--only", default=",".join((*CASES, REPRODUCE)))
    given = parser.parse_args()
    before = calibrate()
    print("| command | 1 thread, s | 2 threads | ratio | aim |\n|---|---:|---:|---:|---:|", flush=True)
    for name in given.only.split(","):
        with TemporaryDirectory() as folder:
            one, two = measure(name, given.data, Path(folder), given.rounds, given.quick)
        what = name if name == REPRODUCE else f"train {name}"
        best, span = (min(one), min(two)), ratio_range(one, two)
        print(f"| `{what}` | {best[0]:.1f} | {best[1]:.1f} | {best[0] / best[1]:.2f}{span} | {AIM} |", flush=True)
    print(certainty(before, calibrate()))


if __name__ == "__main__":
    main()
