"""Damaged files in other ways: models on the command line, checkpoints in a run that is resumed.

The damage is that of `trust/damage.py`, with the old digest or with a new one.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path

from perceptag import ModelError, PerceptagError
from perceptag.models import model_file as modelfile
from perceptag.text import write_columns
from perceptag.training import checkpoint
from perceptag.training.train import Training
from trust import samples
from trust.damage import Random, cover_up, mutate_bytes

VERBS = {
    "inspect": ("inspect", "--json", "m"),
    "inspect in words": ("inspect", "m"),
    "tag": ("tag", "-m", "m", "text", "-o", "out", "-q"),
    "explain": ("explain", "-m", "m", "-i", "text", "--json"),
    "train --from": ("train", "--from", "m", "--train", "labelled", "--epochs=1", "--restart", "-m", "out", "-q"),
}
DONE, REFUSED = 0, 2


def through_the_command_line(data: bytes, rng: Random) -> str:
    """Give a sealed model to all verbs that read one: each does its work, or says in one line why it does not."""
    damaged = cover_up(data, rng)
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            Path("m").write_bytes(damaged)
            write_columns(samples.short(samples.sentences(4), 6), "labelled")
            write_columns(samples.unlabelled(samples.short(samples.sentences(2), 6)), "text")
            ends = {name: _run(words) for name, words in VERBS.items()}
        finally:
            os.chdir("/")
    for name, (status, told) in ends.items():
        clear = told.startswith("perceptag: error: ") and "\n" not in told and "out of memory" not in told
        if status != DONE and not (status == REFUSED and clear):
            return f"{name}: status {status}: {told[-250:]!r}"
    return "taken" if ends["tag"][0] == DONE else "refused"


def _run(words: tuple[str, ...]) -> tuple[int, str]:
    columns = ("--columns", "form,pos,label") if "labelled" in words else ("--columns", "form,pos")
    done = samples.command_line.run(*words, *(columns if words[0] != "inspect" else ()))
    return done.status, done.err.strip()


# ---------------------------------------------------------------------------------------- checkpoints


def _training(learner: str) -> Training:
    recipe = samples.recipe_of(samples.learners()[learner]).replace({"epochs": 3, "labels.column": "label"})
    return Training(recipe, samples.short(samples.sentences(6), 6))


@cache
def checkpoints() -> dict[str, bytes]:
    """Return a checkpoint of each learner after its second pass."""
    made = {}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "c"
        for learner in samples.learners():
            training = _training(learner)
            passes = training.run()
            next(passes), next(passes)
            checkpoint.write(training, str(path))
            made[learner] = path.read_bytes()
    return made


def _learner_of(data: bytes) -> str:
    return next(learner for learner, made in checkpoints().items() if made == data)


def plain_checkpoint(data: bytes, rng: Random) -> str:
    """Damage a checkpoint without changing the digest: this must be noticed."""
    damaged = mutate_bytes(data, rng)
    return "refused" if damaged == data else _resume(_learner_of(data), damaged, lambda _: "accepted")


def sealed_checkpoint(data: bytes, rng: Random) -> str:
    """Damage a checkpoint and repair the digest: it is refused, at the latest when training ends, or the model tags."""
    return _resume(_learner_of(data), cover_up(data, rng, "checkpoint"), _goes_on)


def _resume(learner: str, damaged: bytes, then: Callable[[Training], str]) -> str:
    with tempfile.NamedTemporaryFile() as file:
        file.write(damaged)
        file.flush()
        training = _training(learner)
        try:
            checkpoint.restore(training, file.name)
        except PerceptagError as error:
            told = str(error).startswith(f"{file.name}: ")
            return "refused" if told else f"unclear message {str(error)!r}"
        return then(training)


def _goes_on(training: Training) -> str:
    try:
        for _ in training.run():
            pass
        model = training.model()
    except PerceptagError:
        return "refused"  # the numbers of a forged checkpoint were too large after a while
    try:
        tagger = samples.load(modelfile.to_bytes(model)[0])
    except ModelError as error:
        return f"training continued to a model that cannot be loaded: {str(error)!r}"
    tagger.predict(samples.unlabelled(samples.sentences(3)))
    return "taken"
