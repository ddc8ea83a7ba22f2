"""What ``perceptag suggest`` has found, as tables and as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from perceptag.cli.table import Table, render, without_folders
from perceptag.labels.schemes import Span
from perceptag.models.explanation import Contribution
from perceptag.review.inconsistent import Inconsistencies, Inconsistency
from perceptag.review.names import MisspeltLabel
from perceptag.review.scheme import SchemeFault
from perceptag.review.showing import in_context, shown_spans
from perceptag.review.suspects import Suspect, Suspected
from perceptag.text.sentence import Sentence

KINDS = ("labels", "scheme", "errors", "inconsistent")
REASONS = 2  # features that are shown
PLACES = 3  # of a misspelt label, or of words with one label


@dataclass
class Suggestions:
    """The findings of each kind; None if there was no search for it, or too little data."""

    files: tuple[str, ...]
    column: str
    sentences: list[Sentence]
    kinds: tuple[str, ...]
    labels: list[MisspeltLabel] | None = None
    scheme: list[SchemeFault] | None = None
    errors: Suspected | None = None
    inconsistent: Inconsistencies | None = None
    limit: int = 0

    def limited(self, limit: int) -> Suggestions:
        """The same, with at most so many faults of labels and schemes listed; 0: all."""
        return replace(self, limit=limit)

    def to_dict(self) -> dict[str, Any]:
        """A dictionary for JSON. Sentences and tokens are counted from 0, lines from 1."""
        most = self.limit or None
        found: dict[str, Any] = {"files": list(self.files), "label": self.column, "sentences": len(self.sentences)}
        if self.labels is not None:
            items = [
                label.to_dict() | {"where": [self._where(*place) for place in label.places]}
                for label in self.labels[:most]
            ]
            found["labels"] = {"total": len(self.labels), "items": items}
        if self.scheme is not None:
            faults = [self._placed(fault.to_dict(), fault.token) for fault in self.scheme[:most]]
            found["scheme"] = {"total": len(self.scheme), "items": faults}
        if self.errors is not None:
            doubts = [self._placed(suspect.to_dict(), suspect.start) for suspect in self.errors.suspects]
            found["errors"] = {"total": self.errors.total, "items": doubts}
        if self.inconsistent is not None:
            groups = [self._with_places(group) for group in self.inconsistent.groups]
            found["inconsistent"] = {"total": self.inconsistent.total, "items": groups}
        return found

    def render(self) -> str:
        """The tables of all kinds that were looked for."""
        parts = []
        if self.labels is not None:
            parts.append(self._labels(self.labels))
        if self.scheme is not None:
            parts.append(self._scheme(self.scheme))
        if self.errors is not None:
            parts.append(self._errors(self.errors))
        if self.inconsistent is not None:
            parts.append(self._inconsistent(self.inconsistent))
        return "\n".join(parts)

    # --- tables ---

    def _labels(self, found: Sequence[MisspeltLabel]) -> str:
        table = Table(["place", "label", "times", "probably", "times"], numbers=(2, 4))
        for label in found[: self.limit or None]:
            table.add(self._places(label.places), label.name, str(label.count), label.meant, str(label.meant_count))
        return _titled("labels that look misspelt", len(found), table)

    def _scheme(self, found: Sequence[SchemeFault]) -> str:
        table = Table(["place", "words", "found", "expected", "why"])
        for fault in found[: self.limit or None]:
            why = f"{fault.fault} ({fault.scheme})"
            if fault.valid_in:
                why += f"; the sentence follows {fault.valid_in}"
            words = self._context(fault.sentence, fault.token, fault.token + 1)
            table.add(self._place(fault.sentence, fault.token), words, fault.found, fault.expected, why)
        return _titled("labels that break the scheme", len(found), table)

    def _errors(self, found: Suspected) -> str:
        table = Table(["place", "words", "given", "suggested", "confidence", "because of"], numbers=(4,))
        for suspect in found.suspects:
            table.add(
                self._place(suspect.sentence, suspect.start),
                self._context(suspect.sentence, suspect.start, suspect.end),
                self._side(suspect, suspect.given),
                self._side(suspect, suspect.suggested),
                _confidence(suspect.confidence),
                _features(suspect.for_suggested),
            )
        return _titled("labels that models doubt", found.total, table)

    def _inconsistent(self, found: Inconsistencies) -> str:
        table = Table(["words", "label", "times", "places", "because of"], numbers=(2,))
        for group in found.groups:
            for i, side in enumerate(group.sides):
                words = " ".join(group.words) if i == 0 else ""
                places = self._places([(use.sentence, use.start) for use in side.examples])
                table.add(words, side.label, str(side.count), places, _features(side.reasons))
        return _titled("the same words with different labels", found.total, table, len(found.groups))

    # --- places and words ---

    def _where(self, sentence: int, token: int) -> str:
        return self.sentences[sentence].where(token)

    def _place(self, sentence: int, token: int) -> str:
        """The same for a table."""
        return without_folders(self._where(sentence, token), self.files)

    def _places(self, places: Sequence[tuple[int, int]]) -> str:
        return joined([self._place(sentence, token) for sentence, token in places[:PLACES]])

    def _placed(self, item: dict[str, Any], token: int) -> dict[str, Any]:
        number = item["sentence"]
        return {"where": self._where(number, token), "tokens": self.sentences[number].tokens} | item

    def _with_places(self, group: Inconsistency) -> dict[str, Any]:
        item = group.to_dict()
        for side, shown in zip(group.sides, item["sides"], strict=True):
            for use, example in zip(side.examples, shown["examples"], strict=True):
                example["where"] = self._where(use.sentence, use.start)
        return item

    def _context(self, sentence: int, start: int, end: int) -> str:
        return in_context(self.sentences[sentence].tokens, start, end)

    def _side(self, suspect: Suspect, side: Sequence[Span]) -> str:
        return shown_spans(side, self.sentences[suspect.sentence].tokens, suspect.start, suspect.end)


def _confidence(share: float | None) -> str:
    """A share with two digits; nothing is certain."""
    return "" if share is None else "> 0.99" if share > 0.995 else f"{share:.2f}"


def _features(found: Sequence[Contribution]) -> str:
    return ", ".join(c.feature for c in found[:REASONS])


def joined(places: Sequence[str]) -> str:
    """Places in one line; a file is named once for all lines that follow each other.

    >>> joined(["a.txt:3", "a.txt:14", "b.txt:9"])
    'a.txt:3, 14, b.txt:9'
    """
    shown, before = [], ""
    for place in places:
        name, _, line = place.rpartition(":")
        shown.append(line if name and name == before else place)
        before = name
    return ", ".join(shown)


def _titled(title: str, total: int, table: Table, listed: int | None = None) -> str:
    """A table under its title, which says how many there are; without rows, only that there are none."""
    if not total:
        return f"{title}: none\n"
    count = len(table.rows) if listed is None else listed
    return render(table, f"{title}: {f'the first {count} of {total}' if count < total else total}")
