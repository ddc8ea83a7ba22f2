"""Receive the body of a request within limits of size and time."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Generator, Mapping
from math import inf
from typing import Any, Generic, TypeVar

from starlette.types import Receive

from perceptag.server.limits import MEBIBYTE, Limits, busy
from perceptag.server.problems import HttpProblem, too_much
from perceptag.server.protocol import body_at_once

FREE = 1 << 16  # bytes of each body that do not count


class ClientGoneError(Exception):
    """The client has closed the connection."""


async def body_chunks(
    receive: Receive, limits: Limits, silence: float = 0.0, patience: Callable[[], float] = lambda: inf
) -> AsyncIterator[bytes]:
    """Yield a body as it comes. Only waiting for the client counts: in all, or with `silence` between two parts.

    `patience` says how many seconds the reader can wait now: then it gets an empty part.
    """
    waited, received, more = 0.0, 0, True
    while more:
        left = (silence or limits.body_seconds + received / MEBIBYTE) - waited
        until, began = patience(), time.monotonic()
        try:
            message = await Within(max(min(left, until), 0), receive())
        except TimeoutError:
            waited += time.monotonic() - began
            if until < left:
                yield b""
                continue
            whole = f"all of it in {limits.body_seconds} s and a second for each MiB, found a part"
            raise HttpProblem(408, f"body: expected {f'more within {silence} s' if silence else whole}") from None
        waited = 0.0 if silence else waited + time.monotonic() - began
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
        if (whole := body_at_once(receive, min(FREE, limits.body))) is not None:
            return whole
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


Result = TypeVar("Result")


class Within(Generic[Result]):
    """Await something, but only so long: then it is cancelled, and `TimeoutError` is raised.

    Most of what a server awaits is there at once. `asyncio.wait_for` would start a task, and `asyncio.timeout`, which
    Python 3.10 does not have, a timer; here nothing is started until there is something to wait for.
    """

    __slots__ = ("_coroutine", "_is_over", "_seconds")

    def __init__(self, seconds: float, awaited: Awaitable[Result]) -> None:
        self._seconds = seconds
        self._coroutine = awaited if isinstance(awaited, Coroutine) else _coroutine(awaited)
        self._is_over = False

    def __await__(self) -> Generator[Any, Any, Result]:
        try:
            waiting = self._coroutine.send(None)
        except StopIteration as end:
            return end.value  # type: ignore[no-any-return]
        task = asyncio.current_task()
        assert task is not None
        timer = asyncio.get_running_loop().call_later(self._seconds, self._end, task)
        try:
            while True:
                try:
                    yield waiting
                except BaseException as error:  # noqa: PERF203 - what waits must see what is thrown
                    waiting = self._coroutine.throw(error)
                else:
                    waiting = self._coroutine.send(None)
        except StopIteration as end:
            return end.value  # type: ignore[no-any-return]
        except asyncio.CancelledError as error:
            if not self._is_over:
                raise
            if hasattr(task, "uncancel"):
                task.uncancel()
            raise TimeoutError from error
        finally:
            timer.cancel()

    def _end(self, task: asyncio.Task[Any]) -> None:
        self._is_over = True
        task.cancel()


async def _coroutine(awaited: Awaitable[Result]) -> Result:
    return await awaited
