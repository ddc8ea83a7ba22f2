"""Which share of a training command can use several cores: CPU time by phase, on one thread.

    python -m benchmarks.phases --data FOLDER [--quick] [--only pos,chunk]

The command runs in this process with `--threads 1`, so CPU time says what there is to do, also on a busy machine. From
the phases that stay on one core (`SERIAL`) follows the speed-up that two cores could give at best.
"""

from __future__ import annotations

import argparse
import importlib
import subprocess
import sys
import time
from collections.abc import Callable
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
SERIAL = {"reading", "encoding", "weights made", "checkpoint", "calibration", "saving", REST}


class Clock:
    """CPU time by phase; that of a phase within another one counts for the inner one alone."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}
        self._now = [REST]
        self._since = 0.0  # with the start of Python

    def switch(self) -> None:
        """Count the time since the last switch."""
        now = time.process_time()
        phase = self._now[-1]
        self.seconds[phase] = self.seconds.get(phase, 0.0) + now - self._since
        self._since = now

    def timed(self, function: Callable[..., Any], phase: str) -> Callable[..., Any]:
        """The same function, whose time counts for a phase."""

        @wraps(function)
        def inner(*given: Any, **named: Any) -> Any:
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
    from perceptag.cli import main as run

    clock = Clock()
    watch(clock)
    sys.argv = ["perceptag", *words]
    try:
        run()
    except SystemExit as end:
        if end.code:
            raise
    clock.switch()
    print("\n".join(f"{seconds}\t{phase}" for phase, seconds in clock.seconds.items()))


def phases(name: str, data: Path, quick: bool) -> dict[str, float]:
    """CPU seconds of each phase of a training command."""
    with TemporaryDirectory() as folder:
        files = prepare(CASES[name], data, Path(folder), quick)
        words = command(name, files, Path(folder) / "model", 1)
        run = [sys.executable, "-m", "benchmarks.phases", "--child", *words]
        done = subprocess.run(run, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(done.stderr)
    found = [line.split("\t") for line in done.stdout.splitlines() if "\t" in line]
    return {phase: float(seconds) for seconds, phase in found}


def main() -> None:
    """Print a table for each recipe."""
    if sys.argv[1:2] == ["--child"]:
        return child(sys.argv[2:])
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--only", default=",".join(CASES))
    given = parser.parse_args()
    for name in given.only.split(","):
        found = phases(name, given.data, given.quick)
        total, serial = sum(found.values()), sum(s for phase, s in found.items() if phase in SERIAL)
        print(f"\n| `{name}` | CPU s | share |\n|---|---:|---:|")
        for phase, seconds in sorted(found.items(), key=lambda item: -item[1]):
            print(f"| {phase} | {seconds:.2f} | {100 * seconds / total:.0f} % |")
        print(
            f"\n{name}: {total:.1f} s; on two cores at best {total / (serial + (total - serial) / 2):.2f} times as fast"
        )
    return None


if __name__ == "__main__":
    main()
