"""Training that is killed at any moment and resumed ends in the same file as training that was left alone.

Children are forked, so that a kill falls into training and not into the import of modules; each run is what
``perceptag train --resume`` does. A run is killed again and again until one attempt gets to the end.
"""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from perceptag.cli.train import train
from trust import samples
from trust.children import fork, silent, start
from trust.tally import Tallies, Tally

EPOCHS = 6


def check(quick: bool) -> Tallies:
    """Each learner, and once the command itself."""
    for learner, settings in samples.learners().items():
        yield killed(learner, settings, 5 if quick else 100)
    yield command(4 if quick else 20)


def killed(learner: str, settings: dict[str, Any], number: int) -> Tally:
    """Kill training `number` times."""
    tally = Tally(f"kill -9 and --resume: {learner}")
    recipe = samples.recipe_of(settings).replace({"epochs": EPOCHS})
    rng = random.Random(learner)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        data = samples.corpus_file(folder, 30)

        def run(model: Path, resume: bool) -> str | None:
            silent()
            columns = ["form", "pos", "label"]
            return train(recipe, str(data), str(model), columns=columns, resume=resume, checkpoint_every=1).sha256

        started = time.monotonic()
        expected = fork(lambda: run(folder / "whole", False), 600)
        duration = time.monotonic() - started
        if expected.fault:
            tally.add(expected.fault)
            return tally
        while tally.tried < number and not tally.failed:
            _until_the_end(tally, lambda: run(folder / "m", True), duration, rng, expected.value)
        whole, resumed = (folder / "whole").read_bytes(), (folder / "m").read_bytes()
        tally.add(None if whole == resumed else "the files differ", 0)
        left = sorted(p.name for p in folder.iterdir())
        tally.add(None if left == ["m", "train.txt", "whole"] else f"left over: {left}", 0)
    return tally


def _until_the_end(tally: Tally, run: Any, duration: float, rng: random.Random, expected: str) -> None:
    """Kill each attempt at a random time; the first that ends before its kill must give the same digest."""
    while True:
        pid, reader = start(run)
        time.sleep(rng.random() * duration)
        done, status = os.waitpid(pid, os.WNOHANG)
        if not done:
            os.kill(pid, signal.SIGKILL)
            _, status = os.waitpid(pid, 0)
        with os.fdopen(reader, "rb") as pipe:
            result = pipe.read()
        if os.WIFSIGNALED(status):
            tally.add()
            continue
        fault = None if expected.encode() in result else f"another digest, or an error: {result[-800:]!r}"
        tally.add(fault, 0)
        return


def command(number: int) -> Tally:
    """The same with processes of their own, started as a user starts them."""
    tally = Tally("kill -9 and --resume: the command perceptag train")
    rng = random.Random(0)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        words = [sys.executable, "-m", "perceptag", "train", "-r", "collins-np", "--no-dev", "--epochs", "8", "-q"]
        words += ["--train", str(samples.corpus_file(folder, 200)), "--columns", "form,pos,label"]
        started = time.monotonic()
        subprocess.run([*words, "-m", str(folder / "whole")], check=True, stdout=subprocess.DEVNULL)
        duration = time.monotonic() - started
        while tally.tried < number and not tally.failed:
            process = subprocess.Popen(
                [*words, "-m", str(folder / "m"), "--resume", "--checkpoint-every", "1"],
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
            )
            try:
                _, error = process.communicate(timeout=(0.2 + rng.random()) * duration)
            except subprocess.TimeoutExpired:
                process.kill()
                process.communicate()
                tally.add()
                continue
            same = process.returncode == 0 and (folder / "m").read_bytes() == (folder / "whole").read_bytes()
            tally.add(None if same else f"status {process.returncode}, or the files differ: {error!r:.800}", 0)
    return tally
