"""From files to the first pass of training, on one thread and on several: reading, new words, features, counts.

    python -m benchmarks.encoding --data FOLDER [--rounds 3] [--threads 1,2,4] [--only pos,ner]

Wall and CPU time, the best of the rounds. The features must be the same for any number of threads. Wall time means
little unless nothing else runs on the machine; reading, and whatever works on strings, is on one thread always.
"""

from __future__ import annotations

import argparse
import hashlib
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks.cores import CASES, prepare
from benchmarks.measure import Clock
from perceptag.features.encoder import Encoder
from perceptag.recipe.recipe import load
from perceptag.text.formats import read
from perceptag.training.train import Training


def begin(name: str, files: tuple[Path, Path], threads: int, clock: Clock) -> str:
    """Do all that comes before the first pass; the digest of the features."""
    case = CASES[name]
    with clock.stage("read"):
        train, dev = (list(read(str(path), columns=case.columns)) for path in files)
    recipe = load(name).replace({"labels.column": case.label})
    with clock.stage("encode"):
        training = Training(recipe, train, dev, threads=threads)
    trainer: Any = training.trainer
    return digest(getattr(trainer, "local", trainer).encoder)


def digest(encoder: Encoder) -> str:
    """A digest of all features and their rows."""
    sha = hashlib.sha256()
    for i in range(len(encoder.templates)):
        for array in encoder.frozen_index.list(i):
            sha.update(array.tobytes())
    return sha.hexdigest()


def main() -> None:
    """Measure what the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", required=True, type=Path)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--threads", default="1,2,4")
    parser.add_argument("--only", default=",".join(CASES))
    given = parser.parse_args()
    print(f"{'recipe':8} {'threads':>7} {'read':>7} {'encode':>7} {'of CPU time':>12}")
    for name in given.only.split(","):
        with TemporaryDirectory() as folder:
            files = prepare(CASES[name], given.data, Path(folder), quick=False)
            clocks = {int(threads): Clock() for threads in given.threads.split(",")}
            found = {begin(name, files, n, clock) for _ in range(given.rounds) for n, clock in clocks.items()}
        for n, clock in clocks.items():
            print(f"{name:8} {n:7} {clock.wall['read']:7.3f} {clock.wall['encode']:7.3f} {clock.cpu['encode']:12.3f}")
        assert len(found) == 1, "the features depend on the number of threads"


if __name__ == "__main__":
    main()
