"""What each version changed in the sentences that nobody has labelled."""

from __future__ import annotations

import threading
from collections.abc import Iterable

from perceptag.workbench.learning.changes import Change

KEPT = 100  # versions


class ChangedLabels:
    """The changes of the newest versions, as they were found while the pool was scored."""

    def __init__(self) -> None:
        self._found: dict[int, dict[int, Change]] = {}  # by version, then by sentence
        self._upto: dict[int, int] = {}  # revisions of versions
        self._lock = threading.Lock()

    def begin(self, version: int, upto: int) -> None:
        """A new version begins to score the pool."""
        with self._lock:
            self._found.setdefault(version, {})
            self._upto[upto] = version
            for old in sorted(self._found)[:-KEPT]:
                del self._found[old]

    def add(self, upto: int, changes: Iterable[Change]) -> None:
        """Add changes of the version that was trained up to a revision."""
        with self._lock:
            found = self._found.get(self._upto.get(upto, 0))
            if found is not None:
                found.update((change.id, change) for change in changes)

    def count(self, version: int) -> int:
        """Return how many labels a version changed."""
        with self._lock:
            return sum(len(change.tokens) for change in self._found.get(version, {}).values())

    def between(self, before: int, after: int) -> list[Change] | None:
        """Return what changed from one version to a later one, by sentence; None if that is not known any more."""
        with self._lock:
            if before > after or any(version not in self._found for version in range(before + 1, after + 1)):
                return None
            found: dict[int, Change] = {}
            for version in range(before + 1, after + 1):
                for number, change in self._found[version].items():
                    first = found.get(number, change).before
                    found[number] = Change(number, first, change.after)
        return [change for number, change in sorted(found.items()) if change.before != change.after]
