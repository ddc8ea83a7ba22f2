"""``disagreements``: what people, or people and the model, label differently.

A decision is a label whose source is `decided`; it is saved as any other.
"""

from __future__ import annotations

from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from perceptag.server.access import require
from perceptag.server.routes import endpoint, json_reply
from perceptag.workbench.adjudication import agreements, between_people, with_model
from perceptag.workbench.bench import Bench, BenchEndpoints
from perceptag.workbench.issue_routes import IssueRoutes
from perceptag.workbench.parameters import LARGEST, number, one_of, read_parameters

DISAGREEMENTS = {
    "kind": one_of("people", "model", "decided", default="people"),
    "offset": number(0, LARGEST, 0),
    "limit": number(1, 500, 100),
}


class DisagreementRoutes(BenchEndpoints):
    """Shows what is to be decided."""

    def __init__(self, bench: Bench) -> None:
        super().__init__(bench)
        self._issues = IssueRoutes(bench)

    @endpoint("GET /v1/project/disagreements")
    async def disagreements(self, request: Request) -> Response:
        """List disagreements, and the agreement of people before and after decisions."""
        require(request, "read")
        asked = read_parameters(request, DISAGREEMENTS)
        return json_reply(await self.bench.read(lambda: self._disagreements(**asked)))

    def _disagreements(self, kind: str, offset: int, limit: int) -> dict[str, Any]:
        read_twice = self.bench.project.second_opinions()
        doubts = self._issues.known_issues("errors")
        lists = {
            "people": between_people(read_twice, settled=False),
            "model": self._model_items(doubts["items"]),
            "decided": between_people(read_twice, settled=True),
        }
        return {
            "kind": kind,
            "total": len(lists[kind]),
            "counts": {name: len(items) for name, items in lists.items()},
            "items": lists[kind][offset : offset + limit],
            "reason": doubts["reason"] if kind == "model" else None,
            "running": doubts["running"] if kind == "model" else False,
            "agreement": agreements(read_twice, self.bench.project.kind),
        }

    def _model_items(self, doubts: list[dict[str, Any]]) -> list[dict[str, Any]]:
        entries = {entry.id: entry for entry in self.bench.project.entries({doubt["id"] for doubt in doubts})}
        return with_model(doubts, entries)
