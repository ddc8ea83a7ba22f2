"""Training that is killed at any moment and resumed gives the same file as undisturbed training.

Children are forked, so that a kill comes during training and not during imports; each run does what
``perceptag train --resume`` does. A run is killed again and again until one attempt reaches the end. An attempt that
starts from the beginning would give the same file, so those that continue from a checkpoint are counted, and there
must be some.
"""

from __future__ import annotations

import os
import pickle
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from perceptag.cli.train import train
from perceptag.cli.training_run import Keeping, TrainingFiles
from trust import samples
from trust.children import fork, silent, start
from trust.counts import Tallies, Tally

EPOCHS = 6
RESUMED = "resumed from "  # what `train --resume` says when there was a checkpoint
LONGEST = 1.3  # times the time of an undisturbed run, at most, until the kill: the machine may be busier now
LEAST = 2  # runs that must have continued from a checkpoint to the end; ten in the full form
PATIENCE = 30  # times the number of kills, at most; that none of them leaves a checkpoint is then not bad luck


def check(quick: bool) -> Tallies:
    """Kill the training of each learner, and also the command itself."""
    for learner, settings in samples.learners().items():
        yield killed(learner, settings, 5 if quick else 100, LEAST if quick else 10)
    yield command(4 if quick else 20)


def killed(learner: str, settings: dict[str, Any], number: int, least: int) -> Tally:
    """Kill training `number` times, and until `least` runs have continued from a checkpoint to the end."""
    tally = Tally(f"kill -9 and --resume: {learner}")
    recipe = samples.recipe_of(settings).replace({"epochs": EPOCHS})
    rng = random.Random(learner)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        data = samples.corpus_file(folder, 30)

        def run(model: Path, resume: bool) -> tuple[str | None, bool]:
            silent()
            told: list[str] = []
            files = TrainingFiles(str(data), columns=["form", "pos", "label"])
            outcome = train(recipe, files, str(model), note=told.append, keeping=Keeping(resume, every=1))
            return outcome.sha256, any(line.startswith(RESUMED) for line in told)

        started = time.monotonic()
        expected = fork(lambda: run(folder / "whole", False), 600)
        duration = time.monotonic() - started
        if expected.fault:
            tally.add(expected.fault)
            return tally
        resumed = 0
        while (tally.tried < number or resumed < least) and tally.tried < PATIENCE * number and not tally.failed:
            resumed += _until_the_end(tally, lambda: run(folder / "m", True), duration, rng, expected.value[0])
        _require(tally, resumed, least)
        whole, last = (folder / "whole").read_bytes(), (folder / "m").read_bytes()
        tally.add(None if whole == last else "the files differ", 0)
        left = sorted(p.name for p in folder.iterdir())
        tally.add(None if left == ["m", "train.txt", "whole"] else f"left over: {left}", 0)
    return tally


def _require(tally: Tally, resumed: int, least: int) -> None:
    tally.note = f"{resumed} runs continued from a checkpoint to the end"
    if resumed < least and not tally.failed:
        tally.fail(f"expected {least} runs that continue from a checkpoint, found {resumed}")


def _until_the_end(
    tally: Tally, run: Callable[[], tuple[str | None, bool]], duration: float, rng: random.Random, expected: str
) -> bool:
    """Kill each attempt at a random time; the first that ends before its kill must give the same digest.

    Return whether that one continued from a checkpoint.
    """
    while True:
        pid, reader = start(run)
        time.sleep(rng.random() * LONGEST * duration)
        done, status = os.waitpid(pid, os.WNOHANG)
        if not done:
            os.kill(pid, signal.SIGKILL)
            _, status = os.waitpid(pid, 0)
        with os.fdopen(reader, "rb") as pipe:
            result = pipe.read()
        if not done and os.WIFSIGNALED(status):
            tally.add()
            continue
        if os.WIFSIGNALED(status):
            tally.fail(f"ended by itself with {signal.Signals(os.WTERMSIG(status)).name}")
            return False
        value, error = pickle.loads(result) if result else (None, f"status {status}")
        if error or value[0] != expected:
            tally.fail(f"another digest, or an error: {error[-800:] or value[0]}")
            return False
        return bool(value[1])


def command(number: int) -> Tally:
    """Do the same with separate processes, started as a user starts them."""
    tally = Tally("kill -9 and --resume: the command perceptag train")
    rng = random.Random(0)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        words = [sys.executable, "-m", "perceptag", "train", "-r", "collins-np", "--no-dev", "--epochs", "60"]
        words += ["--train", str(samples.corpus_file(folder, 200)), "--columns", "form,pos,label"]
        words += ["--checkpoint-every", "1"]
        started = time.monotonic()
        subprocess.run([*words, "-m", str(folder / "whole")], check=True, capture_output=True)
        duration = time.monotonic() - started
        resumed = 0
        while (tally.tried < number or not resumed) and tally.tried < PATIENCE * number and not tally.failed:
            process = subprocess.Popen(
                [*words, "-m", str(folder / "m"), "--resume"],
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
            )
            try:
                _, error = process.communicate(timeout=(0.3 + 0.8 * rng.random()) * duration)
            except subprocess.TimeoutExpired:
                process.kill()
                process.communicate()
                tally.add()
                continue
            same = process.returncode == 0 and (folder / "m").read_bytes() == (folder / "whole").read_bytes()
            tally.add(None if same else f"status {process.returncode}, or the files differ: {error!r:.800}", 0)
            resumed += RESUMED.encode() in error
        _require(tally, resumed, 1)
    return tally
