"""Undo and redo: by step, for each person, for as long as the project exists. Both only add revisions."""

from __future__ import annotations

import sqlite3

from perceptag.errors import ConflictError, SettingError, brief
from perceptag.project.queries import entry_of
from perceptag.project.records import Undone
from perceptag.project.revision_steps import RevisionStep, current_of, repeated, row_of, rows_of_step
from perceptag.project.sampling import NO_END
from perceptag.project.state import CONTENT, RevisionRow, may_redo, may_undo

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
    return all(may_undo(current_of(connection, row.sentence), row) for row in rows_of_step(connection, step))


def _add(step: RevisionStep, kind: str, original: RevisionRow) -> None:
    connection = step.connection
    current = current_of(connection, original.sentence)
    if not (may_undo if kind == "undo" else may_redo)(current, original):
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
