"""Models that are not at hand: an earlier version made again from the log, or a slower one of the labels of now.

Both are trained in a process of their own, which others come before.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from perceptag.errors import ModelError, PerceptagError
from perceptag.project.records import Labelled
from perceptag.text.sentence import Sentence
from perceptag.workbench.learning.examples import COLUMN, Text
from perceptag.workbench.learning.messages import AddTexts, Label, Setup, Trained, Update
from perceptag.workbench.learning.pipes import read_object, write_object

NICE = 10
_RUN = "import sys; sys.path[:] = sys.argv[1:]; from perceptag.workbench.rebuilding import main; main()"


@dataclass(frozen=True, slots=True)
class Again:
    """An earlier version: its labels, those that its calibration was learned from, and the digest it must have."""

    setup: Setup
    calibration: tuple[int, list[Labelled]] | None
    labels: tuple[int, list[Labelled]]
    digest: str


@dataclass(frozen=True, slots=True)
class Slowly:
    """A model of these sentences by a recipe, which may take its time."""

    recipe: str
    classes: str  # a file of word classes
    sentences: Sequence[Sentence]


def in_a_process(job: Again | Slowly) -> bytes:
    """Return the bytes of a model."""
    command = [sys.executable, "-c", _RUN, *sys.path]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None and process.stdout is not None
        try:
            write_object(process.stdin, job)
            found = read_object(process.stdout)
        except (OSError, EOFError):
            raise ModelError("the process that trains has ended") from None
    if isinstance(found, PerceptagError):
        raise found
    data: bytes = found
    return data


def main() -> None:
    """Do the job that comes from standard input, and write the result to standard output."""
    source, target = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    if hasattr(os, "nice"):
        os.nice(NICE)
    job = read_object(source)
    result: Any
    try:
        result = made_again(job) if isinstance(job, Again) else made_slowly(job)
    except PerceptagError as error:
        result = ModelError(str(error))
    with suppress(BrokenPipeError):
        write_object(target, result)


def made_again(job: Again) -> bytes:
    """Train a version again, as the loop did, and check that it is the same."""
    from perceptag.workbench.learning.worker import Worker

    found: dict[str, bytes] = {}

    def take(event: object) -> None:
        if isinstance(event, Trained):
            found[event.digest] = event.data

    worker = Worker(job.setup, take)
    for upto, labelled in [*([job.calibration] if job.calibration else []), job.labels]:
        worker.handle(AddTexts([Text(one.sentence_id, one.tokens, one.columns) for one in labelled]))
        worker.handle(_update(upto, labelled, worker.examples))
        while job.digest not in found and worker.step():
            pass
    if job.digest not in found:
        raise ModelError(f"the model was trained again, and has another digest than {job.digest}")
    return found[job.digest]


def _update(upto: int, labelled: Sequence[Labelled], before: Any) -> Update:
    now = {one.sentence_id: Label(one.first_revision, one.labels, one.in_sample) for one in labelled}
    return Update(upto, now, [number for number in before if number not in now])


def made_slowly(job: Slowly) -> bytes:
    """Train a model as `perceptag train` does."""
    from perceptag.store.file import to_bytes
    from perceptag.tagger import Tagger

    settings: dict[str, Any] = {"classes": job.classes} if job.classes else {}
    tagger = Tagger(job.recipe, labels_column=COLUMN, **settings).fit(job.sentences)
    return to_bytes(tagger.model_)[0]
