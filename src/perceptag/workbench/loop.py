"""The loop between the project and the process that learns.

    a label is written ─▶ changed() ─▶ a thread reads the log ─▶ LearnerProcess.submit
                                                                     │
    model in use, versions, scores of the pool, events to pages  ◀───┘  events of the process, in a thread of its own

Only a model of whole data is ever put into use: it was trained on all labels up to a revision.
"""

from __future__ import annotations

import threading
import time
import traceback
from collections.abc import Collection, Iterator, Sequence
from functools import singledispatchmethod
from typing import Any

from perceptag.errors import ModelError, PerceptagError
from perceptag.project.project import Project
from perceptag.project.records import Entry, LabelledSentence, Version
from perceptag.server.log_lines import log
from perceptag.server.served import ModelTable, serve_pipeline, served_of
from perceptag.workbench.events import EventFeed
from perceptag.workbench.findings import PoolScores
from perceptag.workbench.learning import messages
from perceptag.workbench.learning.learner_process import LearnerProcess
from perceptag.workbench.learning.messages import Text
from perceptag.workbench.opening import fitting, on_top_of, setup_of, start_of
from perceptag.workbench.proposing import InUse
from perceptag.workbench.rule_proposals import rules_in

NAME = "project"  # of the model in use, for /v1/tag and the page
AT_ONCE = 5_000  # sentences that are read at a time
RANDOM_SHARE = 0.2  # of the sentences that are offered
BACKUP_SECONDS = 3600.0  # between two looks at whether the daily copy is due


class Loop:
    """Tells the learner what people do, and the others what it has learned."""

    def __init__(
        self, project: Project, table: ModelTable, events: EventFeed, learner: type[LearnerProcess] = LearnerProcess
    ) -> None:
        self.project, self.table, self.events = project, table, events
        self.start = start_of(project)
        self.rules = rules_in(project)
        self.scores = PoolScores()
        self.progress: dict[str, Any] = {}
        self.model: InUse | None = None
        self.is_scored = False  # whether the model in use has scored the whole pool
        self.versions = {version.id: version for version in project.versions()}
        self.file: tuple[int, bytes] | None = None  # version and bytes of the newest model
        self._changed = 0  # labels of the pool that the newest model changed
        self.submitted_upto = 0  # the last revision that the learner knows
        self._labelled: dict[int, LabelledSentence] = {}
        self._seen: dict[str, int] = {}  # how often each label was given
        self._skipped: frozenset[int] = frozenset()
        self._upto_in_use = 0  # the last revision that the model in use has learned from
        self._lock = threading.RLock()
        self._use_start()
        self.learner: LearnerProcess | None = None
        self._has_more, self._is_over = False, False
        self._looked = time.monotonic()  # for the daily copy
        self._poked, self._begun = threading.Event(), threading.Event()
        self._thread = threading.Thread(target=self._run, args=(learner,), name="perceptag-loop", daemon=True)
        self._thread.start()
        self.changed()

    # --- what people do ---

    def changed(self) -> None:
        """Something was labelled, skipped or undone; return at once."""
        self._poked.set()

    def imported(self) -> None:
        """There are further sentences; return at once."""
        self._has_more = True
        self.changed()

    def _run(self, learner: type[LearnerProcess]) -> None:
        while not self._is_over:
            is_poked = self._poked.wait(BACKUP_SECONDS)
            self._poked.clear()
            try:
                self._back_up()
                if is_poked:
                    self._pass_on(learner)
            except PerceptagError as error:
                self.events.tell("learner", error=str(error))
            except Exception as error:
                self._tell_mistake(error, "submit")
            finally:
                self._begun.set()
        self._begun.set()

    def _pass_on(self, make: type[LearnerProcess]) -> None:
        """Tell the learner what has changed. It is started with the first sentences, which say what can be learned."""
        if self.learner is None:
            if not self.project.counts().sentences:
                return
            self._has_more = False
            self.learner = self._started(make)
        if self._has_more:
            self._has_more = False
            self.learner.add_texts(self._texts())
        self._submit(self.learner)

    def _started(self, make: type[LearnerProcess]) -> LearnerProcess:
        try:
            return make(setup_of(self.project), self._texts, self._take)
        except (PerceptagError, OSError, MemoryError) as error:
            said = f"the process that learns cannot be started: {error}; the next label tries again"
            raise ModelError(said) from error

    def _back_up(self) -> None:
        """Make the daily copy of the project if it is due; that is looked at once an hour."""
        if time.monotonic() - self._looked > BACKUP_SECONDS:
            self._looked = time.monotonic()
            if self.project.last_revision:
                self.project.backup_if_due()

    def _submit(self, learner: LearnerProcess) -> None:
        upto, labelled = self._snapshot()
        left_out = frozenset(self.project.find_ids(status="skipped"))
        self._note(labelled)
        with self._lock:
            self._skipped = left_out
            self.submitted_upto = upto
        learner.submit(labelled, upto=upto, left_out=left_out)

    def _note(self, labelled: Sequence[LabelledSentence]) -> None:
        """Keep what is asked about labelled sentences; those that are as they were take no time."""
        before = self._labelled
        now = {one.sentence_id: one for one in labelled}
        new = [one for number, one in now.items() if before.get(number) is not one]
        gone = [one for number, one in before.items() if now.get(number) is not one]
        with self._lock:
            self._labelled = now
            for some, sign in ((new, 1), (gone, -1)):
                for one in some:
                    _count(self._seen, one.labels, sign)
        self.scores.labelled((one.sentence_id, one.tokens) for one in new)

    def _snapshot(self) -> tuple[int, list[LabelledSentence]]:
        """Return all labels, and the revision that they are as of; people may go on while they are read."""
        for _ in range(3):
            upto = self.project.last_revision
            labelled = self.project.log()
            if self.project.last_revision == upto:
                return upto, labelled
        return upto, self.project.log(upto)

    def _texts(self) -> Iterator[Text]:
        last = 0
        while part := self.project.pool(last, AT_ONCE):
            last = part[-1].sentence_id
            yield from (Text(one.sentence_id, one.tokens, one.columns) for one in part)
        yield from (Text(one.sentence_id, one.tokens, one.columns) for one in self.project.log())
        for entry in self.project.entries(self.project.find_ids(status="skipped")):
            yield Text(entry.id, entry.tokens, entry.columns)

    # --- what the learner says ---

    def _take(self, event: object) -> None:
        """Handle an event of the learner; a mistake in one of them does not end the thread that reads them."""
        try:
            self._handle(event)
        except Exception as error:
            self._tell_mistake(error, type(event).__name__)

    def _tell_mistake(self, error: Exception, about: str) -> None:
        """Say that something is wrong with perceptag itself; the next label is learned as usual."""
        frames = [f"{f.filename}:{f.lineno} {f.name}" for f in traceback.extract_tb(error.__traceback__)]
        log(event="learner", error=type(error).__name__, about=about, frames=frames)
        self.events.tell("learner", error=f"this is a bug in perceptag: {type(error).__name__} in {about}")

    @singledispatchmethod
    def _handle(self, event: Any) -> None:
        del event

    @_handle.register
    def _(self, event: messages.TrainingStarted) -> None:
        self.events.tell("training", sentences=event.sentences)

    @_handle.register
    def _(self, event: messages.Trained) -> None:
        served = served_of(NAME, event.data)
        opened = on_top_of(self.start, served.ending_with("").top.ready)
        version = self._version(event)
        calibrated = opened.top.calibration() is not None
        with self._lock:
            self.model, self.is_scored = InUse(version.id, event.digest, opened, calibrated), False
            self._upto_in_use = event.upto
            if self.file is None or self.file[0] != version.id:
                self._changed = 0
            self.file = version.id, event.data
        self.table.put(serve_pipeline(NAME, served.digest, opened))
        self.is_scored = not self.project.counts().left  # then there is nothing to score
        self._tell_model(0 if self.is_scored else None)

    @_handle.register
    def _(self, event: messages.Forgotten) -> None:
        with self._lock:
            self.model, self.is_scored, self._upto_in_use, self.progress = None, False, event.upto, {}
            self._use_start()
        self.table.take_out(NAME)
        self.scores.forget()
        self.events.tell("model", version=0, seconds=0.0, sentences=0, changed=0)

    @_handle.register
    def _(self, event: messages.PoolScored) -> None:
        self.scores.add(score for score in event.scores if score.id not in self._labelled)
        if self.model is None or event.upto != self._upto_in_use:
            return
        self._changed += event.changed
        if not event.left:
            self.is_scored = True
            self._tell_model(self._changed)

    @_handle.register
    def _(self, event: messages.Progressed) -> None:
        parts, estimate = dict(event.parts), event.parts.get("estimate")
        if estimate is not None:
            parts["estimate"] = {**estimate, "version": self.version_upto(event.upto)}
        with self._lock:
            self.progress |= parts
        self.events.tell("estimate", estimate=self.progress.get("estimate"))

    @_handle.register
    def _(self, event: messages.LearningFailed) -> None:
        self.events.tell("learner", error=event.message)

    @_handle.register
    def _(self, event: messages.Restarted) -> None:
        self.events.tell("learner", error=event.reason)

    def _tell_model(self, changed: int | None) -> None:
        assert self.model is not None
        version = self.versions[self.model.version]
        self.events.tell(
            "model", version=version.id, seconds=version.seconds, sentences=version.sentences, changed=changed
        )

    def _version(self, event: messages.Trained) -> Version:
        """Return the version of a model: a new one, unless the newest is the same, or one of the same labels."""
        known = list(self.versions.values())
        for version in reversed(known):
            if version.digest == event.digest and (version.upto == event.upto or version is known[-1]):
                return version
        added = self.project.add_version(event.digest, event.upto, seconds=event.seconds, sentences=event.sentences)
        self.versions[added.id] = added
        return added

    def _use_start(self) -> None:
        if self.start is None:
            return
        types = fitting(self.start, self.project.kind, self.label_names)
        if types is not None:
            self.model = InUse(0, "", self.start, self.start.top.calibration() is not None, types)

    # --- what others ask ---

    @property
    def label_names(self) -> list[str]:
        """The labels of the project."""
        return [label.name for label in self.project.labels()]

    @property
    def start_name(self) -> str:
        """The name of the model that the project began with."""
        return str(self.project.settings.get("start", ""))

    def version(self) -> dict[str, Any] | None:
        """Return what is said of the version in use; None if there is none."""
        model = self.model
        if model is None or not model.version:
            return None
        about = self.versions[model.version]
        return {
            "id": about.id,
            "digest": about.digest,
            "upto": about.upto,
            "sentences": about.sentences,
            "seconds": about.seconds,
            "at": about.at,
            "calibrated": model.calibrated,
            "scored": self.is_scored,
        }

    def shown_settings(self) -> dict[str, Any]:
        """Return the settings that pages may see."""
        found = self.project.settings
        shown = {name: found[name] for name in ("classes", "recipe", "rules", "columns") if found.get(name)}
        return {"random_share": float(found.get("random_share", RANDOM_SHARE)), **shown}

    def version_upto(self, revision: int) -> int | None:
        """Return the newest version that was trained on the labels up to a revision."""
        return max((one.id for one in list(self.versions.values()) if one.upto <= revision), default=None)

    def digest_of(self, version: int) -> str:
        """Return the digest of a version that has proposed something; empty if there is no such version."""
        return self.versions[version].digest if version in self.versions else ""

    def sampled(self, entries: Sequence[Entry]) -> list[str | None]:
        """Return whether labelled sentences are in the random sample or were chosen."""
        known = [self._labelled.get(entry.id) for entry in entries]
        return [None if one is None else "random" if one.in_sample else "chosen" for one in known]

    def chosen(self, k: int, without: Collection[int]) -> list[int]:
        """Return the sentences that the model is least sure of."""
        return self.scores.chosen(k, self._skipped | set(without), self._tokens)

    def ranked_pool(self) -> list[int]:
        """Return the sentences of the pool that have a score, the least certain first."""
        return [number for number in self.scores.ranked() if number not in self._skipped]

    def _tokens(self, sentences: Sequence[int]) -> dict[int, list[str]]:
        return {entry.id: entry.tokens for entry in self.project.entries(sentences)}

    def has_seen_all(self, often: int) -> bool:
        """Return whether each label of the project was given so often."""
        return all(self._seen.get(label.name, 0) >= often for label in self.project.labels())

    def close(self) -> None:
        """End the learner."""
        self._is_over = True
        self._poked.set()
        self._begun.wait(60)
        if self.learner is not None:
            self.learner.close()
        self._thread.join(5)


def _count(seen: dict[str, int], labels: Sequence[str], sign: int) -> None:
    """Count the labels of a sentence: a span counts once."""
    for label in labels:
        if not label.startswith("I-"):
            name = label.removeprefix("B-")
            seen[name] = seen.get(name, 0) + sign
