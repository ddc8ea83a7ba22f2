"""Where a training command spends its time, on one thread and on several, by phase.

    python -m benchmarks.phases --data FOLDER [--quick] [--only pos,chunk] [--threads 2]

The command runs in a process of its own, once with `--threads 1` and once with `--threads`. CPU time on one thread says
what there is to do, also on a busy machine. Wall time of the main thread says what a phase gains by several threads;
the work of other threads beside it counts for the phase in which the main thread is. For that, run it with nothing else
on the machine. From the wall times on one thread and on several follows what more threads would give, by Amdahl's law
for each phase (`simulated`).
"""

from __future__ import annotations

import argparse
import importlib
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import wraps
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks.cores import CASES, command, prepare

REST = "the rest: start, notes, digests"
PHASES = {
    "reading": ("perceptag.cli.train:read_all", "perceptag.cli.train:read_dev"),
    "encoding": ("perceptag.models.linear.encoded_task:EncodedTask.__init__",),
    "encoding of dev data": ("perceptag.models.linear.encoded_task:EncodedTask.encode_dev",),
    "weights made": ("perceptag.models.linear.trainer:make_weights",),
    "passes": (
        "perceptag.models.linear.trainer:LinearTrainer.learn_epoch",
        "perceptag.models.document.trainer:NonLocalTrainer.learn_epoch",
    ),
    "copies of weights": (
        "perceptag.models.linear.trainer:LinearTrainer.snapshot",
        "perceptag.models.document.trainer:NonLocalTrainer.snapshot",
    ),
    "dev data labelled": (
        "perceptag.models.linear.trainer:LinearTrainer.tag_dev",
        "perceptag.models.document.trainer:NonLocalTrainer.tag_dev",
    ),
    "dev data scored": ("perceptag.training.train:Training._dev_score",),
    "checkpoint": ("perceptag.training.checkpoint:write",),
    "models packed": (
        "perceptag.models.linear.trainer:LinearTrainer.pack",
        "perceptag.models.document.trainer:NonLocalTrainer.pack",
    ),
    "score of O": ("perceptag.training.train:Training._choose_score",),
    "calibration": ("perceptag.cli.training_run:_model",),
    "saving": ("perceptag.cli.training_run:save",),
}
# With several threads other threads do these beside the first of them, for which their time counts then.
BESIDE = {
    "passes": ("dev data labelled", "dev data scored"),
    REST: ("score of O", "models packed"),
}
SIMULATED = (1, 2, 4, 8, 16)  # threads
OVERHEAD = 0.03  # a gain below it is noise: the phase counts as serial


@dataclass
class Times:
    """Seconds of a phase."""

    wall: float = 0.0
    cpu: float = 0.0  # of all threads


@dataclass
class Clock:
    """Times of the main thread by phase; those of a phase within another one count for the inner one alone."""

    times: dict[str, Times] = field(default_factory=dict)
    _now: list[str] = field(default_factory=lambda: [REST])
    _since: Times = field(default_factory=lambda: Times(time.perf_counter() - time.process_time(), 0.0))

    def switch(self) -> None:
        """Count the time since the last switch. Before the first one only Python has started, on one thread."""
        now = Times(time.perf_counter(), time.process_time())
        found = self.times.setdefault(self._now[-1], Times())
        found.wall += now.wall - self._since.wall
        found.cpu += now.cpu - self._since.cpu
        self._since = now

    def timed(self, function: Callable[..., Any], phase: str) -> Callable[..., Any]:
        """The same function, whose time counts for a phase when the main thread calls it."""

        @wraps(function)
        def inner(*given: Any, **named: Any) -> Any:
            if threading.current_thread() is not threading.main_thread():
                return function(*given, **named)
            self.switch()
            self._now.append(phase)
            try:
                return function(*given, **named)
            finally:
                self.switch()
                self._now.pop()

        return inner


def watch(clock: Clock) -> None:
    """Let the functions of all phases be timed."""
    for phase, places in PHASES.items():
        for place in places:
            module, _, name = place.partition(":")
            owner: Any = importlib.import_module(module)
            *outer, last = name.split(".")
            for part in outer:
                owner = getattr(owner, part)
            setattr(owner, last, clock.timed(getattr(owner, last), phase))


def child(words: list[str]) -> None:
    """Run a command of perceptag in this process, and print its phases."""
    clock = Clock()
    from perceptag.cli import main as run

    watch(clock)
    sys.argv = ["perceptag", *words]
    try:
        run()
    except SystemExit as end:
        if end.code:
            raise
    clock.switch()
    print("\n".join(f"{times.wall}\t{times.cpu}\t{phase}" for phase, times in clock.times.items()))


def phases(name: str, data: Path, quick: bool, threads: int) -> dict[str, Times]:
    """The times of each phase of a training command."""
    with TemporaryDirectory() as folder:
        files = prepare(CASES[name], data, Path(folder), quick)
        words = command(name, files, Path(folder) / "model", threads)
        run = [sys.executable, "-m", "benchmarks.phases", "--child", *words]
        done = subprocess.run(run, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(done.stderr)
    found = [line.split("\t") for line in done.stdout.splitlines() if "\t" in line]
    return {phase: Times(float(wall), float(cpu)) for wall, cpu, phase in found}


def together(found: dict[str, Times]) -> dict[str, float]:
    """Wall times of phases, with what other threads do beside them."""
    beside = {inner for names in BESIDE.values() for inner in names}
    walls = {phase: found.get(phase, Times()).wall for phase in (*PHASES, REST)}
    return {
        phase: wall + sum(walls[inner] for inner in BESIDE.get(phase, ()))
        for phase, wall in walls.items()
        if phase not in beside
    }


def simulated(one: float, several: float, threads: int, wanted: int) -> float:
    """The wall time of a phase on any number of threads, if its serial share stays what one and several threads say."""
    if one <= 0 or several > (1 - OVERHEAD) * one:
        return one
    serial = max(0.0, (several / one - 1 / threads) / (1 - 1 / threads))
    return one * (serial + (1 - serial) / wanted)


def report(name: str, one: dict[str, Times], several: dict[str, Times], threads: int) -> None:
    """Print the phases of a command, and what more threads would give."""
    print(f"\n| `{name}` | CPU, 1 thread, s | wall, 1 thread | wall, {threads} threads | ratio |")
    print("|---|---:|---:|---:|---:|")
    for phase in sorted(one, key=lambda phase: -one[phase].wall):
        a, b = one[phase], several.get(phase, Times())
        ratio = f"{a.wall / b.wall:.2f}" if b.wall >= 0.005 else "–"
        print(f"| {phase} | {a.cpu:.2f} | {a.wall:.2f} | {b.wall:.2f} | {ratio} |")
    all_one, all_several = (sum(times.wall for times in found.values()) for found in (one, several))
    cpu = sum(times.cpu for times in one.values())
    print(f"| all | {cpu:.2f} | {all_one:.2f} | {all_several:.2f} | {all_one / all_several:.2f} |")
    before, after = together(one), together(several)
    parts = [(before[phase], after[phase]) for phase in before]
    gains = [all_one / sum(simulated(*part, threads, wanted) for part in parts) for wanted in SIMULATED]
    print(f"\n{name}, simulated: " + ", ".join(f"{n}: {gain:.2f}" for n, gain in zip(SIMULATED, gains, strict=True)))


def main() -> None:
    """Print a table for each recipe."""
    if sys.argv[1:2] == ["--child"]:
        return child(sys.argv[2:])
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--only", default=",".join(CASES))
    parser.add_argument("--threads", type=int, default=2)
    given = parser.parse_args()
    for name in given.only.split(","):
        one, several = (phases(name, given.data, given.quick, threads) for threads in (1, given.threads))
        report(name, one, several, given.threads)
    return None


if __name__ == "__main__":
    main()
