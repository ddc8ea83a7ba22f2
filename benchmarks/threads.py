"""Two threads compared with one, and how much of its time another Python thread keeps while perceptag tags."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any

from benchmarks.measure import Clock
from benchmarks.task import Task, read_plain

TICKS = {"1 ms": 0.001, "10 ms": 0.01}  # for how long the other thread sleeps between ticks
ROUNDS = 5
AT_LEAST = 1.0  # seconds to count ticks for


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
    ticks = {}
    for name, seconds in TICKS.items():
        idle = ticks_per_second(seconds, lambda: time.sleep(0.2))
        ticks[name] = ticks_per_second(seconds, lambda: taggers[1].predict(texts)) / idle
    return {"wall": clock.wall, "cpu": clock.cpu, "tokens": tokens, "ticks": ticks}


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
