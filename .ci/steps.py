"""Run the steps of CI, each a call of make: some alone, the others in two rows; print a table of their seconds.

The first step that fails stops all others, and its name is the last line. What a step of a row prints is shown when it
has ended. A step of AGAIN that fails is run once more, and the log says so.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from contextlib import suppress

ALONE = ["setup", "check", "test AGAIN=1", ".venv/.others"]
# The longest come first. Ray starts once at a time: in the tests, then in the tutorials of the documentation.
ROWS = [
    "wheel",
    "trust ARGUMENTS=--quick",
    "test-all PARTS=browser AGAIN=1",
    "test-all PARTS=every AGAIN=1",
    "test-all docs PARTS=ray AGAIN=1",
    "test-all PARTS=doors AGAIN=1",
    "instructions",
    "bench OF=annotate_sim ARGUMENTS=--quick",
]
AGAIN = {ROWS[1], ROWS[4], ROWS[7]}  # servers and clusters, without reruns of their own
PATIENCE = 10  # seconds in which a step that is interrupted may end what it has started


class Run:
    """The steps that have ended, with their seconds, and those that run."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}
        self.failed = ""
        self._running: set[subprocess.Popen[bytes]] = set()
        self._lock = threading.Lock()

    def step(self, step: str, is_held: bool) -> None:
        """Run a step, twice if it may fail once; if it fails, stop all."""
        for is_last in (False, True) if step in AGAIN else (True,):
            with tempfile.TemporaryFile() as output:
                with self._lock:
                    if self.failed:
                        return
                    print(f"== make {step}: begins", flush=True)
                    began = time.monotonic()
                    held = output if is_held else None
                    process = subprocess.Popen(
                        ["make", *step.split()], stdout=held, stderr=held, start_new_session=True
                    )
                    self._running.add(process)
                status = process.wait()
                with self._lock:
                    self._running.discard(process)
                    self.seconds[step] = self.seconds.get(step, 0) + time.monotonic() - began
                    output.seek(0)
                    sys.stdout.buffer.write(output.read())
                    how = f"FAILED with status {status}" if status else "passed"
                    print(f"== {step}: {how} after {self.seconds[step]:.0f} seconds", flush=True)
                    if status and is_last and not self.failed:
                        self.stop(step)
            if not status:
                return

    def stop(self, why: str) -> None:
        """End the steps that run, and what they have started; begin no other."""
        self.failed = why
        for number in (signal.SIGINT, signal.SIGKILL):  # at the first one tests end their servers
            for process in list(self._running):
                with suppress(ProcessLookupError):
                    os.killpg(process.pid, number)
            until = time.monotonic() + PATIENCE
            for process in list(self._running):
                with suppress(subprocess.TimeoutExpired):
                    process.wait(max(0, until - time.monotonic()))


def main() -> int:
    """Do all steps; return the exit status."""
    began, run = time.monotonic(), Run()
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        for step in ALONE:
            run.step(step, False)
        with ThreadPoolExecutor(2) as rows:
            wait([rows.submit(run.step, step, True) for step in ROWS], return_when=FIRST_EXCEPTION)
    except KeyboardInterrupt:
        run.stop("an interrupt")
    print("seconds  step")
    for step, seconds in run.seconds.items():
        print(f"{seconds:7.0f}  {step}")
    print(f"{time.monotonic() - began:7.0f}  in all")
    print(f"FAILED: {run.failed}" if run.failed else "all passed", flush=True)
    return bool(run.failed)


if __name__ == "__main__":
    sys.exit(main())
