"""Room for connections: which ones are closed when there are more than the limit.

Only a connection that waits, for a request or for the rest of one, may be closed, and only after it has waited for
`grace` seconds: a client that is about to send is not the one to go. The address with the most waiting connections
loses one first, and of those the one that has waited longest. If a crowd comes at once, `spare` connections more than
the limit are kept for as long; beyond that, the grace ends.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import Protocol

GRACE = 0.5  # seconds
SPARE = 5  # the part of the limit that may be there beyond it, where the system allows few open files
CROWD = 256  # connections beyond the limit, where it allows many


class WaitingConnection(Protocol):
    """A connection that waits for a client."""

    address: str

    def give_up(self) -> None:
        """Close the connection."""


class ConnectionRoom:
    """The connections that wait, with the time since when; those that have waited longest come first."""

    def __init__(self, limit: int, spare: int, grace: float = GRACE) -> None:
        self.limit = limit
        self.spare = spare
        self.grace = grace
        self.open = 0
        self.closed = 0  # to make room
        self._waiting: dict[WaitingConnection, float] = {}
        self._timer: asyncio.TimerHandle | None = None
        self._is_trimming = False

    def __contains__(self, connection: WaitingConnection) -> bool:
        return connection in self._waiting

    def wait(self, connection: WaitingConnection) -> None:
        """Note that a connection waits from now on."""
        self._waiting.pop(connection, None)
        self._waiting[connection] = asyncio.get_running_loop().time()

    def serve(self, connection: WaitingConnection) -> None:
        """Note that a connection does not wait any more."""
        self._waiting.pop(connection, None)

    def make_room(self) -> None:
        """Close connections soon if there are too many."""
        loop = asyncio.get_running_loop()
        if self.open > self.limit + self.spare and not self._is_trimming:
            # Two turns of the loop later all that has arrived has been read, also from those just accepted.
            self._is_trimming = True
            loop.call_soon(loop.call_soon, self._trim_all)
        elif self.open > self.limit and self._timer is None:
            self._timer = loop.call_later(self.grace, self._trim)

    def _trim_all(self) -> None:
        self._is_trimming = False
        self._close(self.open - self.limit - self.spare, 0.0)

    def _trim(self) -> None:
        self._timer = None
        self._close(self.open - self.limit, self.grace)
        self.make_room()

    def _close(self, number: int, grace: float) -> None:
        latest = asyncio.get_running_loop().time() - grace
        may_go = [connection for connection, since in self._waiting.items() if since <= latest]
        held = Counter(connection.address for connection in may_go)
        may_go.sort(key=lambda connection: -held[connection.address])  # stable: the oldest first
        for connection in may_go[: max(number, 0)]:
            self.closed += 1
            connection.give_up()
