"""Models besides the one in use: earlier versions, and slower ones that were asked for."""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence

from perceptag.errors import PerceptagError
from perceptag.pipeline.pipeline import Pipeline
from perceptag.project.project import Project
from perceptag.project.records import Version
from perceptag.server.problems import Problem
from perceptag.server.served import served_of
from perceptag.store.file import check_digest
from perceptag.workbench.events import Events
from perceptag.workbench.learning.changes import Change, changes
from perceptag.workbench.learning.examples import Example, Text
from perceptag.workbench.loop import NAME, Loop
from perceptag.workbench.proposing import InUse, propose
from perceptag.workbench.rebuilding import Again, Slowly, in_a_process
from perceptag.workbench.start import on_top_of

LOOKED_AT = 20_000  # sentences of the pool in which two versions are compared
AT_ONCE = 1_000


class Models:
    """Trains models that are not at hand, one at a time."""

    def __init__(self, project: Project, loop: Loop, events: Events) -> None:
        self.project, self.loop, self.events = project, loop, events
        self._slow: dict[int, bytes] = {}
        self._training = threading.Lock()
        self._again = threading.Lock()

    def data_of(self, version: Version) -> bytes:
        """Return the file of a version; it is the same, byte for byte, whether it is kept or made again."""
        found = self.loop.kept.get(version.id) or self._slow.get(version.id)
        if found is not None:
            return found
        with self._again:
            return in_a_process(self._job(version))

    def _job(self, version: Version) -> Again | Slowly:
        if version.recipe != NAME:
            return self._slowly(version.recipe, version.upto)
        known = int(version.data.get("calibrated_upto", 0))
        calibration = (known, self.project.log(known)) if known else None
        labels = version.upto, self.project.log(version.upto)
        return Again(self.loop.learner.setup, calibration, labels, version.digest)

    # --- slower ones ---

    def train_slowly(self, recipe: str) -> None:
        """Begin to train; only one at a time."""
        if not self._training.acquire(blocking=False):
            raise Problem(409, "train: a model is being trained; wait for it")
        threading.Thread(target=self._train, args=(recipe,), daemon=True).start()

    def _train(self, recipe: str) -> None:
        began, upto = time.perf_counter(), self.project.last_revision
        try:
            job = self._slowly(recipe, upto)
            data = in_a_process(job)
            seconds, digest = time.perf_counter() - began, check_digest(data, "model")
            version = self.project.add_version(
                digest, upto, seconds=seconds, sentences=len(job.sentences), recipe=recipe
            )
            self.loop.versions[version.id] = version
            self._slow = {version.id: data}
            self.loop.table.put(served_of(f"{NAME}-{recipe}", data))
            told = {"version": version.id, "recipe": recipe, "seconds": seconds, "sentences": version.sentences}
            self.events.tell("trained", **told)
        except PerceptagError as error:
            self.events.tell("trained", error=str(error))
        finally:
            self._training.release()

    def _slowly(self, recipe: str, upto: int) -> Slowly:
        examples = [
            Example(Text(one.sentence_id, one.tokens, one.columns), one.labels, one.first_revision)
            for one in self.project.log(upto)
        ]
        classes = str(self.project.settings.get("classes") or "")
        return Slowly(recipe, classes, [example.sentence() for example in examples])

    # --- what two versions say differently ---

    def changes(self, before: int, after: int) -> list[Change]:
        """Return what changed between two versions in sentences that nobody has labelled."""
        found = self.loop.changes.between(before, after)
        if found is not None or not before:
            return found or []
        models = [self._opened(version) for version in (before, after)]
        return changes(*(dict(self._labels(model)) for model in models))

    def _opened(self, number: int) -> Pipeline:
        data = self.data_of(self.loop.versions[number])
        return on_top_of(self.loop.start, served_of(NAME, data).ending_with("").top.ready)

    def _labels(self, opened: Pipeline) -> Sequence[tuple[int, list[str]]]:
        model = InUse(1, "", opened, calibrated=False)
        found: list[tuple[int, list[str]]] = []
        last = 0
        while len(found) < LOOKED_AT and (part := self.project.pool(last, AT_ONCE)):
            last = part[-1].sentence_id
            entries = self.project.entries([one.sentence_id for one in part])
            found += [(e.id, p.labels) for e, p in zip(entries, propose(model, entries, nbest=1), strict=True)]
        return found
