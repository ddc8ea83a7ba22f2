"""Addresses that show what was learned: issues, progress, versions, changes; and that ask for more."""

from __future__ import annotations

from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from perceptag.project.records import Version
from perceptag.server.problems import Problem
from perceptag.server.roles import require
from perceptag.server.routes import json_reply
from perceptag.workbench.asking import LARGEST, number, one_of, read_parameters
from perceptag.workbench.bench import Bench
from perceptag.workbench.costs import Costs

ISSUES = ("errors", "inconsistent", "scheme", "labels")
ISSUE = {"kind": one_of(*ISSUES, default="errors"), "limit": number(1, 1_000, 100)}
CHANGES = {"from": number(0, LARGEST), "to": number(0, LARGEST), "limit": number(1, 1_000, 100)}


class Learned:
    """Shows what was learned."""

    def __init__(self, bench: Bench) -> None:
        self.bench = bench
        self._costs = Costs(bench.project)

    def listed(self) -> list[Route]:
        """Return the addresses."""
        return [
            Route("/v1/project/progress", self.progress, methods=["GET"]),
            Route("/v1/project/versions", self.versions, methods=["GET"]),
            Route("/v1/project/changes", self.changes, methods=["GET"]),
        ]

    async def progress(self, request: Request) -> Response:
        """Tell how good the model is, and what it has cost."""
        require(request, "read")
        read_parameters(request, {})
        return json_reply(await self.bench.read(self._progress))

    def _progress(self) -> dict[str, Any]:
        known = dict(self.bench.loop.progress)
        found = {name: known.get(name) for name in ("estimate", "curve", "reliability", "agreement")}
        return found | {"reason": known.get("reason"), "cost": self._costs.now()}

    async def versions(self, request: Request) -> Response:
        """List all versions."""
        require(request, "read")
        read_parameters(request, {})
        return json_reply([shown(version) for version in self.bench.loop.versions.values()])

    async def changes(self, request: Request) -> Response:
        """List the sentences that a version labels differently from one before it."""
        require(request, "read")
        asked = read_parameters(request, CHANGES)
        newest = max(self.bench.loop.versions, default=0)
        after = asked["to"] if asked["to"] is not None else newest
        before = asked["from"] if asked["from"] is not None else max(after - 1, 0)
        return json_reply(await self._changes(before, after, asked["limit"]))

    async def _changes(self, before: int, after: int, limit: int) -> dict[str, Any]:
        for version in (before, after):
            if version and version not in self.bench.loop.versions:
                raise Problem(404, f"version: expected one that there is, found {version}")
        found = self.bench.loop.changes.between(before, after)
        if found is None:
            found = []
        entries = await self.bench.read(lambda: self.bench.project.entries([change.id for change in found[:limit]]))
        shown = [
            {
                "id": change.id,
                "tokens": entry.tokens,
                "before": change.before,
                "after": change.after,
                "tokens_changed": change.tokens,
                "status": entry.status,
            }
            for change, entry in zip(found, entries, strict=False)
        ]
        return {"from": before, "to": after, "total": len(found), "changed": shown}


def shown(version: Version) -> dict[str, Any]:
    """Return a version as JSON has it."""
    names = ("id", "digest", "upto", "at", "seconds", "sentences", "estimate", "recipe")
    return {name: getattr(version, name) for name in names}
