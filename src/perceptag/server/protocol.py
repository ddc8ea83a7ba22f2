"""Connections: uvicorn's protocol with an end to waiting for a request.

uvicorn waits without end for the header of a request, takes headers of any size, and refuses all clients once there are
many connections. Here a header has a few seconds and some bytes, and when there are too many connections, some of those
that wait are closed (`connection_room.py`).
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from typing import Any

from starlette.types import Receive, Send
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

from perceptag.server.connection_room import CROWD, ConnectionRoom
from perceptag.server.limits import Limits

OK = b"HTTP/1.1 200 OK\r\n"
LAST_CALL = 0.5  # seconds after the server was told to stop in which an idle connection may still send a request
LINGER = 2.0  # seconds in which a client that is still sending may find the reply that it was refused with
MUCH = 1_024  # bytes that show that a client is sending
MOST_REQUESTS = 16  # that a client may send before it reads the first reply


class PatientProtocol(HttpToolsProtocol):
    """A connection that waits for a request only so long."""

    limits: Limits  # of a server, set in a class for each
    room: ConnectionRoom

    # What is usual, a request in one piece, starts no timer and is not written down as waiting.
    _timer: asyncio.TimerHandle | None = None
    _awaits_header = True
    _awaits_more = True  # of a request, header or body
    _header_bytes = 0  # received before the parser has seen the end of the header
    _parsed_bytes = _parsed_lines = 0  # of the header
    _is_too_large = False  # the header
    _is_refused = False
    _is_ending = False  # the server stops

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to wait."""
        super().connection_made(transport)
        self.address = str(self.client[0]) if self.client else ""
        self.room.open += 1
        self._wait()
        self.room.make_room()

    def connection_lost(self, exc: Exception | None) -> None:
        """End all waiting."""
        self.room.open -= 1
        self.room.serve(self)
        self._stop_timer()
        super().connection_lost(exc)
        self._unset_keepalive_if_required()

    def data_received(self, data: bytes) -> None:
        """Parse received bytes. Ignore bytes received after the connection was dropped."""
        if self.transport.is_closing() or self._is_refused:
            return
        if self._header_bytes > self.limits.header:
            self._refuse_header()
            return
        super().data_received(data)
        if self._awaits_header:
            self._header_bytes += len(data)
            if self._timer is None:  # a trickle of bytes does not make the time longer
                self._wait()
        elif self._awaits_more and (len(data) >= MUCH or self not in self.room):
            self.room.wait(self)  # a body that comes is not the first to go

    def on_message_begin(self) -> None:
        """A header begins."""
        super().on_message_begin()
        self.scope["perceptag.abort"] = self.transport.abort  # type: ignore[typeddict-unknown-key]
        self.scope["perceptag.is_gone"] = self.transport.is_closing  # type: ignore[typeddict-unknown-key]
        self._awaits_header = self._awaits_more = True
        self._header_bytes = self._parsed_bytes = self._parsed_lines = 0

    def on_url(self, url: bytes) -> None:
        """Take a part of the address."""
        self._count(len(url))
        super().on_url(url)

    def _count(self, size: int) -> None:
        """Refuse a header that is too large, also if it came in one piece."""
        self._parsed_bytes += size
        limits = self.limits
        if self._parsed_bytes > limits.header or self._parsed_lines > limits.header_lines:
            self._is_too_large = True
            raise ValueError("the header is too large")  # ends the parser, which then calls `send_400_response`

    def send_400_response(self, msg: str) -> None:
        """Refuse a request that the parser cannot or may not read."""
        if self._is_too_large:
            self._refuse_header()
        else:
            super().send_400_response(msg)

    def eof_received(self) -> bool:  # type: ignore[override]  # asyncio asks for it
        """Keep a connection that the client has half closed until the reply is sent."""
        cycle = self.cycle
        is_over = cycle is None or cycle.response_started or cycle.more_body or self._awaits_more
        if is_over or not self.transport.can_write_eof():  # TLS has no half-closed connections
            return False
        cycle.keep_alive = False
        return True

    def on_header(self, name: bytes, value: bytes) -> None:
        """Take a header. Those that follow a body are of no use."""
        if self._awaits_header:
            self._parsed_lines += 1
            self._count(len(name) + len(value) + 4)  # with the colon, a blank and the end of the line
            super().on_header(name, value)

    def on_headers_complete(self) -> None:
        """A header is here; its body has limits of its own, which the application knows."""
        self._awaits_header = False
        self._stop_timer()
        if len(self.pipeline) >= MOST_REQUESTS or not self.url.startswith(b"/"):
            raise ValueError("too many requests at once, or one for a proxy")  # the parser calls it a bad request
        super().on_headers_complete()
        if self._is_ending or not self.parser.should_keep_alive():  # older uvicorn looks at the request only in `send`
            self.cycle.keep_alive = False
        self.cycle.transport = _ReplyTransport(self)  # type: ignore[assignment]

    def on_message_complete(self) -> None:
        """All of a request is here."""
        self._awaits_more = False
        self.room.serve(self)
        super().on_message_complete()

    def on_response_complete(self) -> None:
        """Wait for the next request; if there are too many connections, this one can go."""
        super().on_response_complete()
        if not self.pipeline and not self.transport.is_closing():
            self.room.wait(self)

    def shutdown(self) -> None:
        """Let the server stop: answer a request that is on its way already, then close the connection."""
        self._is_ending = True
        if self.cycle is None or self.cycle.response_complete:
            self.loop.call_later(LAST_CALL, self._end)
        else:
            self.cycle.keep_alive = False

    def _end(self) -> None:
        if self.cycle is None or self.cycle.response_complete:
            self.transport.close()

    def _refuse_header(self) -> None:
        lines = ("HTTP/1.1 431 Request Header Fields Too Large", "content-length: 0", "connection: close", "", "")
        self.transport.write("\r\n".join(lines).encode())
        self.transport.close()

    def close_gently(self) -> None:
        """Close the connection after a reply.

        If the client is still sending, the system would throw the reply away with what was sent. So what comes is
        dropped for a while before the end.
        """
        if not self.cycle.more_body or self.transport.is_closing() or not self.transport.can_write_eof():
            self.transport.close()
            return
        self._is_refused = True
        self.transport.write_eof()
        self.flow.resume_reading()
        self._timer = self.loop.call_later(LINGER, self.transport.abort)

    def _wait(self) -> None:
        self.room.wait(self)
        self._timer = self.loop.call_later(self.limits.header_seconds, self.give_up)

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def give_up(self) -> None:
        """Close the connection, unless a request that came before is still being answered."""
        self.room.serve(self)
        self._stop_timer()
        if self.cycle is None or self.cycle.response_complete or self.cycle.more_body:
            self.transport.abort()
        else:
            self.cycle.keep_alive = False


class _ReplyTransport:
    """The transport of a reply: its header is sent together with the first part of its body, and the end is gentle."""

    def __init__(self, protocol: PatientProtocol) -> None:
        self._protocol = protocol
        self._header = b""
        self._has_begun = protocol.scope["method"] == "HEAD"  # such a reply has no body to wait for
        self.is_closing = protocol.transport.is_closing

    def write(self, data: bytes) -> None:
        """Send bytes; the first are those of the header, unless they ask the client to continue."""
        if not self._has_begun and not data.startswith(b"HTTP/1.1 100"):
            self._has_begun, self._header = True, data
            return
        self._protocol.transport.write(self._header + data)
        self._header = b""

    def write_at_once(self, reply: bytes) -> None:
        """Send a whole reply."""
        self._has_begun = True
        self._protocol.transport.write(reply)

    def close(self) -> None:
        """Send what is left, and close the connection."""
        if self._header:
            self.write(b"")
        self._protocol.close_gently()


def body_at_once(receive: Receive, most: int) -> bytes | None:
    """Return the body of a request, as `receive` would, if all of it has come and it is not longer than `most`."""
    cycle = getattr(receive, "__self__", None)
    if not isinstance(cycle, RequestResponseCycle) or cycle.more_body or cycle.waiting_for_100_continue:
        return None
    if cycle.disconnected or cycle.response_complete or len(cycle.body) > most:
        return None
    body, cycle.body = bytes(cycle.body), bytearray()
    cycle.message_event.clear()
    return body


def header_lines(headers: Iterable[tuple[bytes, bytes]]) -> bytes:
    """Return headers as the lines of a reply."""
    return b"".join([b"%b: %b\r\n" % header for header in headers])


def write_whole(send: Send, lines: bytes, body: bytes) -> bool:
    """Write a good reply, with these lines in its header, as `send` does with two messages and a check of each line.

    Return whether that was possible: not if the connection is to be closed, or the client does not read, or has gone.
    """
    cycle = getattr(send, "__self__", None)
    if not isinstance(cycle, RequestResponseCycle) or not isinstance(cycle.transport, _ReplyTransport):
        return False
    if cycle.response_started or cycle.disconnected or cycle.flow.write_paused or not cycle.keep_alive:
        return False
    cycle.response_started = cycle.response_complete = True
    cycle.waiting_for_100_continue = False
    cycle.transport.write_at_once(b"".join([OK, header_lines(cycle.default_headers), lines, b"\r\n", body]))
    cycle.message_event.set()
    cycle.on_response()
    return True


def protocol_for(limits: Limits, spare: int = CROWD) -> Any:
    """Return the class of the connections of one server, of which so many may be there beyond the limit for a while."""
    return type("Protocol", (PatientProtocol,), {"limits": limits, "room": ConnectionRoom(limits.connections, spare)})
