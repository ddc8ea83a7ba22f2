"""A workbench without a network, whose learner works in this process, so that every model is there at once."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from asked import HOST, LOOP, Asked, Reply, held
from perceptag.project.project import Project
from perceptag.server.access import Access, Person
from perceptag.server.limits import Limits
from perceptag.server.routes import make_app
from perceptag.server.served import ModelTable
from perceptag.server.service import Service
from perceptag.workbench.learning.learner_process import LearnerProcess
from perceptag.workbench.learning.project_trainer import ProjectTrainer
from perceptag.workbench.routes import make_bench
from waiting import wait_until

TOKENS = {name: name[0] * 43 for name in ("anna", "ben", "carl", "dora")}
PEOPLE = {
    TOKENS["anna"]: Person("anna", "admin"),
    TOKENS["ben"]: Person("ben", "annotate"),
    TOKENS["carl"]: Person("carl", "read"),
    TOKENS["dora"]: Person("dora", "annotate"),
}
SENTENCES = (
    ("Anna Smith lives in Rome", "B-PER I-PER O O B-LOC"),
    ("Ben works for IBM", "B-PER O O B-ORG"),
    ("Paris is big", "B-LOC O O"),
    ("Peter saw London", "B-PER O B-LOC"),
    ("She left IBM", "O O B-ORG"),
    ("Rome is old", "B-LOC O O"),
    ("Anna knows Paris", "B-PER O B-LOC"),
    ("IBM hired Peter Smith", "B-ORG O B-PER I-PER"),
)
GOLD = {number: labels.split() for number, (_, labels) in enumerate(SENTENCES, 1)}
keys = (f"key-{number:06}" for number in itertools.count())


class InThisProcess(LearnerProcess):
    """A learner without a process of its own."""

    def _start(self) -> Any:
        self.worker = ProjectTrainer(self.setup, self._on_event)
        self._send_texts(self._texts())

    def _send(self, request: object) -> None:
        self.worker.handle(request)  # type: ignore[arg-type]
        while self.worker.step():
            pass

    def _revive(self) -> None:
        """It cannot end."""

    def close(self) -> None:
        """There is nothing to end."""


class Benched(Asked):
    """A workbench to ask."""

    def __init__(self, project: Project, limits: Limits | None = None) -> None:
        access = Access(frozenset({HOST}), holders=held(PEOPLE))
        self.project = project
        self.service = Service(ModelTable({}), access, limits or Limits(), cores=2)
        self.bench = make_bench(project, self.service, InThisProcess)
        self.app = make_app(self.service)

    def ask(self, method: str, path: str, body: Any = None, who: str = "anna", **headers: str) -> Reply:
        """Send a request as somebody; paths are those under the project's."""
        given = {"authorization": f"Bearer {TOKENS[who]}", **{name.replace("_", "-"): h for name, h in headers.items()}}
        if body is not None:
            given.setdefault("content-type", "application/json")
        data = b"" if body is None else body if isinstance(body, bytes) else json.dumps(body).encode()
        return self(method, f"/v1/project{path}", data, given)

    def get(self, path: str, who: str = "anna", **headers: str) -> Any:
        """The JSON of a reply that must be good."""
        reply = self.ask("GET", path, None, who, **headers)
        assert reply.status == 200, reply.body
        return reply.json()

    def send(self, path: str, body: Any, who: str = "anna", method: str = "POST") -> Any:
        """Send something that must be taken."""
        reply = self.ask(method, path, body, who)
        assert reply.status == 200, reply.body
        return reply.json()

    def label(self, number: int, labels: Iterable[str] | None = None, who: str = "anna", **more: Any) -> Any:
        """Label a sentence, by default as it should be, on top of what it has."""
        base = self.get(f"/sentences/{number}")["revision"]
        body = {"labels": list(labels or GOLD[number]), "base_revision": base, "key": next(keys), **more}
        return self.send(f"/sentences/{number}/labels", body, who, "PUT")

    def learned(self, sentences: int) -> Any:
        """Wait for a model of so many sentences; what is said of it."""

        def version() -> Any:
            found = self.get("")["version"]
            return found if found and found["sentences"] == sentences and found["scored"] else None

        return wait_until(version, f"a model of {sentences} sentences")

    def close(self) -> None:
        """End it."""
        self.bench.close()
        self.service.close()


def new_project(
    folder: Path, kind: str = "spans", labels: Iterable[str] = ("PER", "ORG", "LOC"), seed: int = 1
) -> Project:
    """A project with a few sentences."""
    project = Project.create(folder / "names.ptag", kind=kind, labels=labels, seed=seed)
    text = "\n\n".join(sentence.replace(" ", "\n") for sentence, _ in SENTENCES) + "\n"
    project.import_file(text.encode(), name="names.txt", columns=["form"])
    return project


def settle() -> None:
    """Let the loop do what waits in it."""
    LOOP.run_until_complete(_nothing())


async def _nothing() -> None:
    pass
