"""The changes that a person can make: labels, skipping, flags, comments, readings; undo and redo."""

from __future__ import annotations

import math
import sqlite3
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from perceptag.errors import ConflictError, SettingError, brief
from perceptag.project.queries import entry_of
from perceptag.project.records import LABELLED, NEW, SKIPPED, Undone, checked, dump
from perceptag.project.revision_steps import (
    CONTENT,
    FLAGGED,
    Current,
    RevisionRow,
    RevisionStep,
    another_change,
    current_of,
    may_repeat,
    repeated,
    row_of,
    rows_of_step,
)
from perceptag.project.training_log import NO_END


@dataclass(frozen=True, slots=True)
class NewLabels:
    """Labels of a sentence and how they came about."""

    labels: str  # JSON
    base: int
    seconds: float = 0.0
    actions: int = 0
    source: str = "edited"
    model: str = ""
    proposal: str | None = None


def label(connection: sqlite3.Connection, sentence: int, new: NewLabels, who: str, key: str) -> RevisionRow:
    """Give a sentence labels."""
    row = _change(connection, sentence, "label", who, key, new.base, lambda row, _: _fill(row, new))
    if row.labels != new.labels:
        raise another_change(key)
    return row


def read_again(connection: sqlite3.Connection, sentence: int, new: NewLabels, who: str, key: str) -> RevisionRow:
    """Record what a second reader says; the labels of the sentence stay."""
    if found := _read_before(connection, sentence, new, who, key):
        return found
    step, current = RevisionStep(connection, who, key), current_of(connection, sentence)
    row = step.row(sentence, "reading")
    _fill(row, new)
    row.status, row.base = None, current.revision
    step.add(current, row)
    return row


def read_by_another(connection: sqlite3.Connection, sentence: int, new: NewLabels, who: str, key: str) -> RevisionRow:
    """Record the labels of a second reader for a sentence that another person has labelled."""
    if found := _read_before(connection, sentence, new, who, key):
        return found
    current = current_of(connection, sentence)
    if current.status != LABELLED or current.who == who:
        those = f"those of {who!r}" if current.status == LABELLED else "none"
        message = f"sentence {sentence}: expected labels of another person for a second reading, found {those}"
        raise ConflictError(message, entry_of(connection, sentence))
    return read_again(connection, sentence, new, who, key)


def _read_before(
    connection: sqlite3.Connection, sentence: int, new: NewLabels, who: str, key: str
) -> RevisionRow | None:
    found = repeated(connection, key, who, ["reading"], sentence)
    if found and found.labels != new.labels:
        raise another_change(key)
    return found


def _fill(row: RevisionRow, new: NewLabels) -> None:
    if not (math.isfinite(new.seconds) and new.seconds >= 0 and new.actions >= 0):
        found = f"{new.seconds} seconds, {new.actions} actions"
        raise SettingError(f"seconds, actions: expected numbers from 0 on, found {found}")
    row.status, row.labels, row.draft = LABELLED, new.labels, None
    row.seconds, row.actions, row.proposal = new.seconds, new.actions, new.proposal
    row.source, row.model = checked(new.source, "source", 200), checked(new.model, "model", 200)


def skip(connection: sqlite3.Connection, sentence: int, base: int, who: str, key: str) -> RevisionRow:
    """Set a sentence aside; its labels are kept."""

    def fill(row: RevisionRow, _: RevisionRow) -> None:
        row.status = SKIPPED

    return _change(connection, sentence, "skip", who, key, base, fill)


def unskip(connection: sqlite3.Connection, sentence: int, base: int, who: str, key: str) -> RevisionRow:
    """Take a sentence back, with the labels that it had."""

    def fill(row: RevisionRow, before: RevisionRow) -> None:
        row.status = LABELLED if before.labels is not None else NEW

    return _change(connection, sentence, "unskip", who, key, base, fill)


def _change(
    connection: sqlite3.Connection,
    sentence: int,
    kind: str,
    who: str,
    key: str,
    base: int,
    fill: Callable[[RevisionRow, RevisionRow], None],
) -> RevisionRow:
    if found := repeated(connection, key, who, [kind], sentence):
        return found
    current = current_of(connection, sentence)
    _check_base(connection, current, base)
    step = RevisionStep(connection, who, key)
    _add_content(step, current, kind, fill)
    return step.rows[0]


def _add_content(
    step: RevisionStep, current: Current, kind: str, fill: Callable[[RevisionRow, RevisionRow], None]
) -> None:
    """Write a revision that begins as the one before it and is then filled."""
    before = row_of(step.connection, current.revision)
    row = step.row(current.sentence, kind)
    row.status, row.labels, row.draft = before.status, before.labels, before.draft
    row.base, row.before = current.revision, current.state
    fill(row, before)
    step.add(current, row)


def _check_base(connection: sqlite3.Connection, current: Current, base: int) -> None:
    if current.revision != base:
        entry = entry_of(connection, current.sentence)
        found = f"revision {current.revision} by {current.who!r}" if current.revision else "no revision"
        raise ConflictError(f"sentence {current.sentence}: expected revision {brief(base)}, found {found}", entry)


def flag(connection: sqlite3.Connection, sentence: int, on: bool, who: str, key: str) -> RevisionRow:
    """Set or remove the flag of a sentence."""
    kind = "flag" if on else "unflag"
    if found := repeated(connection, key, who, [kind], sentence):
        return found
    step, current = RevisionStep(connection, who, key), current_of(connection, sentence)
    row = step.row(sentence, kind)
    row.base, row.before, row.note = current.revision, current.flag_state, FLAGGED if current.flagged else ""
    step.add(current, row)
    return row


def comment(connection: sqlite3.Connection, sentence: int, text: str, who: str, key: str) -> RevisionRow:
    """Add a comment to a sentence."""
    if found := repeated(connection, key, who, ["comment"], sentence):
        if found.note != text:
            raise another_change(key)
        return found
    step, current = RevisionStep(connection, who, key), current_of(connection, sentence)
    row = step.row(sentence, "comment")
    row.base, row.note = current.revision, checked(text, "comment")
    step.add(current, row)
    return row


def proposal_text(labels: Sequence[str] | None) -> str | None:
    """The labels that the model had proposed, as they are stored."""
    return None if labels is None else dump(list(labels))


_LAST = "SELECT id FROM step WHERE who = ? AND undone = 0 AND id < ? ORDER BY id DESC LIMIT 1"
_LAST_UNDONE = "SELECT id FROM step WHERE who = ? AND undone > 0 AND dead = 0 ORDER BY undone DESC LIMIT 1"
_OWN = "SELECT id FROM step WHERE who = ? AND id = ? AND undone = 0"


Passed = dict[int, str]  # steps that could not be undone, and the key of the undo that said so


def undo(connection: sqlite3.Connection, who: str, key: str, passed: Passed, step: int = 0) -> Undone | None:
    """Undo the last step of a person that is not undone, or the one that is named; None if there is none.

    If another person has changed a sentence of the last step since, an error says so once; the next undo skips it.
    """
    if found := repeated(connection, key, who, ["undo"]):
        return _said(connection, rows_of_step(connection, found.step))
    number = _own(connection, who, step) if step else _last(connection, who, key, passed)
    try:
        return _repeat(connection, "undo", who, key, number)
    except ConflictError as error:
        if step:
            raise
        passed[number] = key
        raise ConflictError(f"{error}; the next undo passes over this step", error.entry) from None


def redo(connection: sqlite3.Connection, who: str, key: str) -> Undone | None:
    """Do again what the person undid last; None if there is nothing, or if a new step has come since."""
    if found := repeated(connection, key, who, ["redo"]):
        return _said(connection, rows_of_step(connection, found.step))
    last = connection.execute(_LAST_UNDONE, (who,)).fetchone()
    return _repeat(connection, "redo", who, key, int(last[0]) if last else 0)


def _repeat(connection: sqlite3.Connection, kind: str, who: str, key: str, number: int) -> Undone | None:
    if not number:
        return None
    step = RevisionStep(connection, who, key)
    for original in rows_of_step(connection, number):
        _add(step, kind, original)
    connection.execute("UPDATE step SET undone = ? WHERE id = ?", (step.id if kind == "undo" else 0, number))
    return _said(connection, step.rows)


def _own(connection: sqlite3.Connection, who: str, named: int) -> int:
    if not connection.execute(_OWN, (who, named)).fetchone():
        raise SettingError(f"step: expected a step of {who!r} that is not undone, found {brief(named)}")
    return named


def _last(connection: sqlite3.Connection, who: str, key: str, passed: Passed) -> int:
    """The last step; one that was passed over is left out while it cannot be undone. A repeated key repeats."""
    number = NO_END - 1
    while found := connection.execute(_LAST, (who, number)).fetchone():
        number = int(found[0])
        if passed.get(number, key) == key or _is_free(connection, number):
            return number
    return 0


def _is_free(connection: sqlite3.Connection, step: int) -> bool:
    """Whether all sentences are as the step left them."""
    return all(may_repeat("undo", current_of(connection, row.sentence), row) for row in rows_of_step(connection, step))


def _add(step: RevisionStep, kind: str, original: RevisionRow) -> None:
    connection = step.connection
    current = current_of(connection, original.sentence)
    if not may_repeat(kind, current, original):
        entry = entry_of(connection, original.sentence)
        message = f"{kind}: sentence {original.sentence}: expected it as step {original.step} left it"
        raise ConflictError(f"{message}, found revision {current.revision} by {current.who!r}", entry)
    row = step.row(original.sentence, kind)
    row.undoes, row.base, row.before = original.id, current.revision, current.state
    if original.kind in CONTENT:
        state = row_of(connection, original.before) if kind == "undo" else original
        row.status, row.labels, row.draft = state.status, state.labels, state.draft
    step.add(current, row, original)


def _said(connection: sqlite3.Connection, rows: list[RevisionRow]) -> Undone:
    original = row_of(connection, rows[0].undoes or 0)
    return Undone(original.step, [row.sentence for row in rows], original.kind, rows[-1].id)
