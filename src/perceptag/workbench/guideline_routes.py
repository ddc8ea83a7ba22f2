"""``guidelines``: how to label, in Markdown, with descriptions of the labels. Admins write them."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from perceptag.errors import DataError, SettingError
from perceptag.server.access import require
from perceptag.server.problems import HttpProblem
from perceptag.server.request_body import BodyKey
from perceptag.server.routes import endpoint, json_reply
from perceptag.workbench.bench import BenchEndpoints
from perceptag.workbench.parameters import LARGEST, number, read_parameters, required

GUIDELINES = {"version": number(0, LARGEST)}
WRITTEN = {
    "text": BodyKey(str, "a text in Markdown"),
    "labels": BodyKey(dict, "descriptions and examples by label", {}),
    "base_version": BodyKey(int, "the number of a version", None, lambda n: 0 <= n < LARGEST),
}


class GuidelineRoutes(BenchEndpoints):
    """Shows and changes guidelines."""

    @endpoint("GET /v1/project/guidelines")
    async def show(self, request: Request) -> Response:
        """Show the newest version, or an earlier one, and list all versions."""
        require(request, "read")
        asked = read_parameters(request, GUIDELINES)
        return json_reply(await self.bench.read(lambda: self._shown(asked["version"])))

    def _shown(self, version: int | None) -> dict[str, Any]:
        project = self.bench.project
        try:
            found = project.guidelines(version)
        except SettingError as error:
            raise HttpProblem(404, str(error)) from None
        return asdict(found) | {"versions": [asdict(one) for one in project.guideline_history()]}

    @endpoint("PUT /v1/project/guidelines")
    async def write(self, request: Request) -> Response:
        """Write the next version, unless another person has written one meanwhile."""
        keys, person = await self.bench.body(request, WRITTEN, "admin")
        required(keys, "text", "base_version")

        def work() -> dict[str, Any]:
            base = keys["base_version"]
            try:
                written = self.bench.project.write_guidelines(keys["text"], keys["labels"], base=base, who=person.name)
            except (DataError, SettingError) as error:
                raise HttpProblem(422, str(error)) from None
            self.bench.events.tell("guidelines", version=written.version, who=person.name)
            return self._shown(None)

        return json_reply(await self.bench.write(work))
