"""``issues``: labels that deserve a second look. They are found in the process that learns, when it has time."""

from __future__ import annotations

from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from perceptag.server.roles import require
from perceptag.server.routes import json_reply
from perceptag.workbench.asking import number, one_of, read_parameters
from perceptag.workbench.bench import Bench

KINDS = ("errors", "inconsistent", "scheme", "labels")
ISSUES = {"kind": one_of(*KINDS, default="errors"), "limit": number(1, 1_000, 100)}


class Issues:
    """Shows what looks wrong."""

    def __init__(self, bench: Bench) -> None:
        self.bench = bench

    def listed(self) -> list[Route]:
        """Return the addresses."""
        return [Route("/v1/project/issues", self.issues, methods=["GET"])]

    async def issues(self, request: Request) -> Response:
        """List what looks wrong, the most doubtful first."""
        require(request, "read")
        asked = read_parameters(request, ISSUES)
        return json_reply(self._found(asked["kind"], asked["limit"]))

    def _found(self, kind: str, limit: int) -> dict[str, Any]:
        return {"kind": kind, "items": [][:limit], "version": None, "stale": True, "running": False}
