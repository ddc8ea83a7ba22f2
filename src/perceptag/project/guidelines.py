"""Guidelines: how to label, in Markdown, and what each label means. Every version stays in the project file.

A version is one event with the whole text and all descriptions, so that what annotators were told at any time can be
read again. Nothing else depends on guidelines: no model learns from them, and no export contains them.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from perceptag.errors import ConflictError, DataError, SettingError, brief, nearest
from perceptag.project.records import checked, load
from perceptag.project.revision_steps import add_event

KIND = "guidelines"  # of the event
TEXT_CHARACTERS, DESCRIPTION_CHARACTERS, EXAMPLE_CHARACTERS = 100_000, 1_000, 500
EXAMPLES = 20  # for each label


@dataclass(frozen=True, slots=True)
class LabelDescription:
    """What a label means, with sentences that show its use; in both, Markdown may mark words."""

    description: str = ""
    examples: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class GuidelineVersion:
    """When a version was written, and by whom."""

    version: int
    at: float  # seconds since 1970
    who: str


@dataclass(frozen=True, slots=True)
class Guidelines:
    """One version of the guidelines; version 0 is that of a project in which nothing has been written."""

    version: int = 0
    at: float | None = None  # seconds since 1970
    who: str = ""
    text: str = ""
    labels: dict[str, LabelDescription] = field(default_factory=dict)


def version_of(connection: sqlite3.Connection, number: int | None = None) -> Guidelines:
    """The newest version, or an earlier one; the texts of all others stay unread."""
    (last,) = connection.execute("SELECT COUNT(*) FROM event WHERE kind = ?", (KIND,)).fetchone()
    if number is not None and not 0 <= number <= last:
        raise SettingError(f"version: expected 0 to {last}, found {brief(number)}")
    wanted = last if number is None else number
    if not wanted:
        return Guidelines()
    found = "SELECT at, who, data FROM event WHERE kind = ? ORDER BY id LIMIT 1 OFFSET ?"
    at, who, data = connection.execute(found, (KIND, wanted - 1)).fetchone()
    written = load(data)
    return Guidelines(wanted, at, who, written["text"], _descriptions(written["labels"]))


def history_of(connection: sqlite3.Connection) -> list[GuidelineVersion]:
    """When each version was written, and by whom; the oldest first."""
    rows = connection.execute("SELECT at, who FROM event WHERE kind = ? ORDER BY id", (KIND,))
    return [GuidelineVersion(number, at, who) for number, (at, who) in enumerate(rows, 1)]


def _descriptions(data: Mapping[str, Any]) -> dict[str, LabelDescription]:
    return {name: LabelDescription(one["description"], one["examples"]) for name, one in data.items()}


def write(
    connection: sqlite3.Connection, text: str, labels: Mapping[str, LabelDescription], base: int, who: str
) -> Guidelines:
    """Write the next version, if the last one is `base`. A version that changes nothing is not written."""
    last = version_of(connection)
    if base != last.version:
        by = f" by {last.who!r}" if last.who else ""
        raise ConflictError(f"guidelines: expected version {brief(base)}, found version {last.version}{by}", None)
    if (text, dict(labels)) == (last.text, last.labels):
        return last
    data = {"text": text, "labels": {name: asdict(one) for name, one in labels.items()}}
    event = add_event(connection, KIND, who, data)
    return Guidelines(last.version + 1, event.at, who, text, dict(labels))


def checked_descriptions(labels: object, known: Collection[str]) -> dict[str, LabelDescription]:
    """Return descriptions by label, without empty ones; refuse labels that the project does not have."""
    if not isinstance(labels, Mapping):
        raise SettingError(f"labels: expected descriptions by label, found {brief(labels)}")
    found = {}
    for name, given in labels.items():
        if name not in known:
            raise SettingError(f"labels: expected a label of the project, found {brief(name)}{nearest(name, known)}")
        one = _checked_description(given, f"labels: {name}")
        if one != LabelDescription():
            found[name] = one
    return found


def _checked_description(given: object, where: str) -> LabelDescription:
    if not isinstance(given, Mapping) or not set(given) <= {"description", "examples"}:
        raise SettingError(f"{where}: expected description and examples, found {brief(given)}")
    examples = given.get("examples", [])
    if isinstance(examples, str) or not isinstance(examples, Sequence):
        raise SettingError(f"{where}: examples: expected a list of texts, found {brief(examples)}")
    if len(examples) > EXAMPLES:
        raise DataError(f"{where}: examples: expected at most {EXAMPLES}, found {len(examples)}")
    return LabelDescription(
        checked(given.get("description", ""), f"{where}: description", DESCRIPTION_CHARACTERS).strip(),
        [text for e in examples if (text := checked(e, f"{where}: examples", EXAMPLE_CHARACTERS).strip())],
    )
