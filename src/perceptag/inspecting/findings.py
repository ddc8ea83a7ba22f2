"""Collect the findings of a check: kind, severity, count and first places."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

NOTE, WARNING, ERROR = SEVERITIES = ("note", "warning", "error")
PLACES = 10  # that are kept of each finding

# How bad it is: an error makes labels wrong or stops training, a warning makes scores or models worse than they look.
KINDS = {
    "unreadable": ERROR,
    "other columns": ERROR,
    "broken scheme": ERROR,
    "single label": ERROR,
    "comment": WARNING,
    "other spelling": WARNING,
    "many labels": WARNING,
    "similar labels": WARNING,
    "missing label": WARNING,
    "label only in test": WARNING,
    "control character": WARNING,
    "odd space": WARNING,
    "invisible character": WARNING,
    "replacement character": WARNING,
    "mixed Unicode forms": WARNING,
    "decomposed letters": NOTE,
    "byte order mark": NOTE,
    "mixed line ends": NOTE,
    "empty document": WARNING,
    "unknown labels": WARNING,
    "empty sentence": WARNING,
    "empty token": WARNING,
    "long sentence": WARNING,
    "other labels for the same sentence": WARNING,
    "in train and test": WARNING,
    "repeated sentence": NOTE,
}


@dataclass(slots=True)
class Finding:
    """One thing that was found, once or more often."""

    kind: str
    message: str  # of the first place
    count: int = 0
    places: list[str] = field(default_factory=list)  # the first ones

    @property
    def severity(self) -> str:
        """How bad it is: note, warning or error."""
        return KINDS[self.kind]

    def to_dict(self) -> dict[str, Any]:
        """A dictionary for JSON."""
        told = {"kind": self.kind, "severity": self.severity, "count": self.count}
        return told | {"message": self.message, "places": self.places}


class Findings:
    """Collects findings; those of the same kind and subject are counted together."""

    def __init__(self) -> None:
        self._found: dict[tuple[str, str], Finding] = {}

    def add(self, kind: str, where: str, message: str, subject: str = "", times: int = 1) -> None:
        """Add something that was found at a place, or `times` times in all if that is the first place."""
        finding = self._found.setdefault((kind, subject), Finding(kind, message))
        finding.count += times
        if len(finding.places) < PLACES:
            finding.places.append(where)

    def listed(self) -> list[Finding]:
        """All findings, the worst first, in the order of `KINDS`."""
        kinds = list(KINDS)
        found = self._found.values()
        return sorted(found, key=lambda f: (-SEVERITIES.index(f.severity), kinds.index(f.kind), -f.count))

    def counts(self) -> dict[str, int]:
        """How many findings there are of each severity, the worst first."""
        times: Counter[str] = Counter(finding.severity for finding in self._found.values())
        return {severity: times[severity] for severity in reversed(SEVERITIES)}

    def at_least(self, severity: str) -> int:
        """How many findings are as bad as this, or worse."""
        return sum(self.counts()[other] for other in SEVERITIES[SEVERITIES.index(severity) :])
