"""Bodies of requests: counted while they come, and only for so long."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Mapping

from starlette.types import Receive

from perceptag.server.deadline import Deadline
from perceptag.server.limits import MEBIBYTE, Limits
from perceptag.server.problems import Problem, too_much


class ClientGoneError(Exception):
    """The client has closed the connection: nobody waits for a reply."""


async def body_chunks(receive: Receive, limits: Limits) -> AsyncIterator[bytes]:
    """Yield a body as it comes. Only time that is spent in waiting for the client counts."""
    waited, received, more = 0.0, 0, True
    while more:
        left = limits.body_seconds + received / MEBIBYTE - waited
        began = time.monotonic()
        try:
            async with Deadline(max(left, 0)):
                message = await receive()
        except TimeoutError:
            detail = f"body: expected all of it in {limits.body_seconds} s and 1 s for each MiB, found a part"
            raise Problem(408, detail).with_header(b"connection", b"close") from None
        waited += time.monotonic() - began
        if message["type"] == "http.disconnect":
            raise ClientGoneError
        chunk = message.get("body", b"")
        received += len(chunk)
        more = message.get("more_body", False)
        if chunk:
            yield chunk


async def read_body(receive: Receive, headers: Mapping[bytes, bytes], limits: Limits) -> bytes:
    """Return a whole body; refuse one that is too large as soon as that is known."""
    told = headers.get(b"content-length", b"0")
    if told.isdigit() and int(told) > limits.body:
        raise _too_large(limits, int(told))
    parts, size = [], 0
    async for chunk in body_chunks(receive, limits):
        size += len(chunk)
        if size > limits.body:
            raise _too_large(limits, size)
        parts.append(chunk)
    return parts[0] if len(parts) == 1 else b"".join(parts)


def _too_large(limits: Limits, found: int) -> Problem:
    return too_much("body", limits.body, found, 413).with_header(b"connection", b"close")
