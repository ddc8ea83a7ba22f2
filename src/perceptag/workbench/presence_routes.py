"""``presence``: which sentence a page has in front, and that it is closed."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from perceptag.project.records import NEW
from perceptag.server.request_body import BodyKey
from perceptag.server.routes import endpoint, json_reply
from perceptag.workbench.bench import BenchEndpoints
from perceptag.workbench.parameters import LARGEST, tab_of

PRESENCE = {"sentence": BodyKey(int, "the number of a sentence", None, lambda n: 0 <= n < LARGEST)}


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
