"""Tabs of browsers that have the project open: what is kept for each of them, and what each has in front.

A page holds a stream of events as long as it is looked at. A tab whose stream has ended is hidden or closed: others do
not see it at a sentence any more, and what is kept for it is offered to the same person in another tab. A page that is
closed says so, and what was kept for it is free at once.
"""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable
from typing import NamedTuple

from perceptag.workbench.events import EventFeed

SECONDS = 600.0


class Lease(NamedTuple):
    """For whom a sentence is kept, and until when."""

    tab: str
    who: str
    until: float


class Leases:
    """Which tab was offered which sentence, and until when it is kept for that tab."""

    def __init__(self, seconds: float = SECONDS, clock: Callable[[], float] = time.monotonic) -> None:
        self._seconds = seconds
        self._clock = clock
        self.lock = threading.RLock()  # held across check-and-take
        self._held: dict[int, Lease] = {}
        self._streams: Counter[str] = Counter()  # of events, by tab
        self._left: set[str] = set()  # tabs whose stream has ended

    def take(self, sentences: Iterable[int], tab: str, who: str = "") -> None:
        """Keep sentences for a tab."""
        lease = Lease(tab, who, self._clock() + self._seconds)
        with self.lock:
            self._held.update(dict.fromkeys(sentences, lease))

    def release(self, sentence: int) -> None:
        """Forget a sentence: it is labelled or skipped."""
        with self.lock:
            self._held.pop(sentence, None)

    def release_all(self, tab: str) -> None:
        """Forget all sentences of a tab: it is closed."""
        with self.lock:
            self._held = {number: lease for number, lease in self._held.items() if lease.tab != tab}

    def others(self, tab: str, who: str = "") -> set[int]:
        """Return the sentences that are kept for other tabs, but for those that this person left."""
        with self.lock:
            found = {number: lease for number, lease in self._alive().items() if lease.tab != tab}
            return {
                number for number, lease in found.items() if not who or lease.who != who or not self._is_left(lease)
            }

    def own(self, tab: str) -> set[int]:
        """Return the sentences that are kept for this tab."""
        return {number for number, lease in self._alive().items() if lease.tab == tab}

    def _is_left(self, lease: Lease) -> bool:
        return lease.tab in self._left

    def _alive(self) -> dict[int, Lease]:
        now = self._clock()
        with self.lock:
            self._held = {number: lease for number, lease in self._held.items() if lease.until > now}
            self._left &= {lease.tab for lease in self._held.values()}
            return self._held

    # --- streams of events ---

    def enter(self, tab: str) -> None:
        """A page begins to listen."""
        with self.lock:
            self._streams[tab] += 1
            self._left.discard(tab)

    def leave(self, tab: str) -> bool:
        """A page has ended to listen; return whether no copy of its tab does."""
        with self.lock:
            self._streams[tab] -= 1
            if self._streams[tab] > 0:
                return False
            del self._streams[tab]
            self._left.add(tab)
            return True

    def is_listening(self, tab: str) -> bool:
        """Return whether the tab is a page that is open."""
        with self.lock:
            return tab in self._streams


class Presence:
    """Which sentence each tab has in front; people who have the same one in front are told."""

    def __init__(self, events: EventFeed, leases: Leases) -> None:
        self._events = events
        self._leases = leases
        self._lock = threading.Lock()
        self._fronts: dict[str, tuple[str, int]] = {}  # who and what, by tab

    def show(self, tab: str, who: str, sentence: int | None) -> list[str]:
        """A tab has a sentence in front, or none; return the other people who have it in front too."""
        with self._lock:
            _, before = self._fronts.pop(tab, ("", None))
            if sentence is not None and self._leases.is_listening(tab):
                self._fronts[tab] = who, sentence
        for number in {before, sentence} - {None} if before != sentence else ():
            if number is not None and self._others(number, who):
                self._events.tell("presence", id=number, who=self.people_at(number))
        return [] if sentence is None else self._others(sentence, who)

    def leave(self, tab: str) -> None:
        """The page of a tab is hidden or closed."""
        with self._lock:
            who, _ = self._fronts.get(tab, ("", None))
        self.show(tab, who, None)

    def people_at(self, sentence: int) -> list[str]:
        """Return who has a sentence in front."""
        with self._lock:
            return sorted({who for who, number in self._fronts.values() if number == sentence})

    def _others(self, sentence: int, who: str) -> list[str]:
        return [name for name in self.people_at(sentence) if name != who]
