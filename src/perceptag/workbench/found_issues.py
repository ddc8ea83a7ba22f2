"""Labels that deserve a second look, as they were found last."""

from __future__ import annotations

import threading
from typing import Any


class FoundIssues:
    """The newest issues of each kind, and the revision that they are as of."""

    def __init__(self) -> None:
        self._found: dict[str, tuple[dict[str, Any], int]] = {}
        self._running: set[str] = set()
        self._lock = threading.Lock()

    def put(self, issues: dict[str, Any], upto: int) -> None:
        """Keep issues, unless newer ones are there."""
        with self._lock:
            for kind, found in issues.items():
                if kind not in self._found or self._found[kind][1] <= upto:
                    self._found[kind] = found, upto

    def get(self, kind: str) -> tuple[dict[str, Any] | None, int]:
        """Return issues of a kind and the revision that they are as of; None if nobody has looked yet."""
        with self._lock:
            return self._found.get(kind, (None, -1))

    def begin(self, kind: str) -> bool:
        """Return whether to look for issues of a kind now: False if somebody does."""
        with self._lock:
            if kind in self._running:
                return False
            self._running.add(kind)
            return True

    def end(self, kind: str) -> None:
        """Nobody looks any more."""
        with self._lock:
            self._running.discard(kind)

    def is_running(self, kind: str) -> bool:
        """Return whether somebody looks for issues of a kind."""
        with self._lock:
            return kind in self._running
