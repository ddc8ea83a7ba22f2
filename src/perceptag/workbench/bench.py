"""What the addresses of the workbench share: the project, the learner, who was offered what, and threads for both.

request ─▶ routes ─▶ Bench ─▶ Project     reads in some threads, writes in one
                       │
                       ├────▶ Loop        tells the learner what changed, takes new models from it
                       └────▶ Events      tells pages what happened
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

from starlette.requests import Request

from perceptag.errors import ConflictError, SettingError
from perceptag.project.project import Project
from perceptag.project.records import Entry
from perceptag.server.access import Person, require
from perceptag.server.problems import HttpProblem
from perceptag.server.request_body import BodyKey, parse_json, read_keys
from perceptag.server.routes import Endpoints, read_body
from perceptag.server.service import Service
from perceptag.workbench.events import EventFeed
from perceptag.workbench.loop import Loop
from perceptag.workbench.open_tabs import Leases, Presence
from perceptag.workbench.proposing import BEST, Proposal, propose
from perceptag.workbench.rule_proposals import with_rules

BLIND = "second"  # the reason to show neither labels nor a proposal
Result = TypeVar("Result")
READERS = 2  # threads; each has a connection of its own to the project


def item(
    entry: Entry,
    proposal: Proposal | None = None,
    kind: str = "asked",
    *,
    sampled: str | None = None,
    nbest: bool = True,
) -> dict[str, Any]:
    """Return a sentence with what is proposed for it, and why it is offered."""
    is_blind = kind == BLIND
    shown = None if is_blind else proposal
    return {
        "id": entry.id,
        "revision": entry.revision,
        "source": entry.source,
        "document": entry.document,
        "tokens": entry.tokens,
        "columns": entry.columns,
        "labels": None if is_blind else entry.labels,
        "draft": None if is_blind else entry.draft,
        "status": entry.status,
        "flagged": entry.flagged,
        "comments": entry.comments,
        "who": None if is_blind else entry.who or None,
        "sampled": sampled,
        "proposal": None if shown is None else shown.to_dict(nbest),
        "why": {
            "kind": kind,
            "margin": shown.margin if shown else None,
            "confidence": shown.least if shown else None,
        },
    }


class Bench:
    """A project that is worked on."""

    def __init__(self, project: Project, service: Service, loop: Loop, events: EventFeed) -> None:
        self.project = project
        self.name = project.path.name.removesuffix(".ptag")
        self.service = service
        self.loop = loop
        self.events = events
        self.leases = Leases()
        self.presence = Presence(events, self.leases)
        self._readers = ThreadPoolExecutor(READERS, "perceptag-read")
        self._writer = ThreadPoolExecutor(1, "perceptag-write")
        service.on_stop.append(events.stop)

    async def read(self, work: Callable[[], Result]) -> Result:
        """Look something up."""
        return await self.service.in_thread(work, self._readers)

    async def write(self, work: Callable[[], Result]) -> Result:
        """Change something; the result is there when the change is on the disk."""
        return await self.service.in_thread(lambda: self._written(work), self._writer)

    def _written(self, work: Callable[[], Result]) -> Result:
        try:
            return work()
        except ConflictError as error:
            more = {"current": self.items([error.entry])[0]} if isinstance(error.entry, Entry) else {}
            raise HttpProblem(409, str(error), **more) from None

    async def body(
        self, request: Request, keys: dict[str, BodyKey], role: str = "annotate"
    ) -> tuple[dict[str, Any], Person]:
        """Return the keys of a body, and who sent it."""
        person = require(request, role)
        data = await read_body(self.service, request, "application/json")
        return read_keys(parse_json(data), keys), person

    def entry(self, number: int) -> Entry:
        """Return a sentence; refuse a number that none has."""
        try:
            return self.project.sentence(number)
        except SettingError:
            raise HttpProblem(404, "there is no such sentence") from None

    def proposals(self, entries: Sequence[Entry], nbest: int = BEST) -> list[Proposal | None]:
        """Return what the newest model and the rules say of sentences; nothing if there are none."""
        model = self.loop.model
        found: list[Proposal | None]
        found = [None] * len(entries) if model is None else [*propose(model, entries, nbest)]
        rules = self.loop.rules
        return found if rules is None else with_rules(rules, self.loop.label_names, entries, found)

    def items(self, entries: Sequence[Entry], kinds: Sequence[str] = (), nbest: int = BEST) -> list[dict[str, Any]]:
        """Return sentences as the page gets them; `kinds` say why each is offered."""
        why = kinds or ["asked"] * len(entries)
        proposals = self.proposals(entries, nbest)
        sampled = self.loop.sampled(entries)
        return [
            item(entry, proposal, kind, sampled=sample, nbest=nbest > 1)
            for entry, proposal, kind, sample in zip(entries, proposals, why, sampled, strict=True)
        ]

    def close(self) -> None:
        """End the learner and the threads, and close the project, of which a backup is made."""
        self.events.stop()
        self.loop.close()
        self._writer.shutdown(wait=True)
        self._readers.shutdown(wait=True)
        self.project.close()


class BenchEndpoints(Endpoints):
    """Endpoints for a project."""

    def __init__(self, bench: Bench) -> None:
        self.bench = bench
