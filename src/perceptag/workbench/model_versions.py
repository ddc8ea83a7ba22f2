"""Models besides the one in use: earlier versions, and slower ones that were asked for.

An earlier version of the loop is trained again from the log. A slower model is kept in a file in a folder next to the
project. Requests that ask for the same model wait for the same answer of the learner.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable, Hashable, Sequence
from concurrent.futures import CancelledError, Future
from pathlib import Path
from typing import Any

from perceptag.errors import PerceptagError
from perceptag.models.model_file import check_digest, read_file
from perceptag.project.project import Project
from perceptag.project.records import LabelledSentence, Version
from perceptag.server.problems import HttpProblem
from perceptag.server.receiving import Within
from perceptag.server.served import served_of
from perceptag.system.output_files import open_output
from perceptag.workbench.events import EventFeed
from perceptag.workbench.learning.messages import Example, LabelChange, Text
from perceptag.workbench.loop import NAME, Loop
from perceptag.workbench.setups import setup_then

PATIENCE = 120.0  # seconds for the learner to answer
OPEN = 4  # questions at a time
KEPT = 4  # answers


class Answers:
    """The newest answers, and those that are awaited. It is used in one event loop."""

    def __init__(self) -> None:
        self._tasks: dict[Hashable, asyncio.Task[Any]] = {}

    async def of(self, key: Hashable, ask: Callable[[], Future[Any]]) -> Any:
        """Return the answer to a question; `ask` is called in a thread unless the same question is open."""
        task = self._tasks.get(key) or self._asked(key, ask)
        try:
            return await Within(PATIENCE, asyncio.shield(task))
        except TimeoutError:
            raise _busy(f"the learner did not answer within {PATIENCE} s") from None
        except asyncio.CancelledError:
            if task.cancelled():
                raise _busy("the learner is stopping") from None
            raise

    def _asked(self, key: Hashable, ask: Callable[[], Future[Any]]) -> asyncio.Task[Any]:
        done = [old for old, task in self._tasks.items() if task.done()]
        if len(self._tasks) - len(done) >= OPEN:
            raise _busy(f"the learner: expected at most {OPEN} questions at a time, found more")
        for old in done[: len(done) - KEPT + 1] if len(done) >= KEPT else []:
            del self._tasks[old]
        task = self._tasks[key] = asyncio.ensure_future(_answered(ask))
        task.add_done_callback(lambda _: self._drop_failed(key, task))
        return task

    def _drop_failed(self, key: Hashable, task: asyncio.Task[Any]) -> None:
        """Forget an answer that is an error: the next one who asks may have more luck."""
        if (task.cancelled() or task.exception() is not None) and self._tasks.get(key) is task:
            del self._tasks[key]


async def _answered(ask: Callable[[], Future[Any]]) -> Any:
    return await asyncio.wrap_future(await asyncio.to_thread(ask))


def _busy(detail: str) -> HttpProblem:
    return HttpProblem(503, detail).with_header(b"retry-after", b"5")


class Models:
    """Finds models, or has them made."""

    def __init__(self, project: Project, loop: Loop, events: EventFeed) -> None:
        self.project, self.loop, self.events = project, loop, events
        self._training = threading.Lock()
        self._answers = Answers()

    async def data_of(self, version: Version) -> bytes:
        """Return the file of a version; it is the same, byte for byte, whether it is kept or made again."""
        if version.recipe != NAME:
            return self._read(version)
        found: bytes = self.loop.kept.get(version.id) or await self._remade(version)
        if check_digest(found, "model") != version.digest:
            raise HttpProblem(409, f"version {version.id}: it was made again, and is not the same")
        return found

    async def _remade(self, version: Version) -> Any:
        known = int(version.data.get("calibrated_upto", 0))

        def ask() -> Future[Any]:
            setup = setup_then(self.project, version, self.loop.setup)
            calibration = examples_of(self.project.log(known)) if known else []
            examples = examples_of(self.project.log(version.upto))
            return self.loop.ask("remake", examples=examples, calibration=calibration, setup=setup)

        return await self._answers.of(("remake", version.id), ask)

    async def changes(self, before: int, after: int) -> list[LabelChange]:
        """Return what changed between two versions in unlabelled sentences."""
        found = self.loop.changes.between(before, after)
        if found is not None or not before:
            return found or []
        old, new = [await self.data_of(self.loop.versions[number]) for number in (before, after)]
        key = ("compare", before, after, self.loop.submitted_upto)
        compared: list[LabelChange] = await self._answers.of(
            key, lambda: self.loop.ask("compare", before=old, after=new)
        )
        return compared

    # --- slower ones ---

    def train_slowly(self, recipe: str, who: str) -> None:
        """Begin to train; only one at a time."""
        if self.loop.model is None or not self.loop.model.version:
            raise HttpProblem(409, "train: expected labelled sentences, found too few")
        if not self._training.acquire(blocking=False):
            raise HttpProblem(409, "train: a model is being trained; wait for it")
        threading.Thread(target=self._train, args=(recipe, who), daemon=True).start()

    def _train(self, recipe: str, who: str) -> None:
        began, upto = time.perf_counter(), self.loop.submitted_upto
        try:
            examples = examples_of(self.project.log(upto))
            sentences = len(examples)
            data: bytes = self.loop.ask("train", recipe=recipe, examples=examples).result()
            seconds, digest = time.perf_counter() - began, check_digest(data, "model")
            about: dict[str, Any] = {"seconds": seconds, "sentences": sentences, "recipe": recipe, "data": {"who": who}}
            version = self.project.add_version(digest, upto, **about)
            self._write(version, data)
            self.loop.versions[version.id] = version
            self.loop.table.put(served_of(f"{NAME}-{recipe}", data), is_default=False)
            self.events.tell("trained", version=version.id, recipe=recipe, seconds=seconds, sentences=sentences)
        except (PerceptagError, OSError) as error:
            self.events.tell("trained", error=str(error))
        except CancelledError:
            pass  # the server stops
        finally:
            self._training.release()

    def _path(self, version: Version) -> Path:
        return self.project.path.with_name(f"{self.project.path.name}.models") / f"{version.digest[:16]}.model"

    def _write(self, version: Version, data: bytes) -> None:
        path = self._path(version)
        path.parent.mkdir(mode=0o700, exist_ok=True)
        with open_output(str(path)) as stream:
            stream.write(data)

    def _read(self, version: Version) -> bytes:
        try:
            found = read_file(str(self._path(version)))
            if check_digest(found, "model") == version.digest:
                return found
        except (PerceptagError, OSError):
            pass
        raise HttpProblem(409, f"version {version.id}: its file is not there any more; train again")


def examples_of(labelled: Sequence[LabelledSentence]) -> list[Example]:
    """Return labelled sentences as the learner takes them."""
    return [
        Example(Text(one.sentence_id, one.tokens, one.columns), one.labels, one.first_revision, one.in_sample)
        for one in labelled
    ]
