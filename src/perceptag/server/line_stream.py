"""A stream of JSON lines, of any number, in bounded memory.

    bytes as they come ─▶ whole lines ─▶ batches of lines ─▶ one job for each batch ─▶ lines of the reply

The reply begins while the request still comes, so a client must read while it writes. An error before the first reply
has a status of its own; a later one is the last line, ``{"error": …}``. All batches get the version of the model that
the first one got. The lines of a document that has not ended come back with the reply to their batch (`held`), and are
sent again with the next one.
"""

from __future__ import annotations

import json
import time
from collections.abc import AsyncIterator
from math import inf

from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from perceptag.errors import PerceptagError
from perceptag.server.problems import HttpProblem, problem_of, too_much
from perceptag.server.receiving import body_chunks
from perceptag.server.runners import JobRunner
from perceptag.server.service import Service
from perceptag.server.tag_files import refuse_repeated

LINES, BYTES = 1_000, 1 << 20  # of a batch
PATIENCE = 0.2  # seconds that lines may wait for others to come
SHARE = 20  # held lines are read again and again: that takes at most one part in 20 of the time of a stream


class LineStream(Response):
    """A reply that is made while the request comes."""

    def __init__(self, service: Service, request: Request) -> None:
        refuse_repeated(request.query_params)
        self.service = service
        self._scope = request.scope
        self._parameters = dict(request.query_params)
        self._held = b""
        self._digest = ""  # of the model that all batches get
        self._took = 0.0  # seconds that the last batch took

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:  # noqa: ARG002
        """Read and answer the lines."""
        self.has_begun = False
        with self.service.runner.pinned() as runner:
            try:
                await self._tagged(runner, 1, b"")  # refuses parameters before lines are read
                async for first, lines in self._batches(receive):
                    await self._send(send, await self._tagged(runner, first, b"\n".join([*lines, b""])))
                await self._send(send, await self._tagged(runner, 1, b"", is_last=True) if self._held else b"")
            except (HttpProblem, PerceptagError) as error:
                problem = error if isinstance(error, HttpProblem) else problem_of(error)
                if not self.has_begun:
                    raise problem from None
                await self._send(send, json.dumps({"error": problem.to_dict()}).encode() + b"\n")
        await send({"type": "http.response.body", "body": b""})

    async def _send(self, send: Send, data: bytes) -> None:
        if not self.has_begun:
            self.has_begun = True
            headers = [(b"content-type", b"application/x-ndjson"), (b"cache-control", b"no-store")]
            headers.append((b"perceptag-model", self._digest.encode()))
            await send({"type": "http.response.start", "status": 200, "headers": headers})
        if data:
            await send({"type": "http.response.body", "body": data, "more_body": True})

    async def _batches(self, receive: Receive) -> AsyncIterator[tuple[int, list[bytes]]]:
        """Yield the number of the first line, and lines."""
        limits, rest, size, first = self.service.limits, b"", 0, 1
        limit, answered = limits.line, time.monotonic()
        lines: list[bytes] = []

        def patience() -> float:
            """Seconds that the lines which are here can wait for others."""
            longest = max(PATIENCE, SHARE * self._took * bool(self._held))
            return max(0.0, answered + longest - time.monotonic()) if lines else inf

        async for chunk in body_chunks(receive, limits, limits.stream_seconds, patience):
            *whole, rest = (rest + chunk).split(b"\n")
            lines += whole
            size += len(chunk)
            for i, line in enumerate([*whole, rest], first + len(lines) - len(whole)):
                if len(line) > limit:
                    raise too_much("line", limit, len(line), 413, where={"line": i})
            if len(lines) >= LINES or size >= BYTES or not patience():
                for begin in range(0, len(lines), LINES):
                    yield first + begin, lines[begin : begin + LINES]
                first, lines, size, answered = first + len(lines), [], 0, time.monotonic()
        if rest:
            lines.append(rest)
        for begin in range(0, len(lines), LINES):
            yield first + begin, lines[begin : begin + LINES]

    async def _tagged(self, runner: JobRunner, first: int, lines: bytes, is_last: bool = False) -> bytes:
        began = time.monotonic()
        first -= self._held.count(b"\n")
        options = {"parameters": self._parameters, "first": first, "is_last": is_last}
        if self._digest:
            options["digest"] = self._digest
        if not self.service.access.still_admits(self._scope):
            raise HttpProblem(401, "Authorization: the token of this stream has expired or was revoked")
        reply = await self.service.answer(self._scope, "lines", self._held + lines, options, runner)
        self._digest, self._held, self._took = reply.digest, reply.held, time.monotonic() - began
        return reply.body
