"""``issues``: labels that deserve a second look. They are found in the process that learns.

The process searches when it is idle, and on a request if the labels have changed since the last search. Until then the
last result is shown, without the sentences that have changed since.
"""

from __future__ import annotations

from concurrent.futures import Future
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from perceptag.server.access import require
from perceptag.server.routes import endpoint, json_reply
from perceptag.workbench.bench import Bench, BenchEndpoints
from perceptag.workbench.parameters import number, one_of, read_parameters

KINDS = ("errors", "inconsistent", "scheme", "labels")
MOST = 1_000
ISSUES = {"kind": one_of(*KINDS, default="errors"), "limit": number(1, MOST, 100)}


class IssueRoutes(BenchEndpoints):
    """Shows what looks wrong."""

    def __init__(self, bench: Bench) -> None:
        super().__init__(bench)
        self.found = bench.loop.issues

    @endpoint("GET /v1/project/issues")
    async def issues(self, request: Request) -> Response:
        """List what looks wrong, the most doubtful first."""
        require(request, "read")
        asked = read_parameters(request, ISSUES)
        return json_reply(await self.bench.read(lambda: self.known_issues(asked["kind"], asked["limit"])))

    def known_issues(self, kind: str, limit: int = MOST) -> dict[str, Any]:
        """Return what is known, and begin to search if labels have changed since."""
        known, upto = self.found.get(kind)
        last = self.bench.loop.submitted_upto
        is_stale = upto < last
        if is_stale and self.bench.loop.model is not None and self.found.begin(kind):
            self.bench.loop.find_issues(kind).add_done_callback(lambda done: self._take(kind, last, done))
            known, upto = self.found.get(kind)
        items = self._current(known["items"], upto) if known else []
        if kind == "errors":  # a decision is not doubted again
            decided = self.bench.project.decided()
            items = [item for item in items if item["id"] not in decided]
        return {
            "kind": kind,
            "items": items[:limit],
            "total": len(items),
            "weaker": (known or {}).get("weaker", 0),
            "reason": (known or {}).get("reason") or None,
            "version": self.bench.loop.version_upto(upto) if known else None,
            "stale": upto < last,
            "running": self.found.is_running(kind),
        }

    def _take(self, kind: str, upto: int, done: Future[Any]) -> None:
        self.found.end(kind)
        if not done.cancelled() and done.exception() is None:
            self.found.put({kind: done.result()}, upto)
            self.bench.events.tell("issues", kind=kind, upto=upto)

    def _current(self, items: list[dict[str, Any]], upto: int) -> list[dict[str, Any]]:
        """Return the issues of sentences that have not changed since."""
        numbers = {item["id"] for item in items if "id" in item}
        changed = {entry.id for entry in self.bench.project.entries(numbers) if entry.revision > upto}
        return [item for item in items if item.get("id") not in changed]
