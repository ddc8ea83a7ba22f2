"""Two threads compared with one, and how much of its time another Python thread keeps while perceptag tags.

    PERCEPTAG_DATA=folder python -m benchmarks.threads

measures both alone, with a model of two passes.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from benchmarks.measure import Clock
from benchmarks.task import Task, read_plain

TICKS = {"1 ms": 0.001, "10 ms": 0.01}  # for how long the other thread sleeps between ticks
ROUNDS = 5
AT_LEAST = 0.5  # seconds to count ticks for, in each round
FREE = bytes(1 << 24)  # its digest keeps a core busy, and no thread of Python from running


def scaling(task: Task, job: dict[str, Any]) -> dict[str, Any]:
    """Measure tagging a longer text with one and two threads in turn, and the ticks kept meanwhile."""
    from perceptag import Tagger

    sentences = [s for s, _ in read_plain(task.text, task.columns)]
    texts: list[Any] = [s["form"] for s in sentences] if len(task.columns) == 2 else list(sentences)
    taggers = {n: Tagger.load(job["model"], threads=n) for n in (1, 2)}
    clock = Clock()
    for _ in range(ROUNDS):
        for n, tagger in taggers.items():
            with clock.stage(f"threads {n}"):
                tagger.predict(texts)
    tokens = sum(len(s["form"]) for s in sentences)
    ticks = {name: kept(seconds, lambda: taggers[1].predict(texts)) for name, seconds in TICKS.items()}
    return {"wall": clock.wall, "cpu": clock.cpu, "tokens": tokens, "ticks": ticks}


def kept(pause: float, work: Callable[[], object]) -> float:
    """Return the share of ticks that another thread keeps during some work.

    It is compared with work that is as long and never holds the lock of Python. On a machine with other work both lose
    ticks to the scheduler, which is not what is measured here.
    """
    most = {"free": 0.0, "work": 0.0}
    for _ in range(ROUNDS):
        most["free"] = max(most["free"], ticks_per_second(pause, lambda: hashlib.sha256(FREE).digest()))
        most["work"] = max(most["work"], ticks_per_second(pause, work))
    return most["work"] / most["free"]


def ticks_per_second(pause: float, work: Callable[[], object]) -> float:
    """Return how often per second another thread wakes up while this one works."""
    stop, count = threading.Event(), 0

    def tick() -> None:
        nonlocal count
        while not stop.is_set():
            time.sleep(pause)
            count += 1

    other = threading.Thread(target=tick)
    other.start()
    before, started = count, time.perf_counter()
    while time.perf_counter() - started < AT_LEAST:
        work()
    rate = (count - before) / (time.perf_counter() - started)
    stop.set()
    other.join()
    return rate


def main() -> None:
    """Train a model, measure, print."""
    from benchmarks.corpora import prepare
    from benchmarks.systems.ours import SYSTEM

    with tempfile.TemporaryDirectory() as folder:
        task, model = prepare(os.environ.get("PERCEPTAG_DATA"), Path(folder))[0], Path(folder, "model")
        SYSTEM.train(task, 2, model, Clock())
        found = scaling(task, {"model": str(model)})
    ratio = found["wall"]["threads 1"] / found["wall"]["threads 2"]
    ticks = ", ".join(f"{share:.0%} of one every {pause}" for pause, share in found["ticks"].items())
    print(f"{found['tokens']:,} tokens: two threads {ratio:.2f} times one (wall); ticks kept: {ticks}")


if __name__ == "__main__":
    main()
