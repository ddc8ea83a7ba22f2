"""What labelling has cost: sentences, tokens, keys and time."""

from __future__ import annotations

import threading
from typing import Any

from perceptag.project.project import Project
from perceptag.project.records import Revision

AT_ONCE, FEW = 1_000, 20  # revisions that are read at a time
BY_PEOPLE = ("label", "reading")


class Costs:
    """Sums over all labels that people gave. Only what is new since the last time is read."""

    def __init__(self, project: Project) -> None:
        self._project = project
        self._seen = 0
        self._sentences: set[int] = set()
        self._sums = {"tokens": 0, "actions": 0, "seconds": 0.0, "accepted_unchanged": 0, "nbest": 0}
        self._lock = threading.Lock()

    def now(self) -> dict[str, Any]:
        """Return the sums."""
        with self._lock:
            for revision in self._new():
                if revision.kind in BY_PEOPLE and revision.who:
                    self._add(revision)
            return {"sentences": len(self._sentences), **self._sums, "seconds": round(self._sums["seconds"], 3)}

    def _new(self) -> list[Revision]:
        found: list[Revision] = []
        before: int | None = None
        last = self._project.last_revision
        if last == self._seen:
            return found
        number = AT_ONCE if last > self._seen + FEW else FEW
        while part := self._project.history(None, before, number):
            found += [revision for revision in part if revision.id > self._seen]
            before = part[-1].id
            if before <= self._seen:
                break
        self._seen = max([last, *(revision.id for revision in found)])
        return found

    def _add(self, revision: Revision) -> None:
        self._sentences.add(revision.sentence)
        self._sums["tokens"] += len(revision.labels or ())
        self._sums["actions"] += revision.actions
        self._sums["seconds"] += revision.seconds
        self._sums["accepted_unchanged"] += revision.source == "accepted"
        self._sums["nbest"] += revision.source.startswith("nbest")
