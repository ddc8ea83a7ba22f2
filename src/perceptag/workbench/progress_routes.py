"""Progress: endpoints for the estimate, what people have done and how far they agree, and the model."""

from __future__ import annotations

import threading
from collections import Counter, defaultdict
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from perceptag.labels.schemes import spans
from perceptag.project.project import Project
from perceptag.project.records import Revision
from perceptag.server.access import require
from perceptag.server.problems import HttpProblem
from perceptag.server.routes import endpoint, json_reply
from perceptag.workbench.adjudication import person_agreements
from perceptag.workbench.bench import Bench, BenchEndpoints
from perceptag.workbench.learning.agreement import agreement
from perceptag.workbench.parameters import read_parameters
from perceptag.workbench.transfer_routes import safe_name

AT_ONCE, FEW = 1_000, 20  # revisions that are read at a time
BY_PEOPLE = ("label", "reading")
PARTS = ("estimate", "reason", "curve", "reliability")


def agreed(project: Project) -> dict[str, Any] | None:
    """Return the agreement of the two people who share most sentences; None without second readings."""
    pairs: dict[tuple[str, str], list[tuple[list[str], list[str]]]] = defaultdict(list)
    for one in project.readings():
        pairs[one.first, one.second].append((one.labels, one.reading))
    if not pairs:
        return None
    between = max(pairs, key=lambda names: (len(pairs[names]), names))
    found = agreement(pairs[between], project.kind)
    if found is None:
        return None
    shown = {name: getattr(found, name) for name in ("kappa", "f1", "observed", "tokens", "sentences")}
    return {**shown, "between": list(between)}


def label_counts(project: Project) -> list[dict[str, Any]]:
    """Return how often each label was given: spans, or words, and in how many sentences."""
    given: Counter[str] = Counter()
    sentences: Counter[str] = Counter()
    for one in project.log():
        names = [span.label for span in spans(one.labels, "IOB2")] if project.kind == "spans" else one.labels
        given.update(names)
        sentences.update(set(names))
    listed = [label.name for label in project.labels()]
    return [{"name": name, "count": given[name], "sentences": sentences[name]} for name in listed]


class Work:
    """Sums over all labels that people gave, by person. Only what is new since the last time is read."""

    def __init__(self, project: Project) -> None:
        self._project = project
        self._seen = 0
        self._people: dict[str, dict[str, float]] = {}
        self._lock = threading.Lock()

    def people(self) -> list[dict[str, Any]]:
        """Return what each person has done: labels given, second readings, words and seconds."""
        with self._lock:
            for revision in self._new():
                if revision.kind in BY_PEOPLE and revision.who:
                    self._add(revision)
            return [{"who": who, **sums} for who, sums in sorted(self._people.items())]

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
        own = self._people.setdefault(revision.who, {"labels": 0, "readings": 0, "tokens": 0, "seconds": 0.0})
        own["labels" if revision.kind == "label" else "readings"] += 1
        own["tokens"] += len(revision.labels or ())
        own["seconds"] = round(own["seconds"] + revision.seconds, 3)


class ProgressRoutes(BenchEndpoints):
    """Handlers for progress and the model."""

    def __init__(self, bench: Bench) -> None:
        super().__init__(bench)
        self._work = Work(bench.project)

    @endpoint("GET /v1/project/progress")
    async def progress(self, request: Request) -> Response:
        """Tell how good the model is, and what people have done."""
        require(request, "read")
        read_parameters(request, {})
        return json_reply(await self.bench.read(self._progress))

    def _progress(self) -> dict[str, Any]:
        project, known = self.bench.project, dict(self.bench.loop.progress)
        return {
            **{name: known.get(name) for name in PARTS},
            "agreement": agreed(project),
            "labels": label_counts(project),
            "people": self._people(),
        }

    def _people(self) -> list[dict[str, Any]]:
        """Return what each person has done, and how far they agree with others."""
        agreed_by = person_agreements(self.bench.project.second_opinions(), self.bench.project.kind)
        return [{**one, "agreement": agreed_by.get(one["who"])} for one in self._work.people()]

    @endpoint("GET /v1/project/model")
    async def model(self, request: Request) -> Response:
        """Give the file of the model in use."""
        require(request, "admin")
        read_parameters(request, {})
        if (found := self.bench.loop.file) is None:
            raise HttpProblem(404, "there is no model yet")
        version, data = found
        name = f"{safe_name(self.bench.name)}-{version}.model"
        headers = {"cache-control": "no-store", "content-disposition": f'attachment; filename="{name}"'}
        return Response(data, 200, headers, "application/octet-stream")
