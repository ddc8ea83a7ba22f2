"""Sentences that were offered: for some minutes nobody else is offered the same."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable

SECONDS = 600.0


class Leases:
    """Which tab was offered which sentence, and until when it is kept for that tab."""

    def __init__(self, seconds: float = SECONDS, clock: Callable[[], float] = time.monotonic) -> None:
        self._seconds = seconds
        self._clock = clock
        self.lock = threading.RLock()  # for those who look and then take
        self._held: dict[int, tuple[str, float]] = {}

    def take(self, sentences: Iterable[int], tab: str) -> None:
        """Keep sentences for a tab."""
        until = self._clock() + self._seconds
        with self.lock:
            self._held.update(dict.fromkeys(sentences, (tab, until)))

    def release(self, sentence: int) -> None:
        """Forget a sentence: it is labelled or skipped."""
        with self.lock:
            self._held.pop(sentence, None)

    def others(self, tab: str) -> set[int]:
        """Return the sentences that are kept for other tabs."""
        return {sentence for sentence, holder in self._alive().items() if holder != tab}

    def own(self, tab: str) -> set[int]:
        """Return the sentences that are kept for this tab."""
        return {sentence for sentence, holder in self._alive().items() if holder == tab}

    def _alive(self) -> dict[int, str]:
        now = self._clock()
        with self.lock:
            self._held = {s: held for s, held in self._held.items() if held[1] > now}
            return {s: tab for s, (tab, _) in self._held.items()}
