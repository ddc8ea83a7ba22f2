"""Endpoints that show sentences, comments and history, and who has which sentence in front."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from perceptag.project.records import NEW, STATUSES, Revision
from perceptag.server.access import require
from perceptag.server.request_body import BodyKey
from perceptag.server.routes import endpoint, json_reply
from perceptag.workbench.bench import BenchEndpoints
from perceptag.workbench.parameters import (
    LARGEST,
    flag_parameter,
    id_of,
    number,
    one_of,
    read_parameters,
    some_text,
    tab_of,
)

FIND = {
    "offset": number(0, LARGEST, 0),
    "limit": number(1, 500, 100),
    "status": one_of(*STATUSES, "draft"),
    "flagged": flag_parameter(),
    "commented": flag_parameter(),
    "doubtful": flag_parameter(),
    "who": some_text(200),
    "label": some_text(200),
    "q": some_text(1_000),
    "source": number(0, LARGEST),
    "order": one_of("position", "confidence", "recent", default="position"),
}
PRESENCE = {"sentence": BodyKey(int, "the number of a sentence", None, lambda n: 0 <= n < LARGEST)}
HISTORY = {"sentence": number(0, LARGEST), "before": number(0, LARGEST), "limit": number(1, 1_000, 100)}


class SentenceRoutes(BenchEndpoints):
    """Shows sentences."""

    @endpoint("GET /v1/project/sentences")
    async def find(self, request: Request) -> Response:
        """List sentences."""
        require(request, "read")
        asked = read_parameters(request, FIND)

        def work() -> dict[str, Any]:
            total, entries = self._found(asked)
            return {"total": total, "sentences": self.bench.items(entries, nbest=1)}

        return json_reply(await self.bench.read(work))

    def _found(self, asked: dict[str, Any]) -> tuple[int, list[Any]]:
        project = self.bench.project
        filters = {name: asked[name] or None for name in ("label", "source", "who")}
        filters |= {"flagged": asked["flagged"], "commented": asked["commented"], "text": asked["q"] or None}
        status = asked["status"]
        filters |= {"drafted": True} if status == "draft" else {"status": status}
        if asked["order"] != "confidence" and asked["doubtful"] is None:
            return project.find(asked["offset"], asked["limit"], order=asked["order"], **filters)
        ranked = (
            self._ranked(filters) if asked["order"] == "confidence" else project.find_ids(asked["order"], **filters)
        )
        if asked["doubtful"] is not None:
            doubtful = self.bench.loop.scores.doubtful()
            ranked = [number for number in ranked if (number in doubtful) == asked["doubtful"]]
        chosen = ranked[asked["offset"] : asked["offset"] + asked["limit"]]
        return len(ranked), project.entries(chosen)

    def _ranked(self, filters: dict[str, Any]) -> list[int]:
        """Return all sentences that fit, the least certain first."""
        project, loop = self.bench.project, self.bench.loop
        if {name: value for name, value in filters.items() if value is not None} == {"status": "new"}:
            pool = loop.ranked_pool()
            if len(pool) == project.counts().left:
                return pool
        return loop.scores.by_confidence(project.find_ids(**filters))

    @endpoint("GET /v1/project/sentences/{id}")
    async def one(self, request: Request) -> Response:
        """Show one sentence."""
        require(request, "read")
        number = id_of(request)
        return json_reply(await self.bench.read(lambda: self.bench.items([self.bench.entry(number)])[0]))

    @endpoint("GET /v1/project/sentences/{id}/comments")
    async def comments(self, request: Request) -> Response:
        """List the comments on a sentence."""
        require(request, "read")
        number = id_of(request)

        def work() -> list[dict[str, Any]]:
            self.bench.entry(number)
            return [{"at": c.at, "who": c.who, "text": c.text} for c in self.bench.project.comments(number)]

        return json_reply({"comments": await self.bench.read(work)})

    @endpoint("GET /v1/project/history")
    async def history(self, request: Request) -> Response:
        """List revisions, the newest first."""
        require(request, "read")
        asked = read_parameters(request, HISTORY)

        def work() -> list[dict[str, Any]]:
            found = self.bench.project.history(asked["sentence"], asked["before"], asked["limit"])
            return [shown(revision) for revision in found]

        return json_reply({"revisions": await self.bench.read(work)})


def shown(revision: Revision) -> dict[str, Any]:
    """Return a revision as JSON has it."""
    return {name: value for name, value in asdict(revision).items() if name != "key"}


class PresenceRoutes(BenchEndpoints):
    """Knows what people have in front."""

    @endpoint("POST /v1/project/presence")
    async def presence(self, request: Request) -> Response:
        """Say which sentence is in front; without one, the page is closed, and all that was kept for it is free."""
        keys, person = await self.bench.body(request, PRESENCE)
        tab, number, leases = tab_of(request), keys["sentence"], self.bench.leases
        if number is None:
            leases.release_all(tab)
        else:
            entry = await self.bench.read(lambda: self.bench.entry(number))
            with leases.lock:  # a second reader may have what is labelled
                if entry.status == NEW and number not in leases.others(tab, person.name):
                    leases.take([number], tab, person.name)
        return json_reply({"others": self.bench.presence.show(tab, person.name, number)})
