"""What a promise reports: cases tried, those that failed, and why something could not be tried."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from typing import Any

SHOWN = 5  # failures that are shown in full


@dataclass(slots=True)
class Tally:
    """One line of the table."""

    what: str
    tried: int = 0
    failed: int = 0
    examples: list[str] = field(default_factory=list)
    not_run: str = ""  # the reason; such a line counts neither as passed nor as failed
    note: str = ""
    seconds: float = 0.0

    def add(self, fault: str | None = None, times: int = 1) -> None:
        """Count a case; `fault` says what was wrong with it."""
        self.tried += times
        if fault:
            self.fail(fault)

    def fail(self, fault: str) -> None:
        """Count a failure of a case that has already been counted."""
        self.failed += 1
        if len(self.examples) < SHOWN:
            self.examples.append(fault[:2000])

    def check(self, right: bool, fault: str) -> None:
        """Count a case that is right or not."""
        self.add(None if right else fault)

    def settle(self) -> None:
        """Call it at the end: a check that tried nothing, and does not say why, counts as failed."""
        if not (self.tried or self.failed or self.not_run):
            self.fail("nothing was tried")

    def to_dict(self) -> dict[str, Any]:
        """Return the tally as JSON values."""
        return asdict(self)


Tallies = Iterator[Tally]


def not_run(what: str, reason: str) -> Tally:
    """Return a line for something that cannot be tried on this machine."""
    return Tally(what, not_run=reason)
