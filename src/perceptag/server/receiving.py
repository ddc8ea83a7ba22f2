"""Bodies of requests: counted while they come, and only for so long."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Mapping

from starlette.types import Receive

from perceptag.server.deadline import Within
from perceptag.server.limits import MEBIBYTE, Limits
from perceptag.server.problems import HttpProblem, too_much
from perceptag.server.work import busy

FREE = 1 << 16  # bytes of each body that do not count


class ClientGoneError(Exception):
    """The client has closed the connection."""


async def body_chunks(receive: Receive, limits: Limits, silence: float = 0.0) -> AsyncIterator[bytes]:
    """Yield a body as it comes. Only waiting for the client counts: in all, or with `silence` between two parts."""
    waited, received, more = 0.0, 0, True
    while more:
        left = silence or limits.body_seconds + received / MEBIBYTE - waited
        began = time.monotonic()
        try:
            message = await Within(max(left, 0), receive())
        except TimeoutError:
            whole = f"all of it in {limits.body_seconds} s and a second for each MiB, found a part"
            raise HttpProblem(408, f"body: expected {f'more within {silence} s' if silence else whole}") from None
        waited += time.monotonic() - began
        if message["type"] == "http.disconnect":
            raise ClientGoneError
        chunk = message.get("body", b"")
        received += len(chunk)
        more = message.get("more_body", False)
        if chunk:
            yield chunk


class Bodies:
    """Bodies that are being received. Together they have a limit, so that many clients cannot fill the memory.

    The first bytes of a body do not count: a small request is taken even when others hold all that they may.
    """

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.held = 0

    async def read(self, receive: Receive, headers: Mapping[bytes, bytes]) -> bytes:
        """Return a whole body; refuse one that is too large as soon as that is known."""
        limits, told = self.limits, headers.get(b"content-length", b"0")
        if told.isdigit() and int(told) > limits.body:
            raise _too_large(limits, int(told))
        parts, size, counted = [], 0, 0
        try:
            async for chunk in body_chunks(receive, limits):
                size += len(chunk)
                if size > limits.body:
                    raise _too_large(limits, size)
                self.held += max(size - FREE, 0) - counted
                counted = max(size - FREE, 0)
                if self.held > limits.bodies:
                    raise busy()
                parts.append(chunk)
        finally:
            self.held -= counted
        return parts[0] if len(parts) == 1 else b"".join(parts)


def _too_large(limits: Limits, found: int) -> HttpProblem:
    return too_much("body", limits.body, found, 413)
