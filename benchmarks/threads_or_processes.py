"""Wall and CPU time of independent trainings of native learners in threads, by that in processes.

    python -m benchmarks.threads_or_processes [--tokens 40000] [--trainings 4] [--at-once 2]

`training/places.py` chooses by this ratio. Both ways train the same models, on the shipped corpus repeated up to this
number of tokens; they take turns, and the ratio of the medians is printed.
"""

from __future__ import annotations

import argparse
import resource
import statistics
import time
from importlib import resources
from pathlib import Path
from typing import NamedTuple

from perceptag.recipe.recipe import load
from perceptag.text import Sentence, read
from perceptag.trials.runs import run_trials

TASKS = ("pos", "chunk", "ner")  # recipes whose passes are native; their labels are in columns of these names


class Measured(NamedTuple):
    """What the trainings of one engine took, in seconds, and their dev scores."""

    wall: float
    cpu: float
    scores: list[float]


def corpus(name: str, tokens: int) -> list[Sentence]:
    """Read a shipped file, repeated until it has this number of tokens."""
    path = Path(str(resources.files("perceptag") / "data" / name))
    sentences = list(read(str(path), columns=["form", "pos", "chunk", "ner"]))
    times = -(-tokens // sum(map(len, sentences)))
    return sentences * times


def cpu() -> float:
    """Return the CPU seconds of this process and of those that it has waited for."""
    own, children = (resource.getrusage(which) for which in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return own.ru_utime + own.ru_stime + children.ru_utime + children.ru_stime


def measure(name: str, engine: str, tokens: int, trainings: int, at_once: int) -> Measured:
    """Train on one engine."""
    base = load(name).replace({"labels.column": name, "margins": 1, "epochs": 5})
    recipes = {seed: base.replace({"seed": seed}) for seed in range(trainings)}
    train, dev = corpus("train.txt", tokens), corpus("dev.txt", 1)
    begin, spent = time.perf_counter(), cpu()
    trials = dict(run_trials(recipes, train, dev, at_once, on=engine))
    return Measured(time.perf_counter() - begin, cpu() - spent, [trials[seed].score for seed in recipes])


def ratio(threads: list[float], processes: list[float]) -> float:
    """Return the ratio of the medians."""
    return statistics.median(threads) / statistics.median(processes)


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tokens", type=int, default=40_000)
    parser.add_argument("--trainings", type=int, default=4)
    parser.add_argument("--at-once", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=3)
    given = parser.parse_args()
    print("| recipe | wall time, threads by processes | CPU time, threads by processes |\n|---|---:|---:|")
    for name in TASKS:
        threads: list[Measured] = []
        processes: list[Measured] = []
        for _ in range(given.rounds):
            for engine, runs in (("threads", threads), ("processes", processes)):
                runs.append(measure(name, engine, given.tokens, given.trainings, given.at_once))
        assert threads[0].scores == processes[0].scores, "both must train the same models"
        wall = ratio([run.wall for run in threads], [run.wall for run in processes])
        cpu_time = ratio([run.cpu for run in threads], [run.cpu for run in processes])
        print(f"| `{name}` | {wall:.2f} | {cpu_time:.2f} |", flush=True)


if __name__ == "__main__":
    main()
