"""Ctrl-C and SIGTERM at any moment end the command line quietly: status 130, no traceback, no half-written file.

Interrupted training saves the best pass so far, so the file is the old one, byte for byte, or a model.
"""

from __future__ import annotations

import random
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from perceptag import PerceptagError, Tagger
from trust import samples
from trust.counts import Tallies, Tally

OLD = samples.command_line.OLD_MODEL  # another kind of file would not be replaced
KEPT, SAVED = "old file kept", "best pass saved"
LONGEST = 1.5  # seconds after the command line has begun: well into training, unless the machine is busy
PATIENCE = 3  # times the number of interrupts, at most, until one has come before training and one during it


def check(quick: bool) -> Tallies:
    """Interrupt at random times after the first line of perceptag, also while modules are imported."""
    for number, name in ((signal.SIGINT, "Ctrl-C"), (signal.SIGTERM, "SIGTERM")):
        yield interrupts(name, number, 10 if quick else 60)


def interrupts(name: str, number: int, times: int) -> Tally:
    """Interrupt a training run that would otherwise take very long."""
    tally = Tally(f"{name} at a random moment")
    rng = random.Random(int(number))
    ends: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as folder:
        data = samples.corpus_file(Path(folder), 100)
        model = Path(folder) / "m"
        words = ["train", "-r", "collins-np", "--train", str(data), "--columns", "form,pos,label", "--epochs", "100000"]
        longest = LONGEST
        while tally.tried < times or (len(ends) < 2 and tally.tried < PATIENCE * times and not tally.failed):
            if tally.tried >= times:
                longest *= 1.5  # on a busy machine training begins later
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
            _wait_for_the_first_line(process.pid)
            time.sleep(rng.random() ** 2 * longest)  # mostly early, during the imports, where most can go wrong
            process.send_signal(number)
            try:
                out, err = process.communicate(timeout=60)
            except subprocess.TimeoutExpired:
                process.kill()
                process.communicate()
                tally.add("did not end")
                continue
            what = _what_is_there(model)
            ends[what] += 1
            fine = process.returncode == 130 and not out and "Traceback" not in err and what in (KEPT, SAVED)
            tally.check(fine, f"status {process.returncode}, {what}, {out!r:.100}, {err[-300:]!r}")
    for what in (KEPT, SAVED):
        if not ends[what]:
            tally.fail(f"{what}: did not happen in {tally.tried} interrupts")
    tally.note = ", ".join(f"{what}: {times}" for what, times in sorted(ends.items()))
    return tally


def _what_is_there(model: Path) -> str:
    """Return what an interrupted run has left."""
    names = sorted(path.name for path in model.parent.iterdir() if path.name != "m.bak")  # the model that was replaced
    if names != ["m", "train.txt"]:
        return f"files left: {names}"
    if model.read_bytes() == OLD:
        return KEPT
    try:
        Tagger.load(str(model))
    except PerceptagError as error:
        return f"neither the old file nor a model: {error}"
    return SAVED


def _wait_for_the_first_line(pid: int) -> None:
    """Wait until perceptag has installed its handler of SIGTERM; before that only the interpreter is starting."""
    caught = 1 << (signal.SIGTERM - 1)
    for _ in range(100_000):
        lines = Path(f"/proc/{pid}/status").read_text("ascii").splitlines()
        if int(next(line for line in lines if line.startswith("SigCgt")).split()[1], 16) & caught:
            return
        time.sleep(0.0005)
    raise RuntimeError("the command line did not begin")
