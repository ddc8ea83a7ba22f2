"""Training with many labels, as bundles of features are: CPU time of a pass, and of all passes.

    python -m benchmarks.many_labels [--labels 50,200,500,1000] [--sentences 3400] [--passes 0]
                                     [--rival-passes 1]

The data is generated (benchmarks/bundles.py): 3,400 sentences are about 58,000 tokens; a tenth of that is dev data. The
recipe is `pos`, all passes are run, and the dev data is labelled after each. The rival is
python-crfsuite (`ap`) with the same features, where it is installed. "memory" is the peak of a process that makes the
data and trains on it.
"""

from __future__ import annotations

import argparse
import gc
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from statistics import mean

from benchmarks import bundles
from benchmarks.corpora import patterns_of
from benchmarks.features import AttributeMaker
from benchmarks.measure import peak_memory
from perceptag import Sentence
from perceptag.recipe.recipe import load
from perceptag.training.train import Training

RECIPE, COLUMN = "pos", "feats"


@dataclass
class Run:
    """CPU seconds of each pass: of learning, and with the dev scores; what the model is and how good."""

    learning: list[float]
    passes: list[float]
    model: float  # to make the model
    accuracy: float
    memory: int  # the peak of the process so far, in bytes


def cpu(work: Callable[[], object]) -> float:
    """CPU seconds of a call."""
    started = time.process_time()
    work()
    return time.process_time() - started


def plan(data: Sequence[Sentence], dev: Sequence[Sentence], passes: int) -> Training:
    """A training of some passes; 0: as many as the recipe says."""
    gc.collect()  # the run before may be in a cycle, and takes much memory
    settings: dict[str, object] = {"labels.column": COLUMN} | ({"epochs": passes} if passes else {})
    return Training(load(RECIPE).replace(settings), data, dev)


def train(data: Sequence[Sentence], dev: Sequence[Sentence], passes: int) -> Run:
    """Train, and measure every pass."""
    training = plan(data, dev, passes)
    learn, learning = training.trainer.learn_epoch, list[float]()
    training.trainer.learn_epoch = lambda epoch: _timed(learn, epoch, learning)  # type: ignore[method-assign]
    run = training.run()
    seconds: list[float] = []
    while len(learning) == len(seconds):
        seconds.append(cpu(lambda: next(run, None)))
    made = cpu(training.finish)
    accuracy = max(report.dev_kept or 0.0 for report in training.reports)
    return Run(learning, seconds[: len(learning)], made, accuracy, peak_memory())


def make_data(labels: int, sentences: int) -> tuple[list[Sentence], list[Sentence]]:
    """Training and dev data."""
    return bundles.sentences(sentences, labels, 1), bundles.sentences(sentences // 10, labels, 2)


def train_alone(labels: int, sentences: int, passes: int) -> Run:
    """Train in a process of its own, whose memory is measured."""
    with ProcessPoolExecutor(1, get_context("spawn")) as pool:
        return pool.submit(_make_and_train, labels, sentences, passes).result()


def _make_and_train(labels: int, sentences: int, passes: int) -> Run:
    return train(*make_data(labels, sentences), passes)


def _timed(learn: Callable[[int], int], epoch: int, seconds: list[float]) -> int:
    started = time.process_time()
    mistakes = learn(epoch)
    seconds.append(time.process_time() - started)
    return mistakes


def rival_pass(data: Sequence[Sentence], passes: int) -> float | None:
    """CPU seconds of a pass of python-crfsuite; None: it is not installed or not asked for."""
    try:
        import pycrfsuite
    except ImportError:
        return None
    if not passes:
        return None
    make = AttributeMaker(patterns_of(load(RECIPE).templates, ["form"]))
    trainer = pycrfsuite.Trainer(algorithm="ap", params={"max_iterations": passes, "epsilon": 0.0}, verbose=False)
    for sentence in data:
        trainer.append(make({"form": sentence.tokens}), sentence.columns[COLUMN])
    with tempfile.TemporaryDirectory() as folder:
        return cpu(lambda: trainer.train(str(Path(folder, "model")))) / passes


def row(labels: int, sentences: int, passes: int, rival_passes: int) -> str:
    """Measure one number of labels; a row of the table."""
    run = train_alone(labels, sentences, passes)
    data, _ = make_data(labels, sentences)
    found = len({label for s in data for label in s.columns[COLUMN]})
    cells = [f"{found:,}", f"{mean(run.learning):.2f}", f"{mean(run.passes):.2f}", f"{sum(run.passes):.1f}"]
    cells += [f"{run.model:.1f}", f"{run.memory / 1e9:.2f} GB", f"{run.accuracy:.1f}"]
    rival = rival_pass(data, rival_passes)
    return "| " + " | ".join([*cells, "–" if rival is None else f"{rival:.1f}"]) + " |"


def main() -> int:
    """Print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--labels", default="50,200,500,1000")
    parser.add_argument("--sentences", type=int, default=3400)
    parser.add_argument("--passes", type=int, default=0, help="passes of training; 0: as many as the recipe says")
    parser.add_argument("--rival-passes", type=int, default=1, help="passes of python-crfsuite; 0: none")
    words = parser.parse_args()
    print("| labels | learning | pass | passes | model | memory | dev | CRFsuite: pass |")
    print("|---:|---:|---:|---:|---:|---:|---:|---:|")
    for labels in map(int, words.labels.split(",")):
        print(row(labels, words.sentences, words.passes, words.rival_passes), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
