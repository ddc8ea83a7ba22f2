"""Addresses that show what was learned: progress, versions, changes; and that ask for more."""

from __future__ import annotations

from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from perceptag.project.records import Version
from perceptag.server.problems import Problem
from perceptag.server.reading import Key
from perceptag.server.roles import require
from perceptag.server.routes import json_reply
from perceptag.workbench.agreed import agreed
from perceptag.workbench.asking import KEY, LARGEST, number, read_parameters
from perceptag.workbench.bench import Bench
from perceptag.workbench.costs import Costs
from perceptag.workbench.models import Models
from perceptag.workbench.sealed import opened, sealed_set
from perceptag.workbench.transfer import safe_name

CHANGES = {"from": number(0, LARGEST), "to": number(0, LARGEST), "limit": number(1, 1_000, 100)}
TRAIN = {"recipe": Key(str, "auto", "auto", lambda text: text == "auto")}
PARTS = ("estimate", "reason", "curve", "reliability")


class Learned:
    """Shows what was learned."""

    def __init__(self, bench: Bench) -> None:
        self.bench = bench
        self.models = Models(bench.project, bench.loop, bench.events)
        self._costs = Costs(bench.project)

    def listed(self) -> list[Route]:
        """Return the addresses."""
        return [
            Route("/v1/project/progress", self.progress, methods=["GET"]),
            Route("/v1/project/versions", self.versions, methods=["GET"]),
            Route("/v1/project/versions/{version}/model", self.model, methods=["GET"]),
            Route("/v1/project/changes", self.changes, methods=["GET"]),
            Route("/v1/project/train", self.train, methods=["POST"]),
            Route("/v1/project/sealed/open", self.open_sealed, methods=["POST"]),
        ]

    async def progress(self, request: Request) -> Response:
        """Tell how good the model is, and what it has cost."""
        require(request, "read")
        read_parameters(request, {})
        return json_reply(await self.bench.read(self._progress))

    def _progress(self) -> dict[str, Any]:
        project, known = self.bench.project, dict(self.bench.loop.progress)
        return {
            **{name: known.get(name) for name in PARTS},
            "agreement": agreed(project),
            "cost": self._costs.now(),
            "sealed": sealed_set(project),
        }

    async def versions(self, request: Request) -> Response:
        """List all versions."""
        require(request, "read")
        read_parameters(request, {})
        return json_reply([shown(version) for version in list(self.bench.loop.versions.values())])

    async def model(self, request: Request) -> Response:
        """Give the file of a version; one that is not at hand is trained again."""
        require(request, "admin")
        text = request.path_params["version"]
        version = self._found(int(text) if text.isascii() and text.isdigit() and len(text) < 16 else 0)
        data = await self.models.data_of(version)
        name = f"{safe_name(self.bench.name)}-{version.id}.model"
        headers = {"cache-control": "no-store", "content-disposition": f'attachment; filename="{name}"'}
        return Response(data, 200, headers, "application/octet-stream")

    def _found(self, number: int) -> Version:
        found = self.bench.loop.versions.get(number)
        if found is None:
            raise Problem(404, "version: there is no such version")
        return found

    async def changes(self, request: Request) -> Response:
        """List the sentences that a version labels differently from one before it."""
        require(request, "read")
        asked = read_parameters(request, CHANGES)
        newest = self.bench.loop.model.version if self.bench.loop.model else 0
        after = asked["to"] if asked["to"] is not None else newest
        before = asked["from"] if asked["from"] is not None else max(after - 1, 0)
        for version in (before, after):
            if version:
                self._found(version)
        found = await self.models.changes(before, after)
        return json_reply(await self.bench.read(lambda: self._shown(before, after, found, asked["limit"])))

    def _shown(self, before: int, after: int, found: Any, limit: int) -> dict[str, Any]:
        some = found[:limit]
        entries = self.bench.project.entries([change.id for change in some])
        changed = [
            {
                "id": change.id,
                "tokens": entry.tokens,
                "before": change.before,
                "after": change.after,
                "tokens_changed": change.tokens,
                "status": entry.status,
            }
            for change, entry in zip(some, entries, strict=True)
        ]
        return {"from": before, "to": after, "total": len(found), "changed": changed}

    async def train(self, request: Request) -> Response:
        """Train a slower model; an event tells when it is there."""
        keys, person = await self.bench.body(request, TRAIN, "admin")
        self.models.train_slowly(keys["recipe"], person.name)
        return json_reply({"running": True})

    async def open_sealed(self, request: Request) -> Response:
        """Score the newest model on the sealed set, and write down that somebody has looked."""
        keys, person = await self.bench.body(request, KEY, "admin")
        model, key = self.bench.loop.model, keys["key"] or ""
        return json_reply(await self.bench.write(lambda: opened(self.bench.project, model, person.name, key)))


def shown(version: Version) -> dict[str, Any]:
    """Return a version as JSON has it."""
    names = ("id", "digest", "upto", "at", "seconds", "sentences", "estimate", "recipe")
    return {name: getattr(version, name) for name in names}
