"""A queue of bounded length that is fair between clients.

Clients take turns, however many jobs each has waiting. If the queue is full, the client with the most jobs loses its
newest one, which may be the one that has just come.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from typing import Generic, TypeVar

Entry = TypeVar("Entry")


class FairQueue(Generic[Entry]):
    """Entries of clients, at most `most` of them."""

    def __init__(self, most: int) -> None:
        self.most = most
        self._of: dict[str, deque[Entry]] = {}  # by client, in the order of their turns
        self._length = 0

    def __len__(self) -> int:
        return self._length

    def __iter__(self) -> Iterator[Entry]:
        return (entry for own in self._of.values() for entry in own)

    def put(self, client: str, entry: Entry, is_first: bool = False) -> Entry | None:
        """Add an entry at the end, or the beginning, of those of its client; return the one that has no room."""
        own = self._of.setdefault(client, deque())
        (own.appendleft if is_first else own.append)(entry)
        self._length += 1
        if self._length <= self.most:
            return None
        fullest = max(self._of, key=lambda name: (len(self._of[name]), name == client))
        return self._take(fullest, last=True)

    def take(self, may: Callable[[str], bool] = lambda _: True) -> tuple[str, Entry] | None:
        """Return the client whose turn it is and its oldest entry; skip clients that may not have a turn."""
        client = next((name for name in self._of if may(name)), None)
        if client is None:
            return None
        entry = self._take(client)
        if client in self._of:  # its next turn comes after those of all others
            self._of[client] = self._of.pop(client)
        return client, entry

    def take_more(self, client: str, fits: Callable[[Entry], bool], most: int) -> list[Entry]:
        """Return further entries of a client: the next ones, as long as they fit."""
        found: list[Entry] = []
        while len(found) < most and client in self._of and fits(self._of[client][0]):
            found.append(self._take(client))
        return found

    def remove(self, client: str, entry: Entry) -> None:
        """Take out an entry, if it is still there."""
        own = self._of.get(client, deque())
        if entry in own:
            own.remove(entry)
            self._length -= 1
            if not own:
                del self._of[client]

    def _take(self, client: str, last: bool = False) -> Entry:
        own = self._of[client]
        entry = own.pop() if last else own.popleft()
        self._length -= 1
        if not own:
            del self._of[client]
        return entry
