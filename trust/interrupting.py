"""Ctrl-C and SIGTERM at any moment end the command line quietly: status 130, no traceback, old files as they were."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from trust import samples
from trust.tally import Tallies, Tally

OLD = b"an old file"
PYTHON_ITSELF = 0.06  # seconds, at least, that the interpreter takes before it runs a line of perceptag


def check(quick: bool) -> Tallies:
    """At random times, the import of modules included."""
    for number, name in ((signal.SIGINT, "Ctrl-C"), (signal.SIGTERM, "SIGTERM")):
        yield interrupts(name, number, 10 if quick else 60)


def interrupts(name: str, number: int, times: int) -> Tally:
    """Interrupt a training run that would take longer than anyone waits."""
    tally = Tally(f"{name} at a random moment")
    rng = random.Random(int(number))
    with tempfile.TemporaryDirectory() as folder:
        data = samples.corpus_file(Path(folder), 100)
        model = Path(folder) / "m"
        words = ["train", "-r", "collins-np", "--train", str(data), "--columns", "form,pos,label", "--epochs", "100000"]
        started = _until_main(words[:0])
        for _ in range(times):
            model.write_bytes(OLD)
            command = [
                sys.executable,
                "-m",
                "perceptag",
                *words,
                "--no-dev",
                "-q",
                "--checkpoint-every",
                "0",
                "-m",
                str(model),
            ]
            process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            time.sleep(rng.uniform(1.0, 3.0) * started)
            process.send_signal(number)
            try:
                out, err = process.communicate(timeout=60)
            except subprocess.TimeoutExpired:
                process.kill()
                process.communicate()
                tally.add("did not end")
                continue
            fine = process.returncode in (130, -number) and not out and "Traceback" not in err
            tally.check(fine, f"status {process.returncode}, {out!r:.100}, {err[-300:]!r}")
    return tally


def _until_main(words: list[str]) -> float:
    """How long the interpreter takes on this machine before it comes to perceptag at all."""
    del words
    code = "import time; print(time.time())"
    begun = time.time()
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=os.environ)
    return max(PYTHON_ITSELF, float(done.stdout) - begun)
