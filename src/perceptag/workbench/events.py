"""What happens, told to every page that listens: server-sent events.

A page that was away says which event it saw last, and gets those that followed, if they are not too old.
"""

from __future__ import annotations

import asyncio
import json
import secrets
import threading
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext, suppress
from typing import Any

from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from perceptag.server.problems import HttpProblem

KEPT = 1_000  # events that a page can still ask for
MOST = 200  # pages that listen at a time
SILENCE = 15.0  # seconds after which a comment shows that the connection lives

Listener = tuple[asyncio.AbstractEventLoop, asyncio.Event]


class EventFeed:
    """The newest events, and who waits for more. Any thread may tell one."""

    def __init__(self) -> None:
        self._run = secrets.token_hex(4)  # numbers begin again when the server does
        self._kept: deque[tuple[int, bytes]] = deque(maxlen=KEPT)
        self._number = 0
        self._lock = threading.Lock()
        self._listeners: set[Listener] = set()
        self.is_over = False

    def tell(self, kind: str, /, **data: Any) -> None:
        """Tell everybody that something happened."""
        body = json.dumps(data, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
        with self._lock:
            self._number += 1
            text = f"id: {self._run}-{self._number}\nevent: {kind}\ndata: {body}\n\n"
            self._kept.append((self._number, text.encode()))
        self._wake()

    def stop(self) -> None:
        """End all streams: the server stops."""
        self.is_over = True
        self._wake()

    def _wake(self) -> None:
        with self._lock:
            for loop, waiting in self._listeners:
                with suppress(RuntimeError):  # its loop has ended
                    loop.call_soon_threadsafe(waiting.set)

    def after(self, number: int) -> list[tuple[int, bytes]]:
        """Return the events that followed one."""
        with self._lock:
            return [event for event in self._kept if event[0] > number]

    def place(self, last: str) -> int:
        """Return the number of the event that a page saw last; without one, that of the newest."""
        run, _, number = last.partition("-")
        return int(number) if run == self._run and number.isdecimal() and len(number) < 20 else self._number

    def enter(self, listener: Listener) -> None:
        """Add a listener."""
        with self._lock:
            if len(self._listeners) >= MOST:
                raise HttpProblem(503, f"events: expected at most {MOST} pages that listen").with_header(
                    b"retry-after", b"30"
                )
            self._listeners.add(listener)

    def leave(self, listener: Listener) -> None:
        """Remove a listener."""
        with self._lock:
            self._listeners.discard(listener)


class EventStream(Response):
    """A reply that lasts until the page is closed, its token is revoked, or the server stops."""

    def __init__(
        self,
        events: EventFeed,
        last: str,
        listening: AbstractContextManager[None] | None = None,
        may_listen: Callable[[], bool] = lambda: True,
    ) -> None:
        self._may_listen = may_listen  # asked before anything is sent
        self.events = events
        self.number = events.place(last)
        self.listening = listening or nullcontext()  # entered as long as it lasts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:  # noqa: ARG002
        """Send events as they happen."""
        with self.listening:
            await self._follow(receive, send)

    async def _follow(self, receive: Receive, send: Send) -> None:
        waiting = asyncio.Event()
        listener = asyncio.get_running_loop(), waiting
        self.events.enter(listener)
        gone = asyncio.ensure_future(_is_gone(receive))
        try:
            headers = [(b"content-type", b"text/event-stream; charset=utf-8"), (b"cache-control", b"no-store")]
            await send({"type": "http.response.start", "status": 200, "headers": headers})
            await _send(send, b": perceptag\n\n")
            while not gone.done() and not self.events.is_over:
                waiting.clear()
                for text in self._new():
                    await _send(send, text)
                has_news = await _first(gone, waiting)
                if not self._may_listen():
                    break
                if not has_news:
                    await _send(send, b": \n\n")
        finally:
            self.events.leave(listener)
            gone.cancel()
        await send({"type": "http.response.body", "body": b""})

    def _new(self) -> Iterator[bytes]:
        for number, text in self.events.after(self.number):
            self.number = number
            yield text


async def _send(send: Send, data: bytes) -> None:
    await send({"type": "http.response.body", "body": data, "more_body": True})


async def _is_gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


async def _first(gone: asyncio.Future[None], waiting: asyncio.Event) -> bool:
    """Wait until something happens; return whether it did, or only time has passed."""
    woken = asyncio.ensure_future(waiting.wait())
    both: set[asyncio.Future[Any]] = {gone, woken}
    try:
        done, _ = await asyncio.wait(both, timeout=SILENCE, return_when=asyncio.FIRST_COMPLETED)
    finally:
        woken.cancel()
    return bool(done)
