"""Run the steps of CI, each a target of make: some alone, the others in two rows; print a table of their seconds.

The first step that fails stops the other row at once, and its name is the last line. A step that runs alone prints at
once; what a step of a row prints is shown when it has ended. A step of AGAIN that fails is run once more, and the log
says so.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from queue import Empty, SimpleQueue
from typing import IO

ROWS = 2  # of what is done side by side: most steps use one core
AGAIN = {"docs", "annotate-sim ARGUMENTS=--quick", "trust-quick"}  # servers and clusters, without reruns of their own
PATIENCE = 10  # seconds in which a step that is interrupted may end what it has started
# Each list is done before the next begins. A row that is free takes the next entry, so the longest come first. Steps of
# one entry never run side by side.
STEPS: list[list[list[str]]] = [
    [["setup"]],
    [["check"], ["check-page"]],
    [["test AGAIN=1"]],
    [["setup-all"]],
    [
        ["wheel"],
        ["trust-quick"],  # waits half of its time; its limits are far above what it needs on a busy machine
        ["test-browser AGAIN=1"],  # waits too: next to the end of wheel and to conformance
        ["conformance AGAIN=1"],
        ["test-ray AGAIN=1", "docs"],  # both start Ray
        ["test-doors AGAIN=1"],
        ["instructions"],
        ["annotate-sim ARGUMENTS=--quick"],
    ],
]


class Run:
    """The steps that have ended, and those that run."""

    def __init__(self, command: Sequence[str] = ("make",)) -> None:
        self.seconds: dict[str, float] = {}
        self.failed: str | None = None
        self._command = command
        self._running: dict[str, subprocess.Popen[bytes]] = {}
        self._lock = threading.Lock()

    def do(self, entries: Sequence[Sequence[str]]) -> None:
        """Do all entries; if there are several, in rows."""
        left: SimpleQueue[Sequence[str]] = SimpleQueue()
        for entry in entries:
            left.put(entry)
        rows = [threading.Thread(target=self._row, args=[left, len(entries) > 1]) for _ in entries[:ROWS]]
        for row in rows:
            row.start()
        for row in rows:
            row.join()

    def _row(self, left: SimpleQueue[Sequence[str]], is_held: bool) -> None:
        with suppress(Empty):
            while True:
                for step in left.get_nowait():
                    for is_last in (False, True) if step in AGAIN else (True,):
                        with tempfile.TemporaryFile() as output:
                            if self._is_done(step, output if is_held else None, is_last):
                                break

    def _is_done(self, step: str, output: IO[bytes] | None, is_last: bool) -> bool:
        """Run a step; if the last try fails, stop all."""
        with self._lock:
            if self.failed:
                return True
            words = [*self._command, *step.split()]
            print(f"== {' '.join(words)}: begins", flush=True)
            began = time.monotonic()
            process = subprocess.Popen(words, stdout=output, stderr=output, start_new_session=True)
            self._running[step] = process
        status = process.wait()
        with self._lock:
            del self._running[step]
            self.seconds[step] = self.seconds.get(step, 0) + time.monotonic() - began
            how = f"FAILED with status {status}{'' if is_last else ', to be run once more,'}" if status else "passed"
            if self.failed:
                how = "stopped"
            elif output:
                output.seek(0)
                sys.stdout.buffer.write(output.read())
            print(f"== {step}: {how} after {self.seconds[step]:.0f} seconds", flush=True)
            if status and not self.failed and is_last:
                self.stop(step)
            return is_last or not status

    def stop(self, why: str) -> None:
        """End the steps that run, and what they have started; begin no other."""
        self.failed = why
        running = list(self._running.values())  # rows remove what has ended
        for process in running:
            _signal(process, signal.SIGINT)  # tests end their servers
        until = time.monotonic() + PATIENCE
        for process in running:
            with suppress(subprocess.TimeoutExpired):
                process.wait(max(0, until - time.monotonic()))
            _signal(process, signal.SIGKILL)

    def table(self) -> str:
        """The seconds of each step, in the order in which they ended."""
        return "\n".join(["seconds  step", *(f"{seconds:7.0f}  {step}" for step, seconds in self.seconds.items())])


def _signal(process: subprocess.Popen[bytes], number: int) -> None:
    """Send a signal to a step and to what it has started in its session."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, number)


def main() -> int:
    """Do all steps; return the exit status."""
    began, run = time.monotonic(), Run()
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        for entries in STEPS:
            run.do(entries)
    except KeyboardInterrupt:
        run.stop("an interrupt")
    print(f"{run.table()}\n{time.monotonic() - began:7.0f}  in all")
    if run.failed:
        print(f"FAILED: {run.failed}", flush=True)
        return 1
    print("all passed")
    return 0


if __name__ == "__main__":
    sys.exit(main())
