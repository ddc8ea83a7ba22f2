"""``disagreements``: what people label differently.

A decision is a label whose source is `decided`; it is saved as any other.
"""

from __future__ import annotations

from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from perceptag.server.access import require
from perceptag.server.routes import endpoint, json_reply
from perceptag.workbench.adjudication import agreements, between_people
from perceptag.workbench.bench import BenchEndpoints
from perceptag.workbench.parameters import LARGEST, number, one_of, read_parameters

DISAGREEMENTS = {
    "kind": one_of("people", "decided", default="people"),
    "offset": number(0, LARGEST, 0),
    "limit": number(1, 500, 100),
}


class DisagreementRoutes(BenchEndpoints):
    """Shows what is to be decided."""

    @endpoint("GET /v1/project/disagreements")
    async def disagreements(self, request: Request) -> Response:
        """List disagreements, and the agreement of people before and after decisions."""
        require(request, "read")
        asked = read_parameters(request, DISAGREEMENTS)
        return json_reply(await self.bench.read(lambda: self._disagreements(**asked)))

    def _disagreements(self, kind: str, offset: int, limit: int) -> dict[str, Any]:
        read_twice = self.bench.project.second_opinions()
        lists = {
            "people": between_people(read_twice, settled=False),
            "decided": between_people(read_twice, settled=True),
        }
        return {
            "kind": kind,
            "total": len(lists[kind]),
            "counts": {name: len(items) for name, items in lists.items()},
            "items": lists[kind][offset : offset + limit],
            "agreement": agreements(read_twice, self.bench.project.kind),
        }
