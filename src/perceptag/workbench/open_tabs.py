"""Tabs of browsers that have the project open: what is kept for each of them, and what each has in front.

A page holds a stream of events as long as it is looked at. A tab whose stream has ended is hidden or closed: others do
not see it at a sentence any more, and what is kept for it is offered to the same person in another tab. A page that is
closed says so, and what was kept for it is free at once. So is what was kept for an idle tab: the random sample ends at
the first sentence that is open, and nobody may hold it back for long.
"""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable
from typing import NamedTuple

from perceptag.workbench.events import EventFeed

SECONDS = 600.0
OVERTAKEN = 20  # sentences that one tab decides about while another does nothing: then that one is idle


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
        self._passed: dict[str, Counter[str]] = {}  # how much each other tab has decided since a tab did something

    def take(self, sentences: Iterable[int], tab: str, who: str = "") -> None:
        """Keep sentences for a tab."""
        lease = Lease(tab, who, self._clock() + self._seconds)
        with self.lock:
            self._held.update(dict.fromkeys(sentences, lease))
            self._passed[tab] = Counter()

    def release(self, sentence: int, tab: str = "") -> None:
        """Forget a sentence: it was labelled or skipped in a tab."""
        with self.lock:
            self._held.pop(sentence, None)
            for decided in self._passed.values():
                decided[tab] += 1
            self._passed[tab] = Counter()

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
            idle = {tab for tab, decided in self._passed.items() if max(decided.values(), default=0) >= OVERTAKEN}
            alive = {n: lease for n, lease in self._held.items() if lease.until > now and lease.tab not in idle}
            tabs = {lease.tab for lease in alive.values()}
            self._held, self._left = alive, self._left & tabs
            self._passed = {tab: decided for tab, decided in self._passed.items() if tab in tabs}
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
