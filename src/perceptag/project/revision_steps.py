"""Adding revisions: one step of one person, in one transaction."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterable
from dataclasses import dataclass
from operator import attrgetter

from perceptag.errors import SettingError, brief
from perceptag.project.records import LABELLED, NEW, NOT_CHAINED, Event, chained, checked, dump, load

# kind      labels, draft, status            may be undone
# import    those of the file                no
# label     new labels                       yes
# skip      status skipped                   yes
# unskip    status as before                 yes
# reading   stay                             yes
# flag      stay                             yes
# unflag    stay                             yes
# comment   stay                             no
# undo      those before the undone one      by redo
# redo      those after the undone one       by undo

CONTENT = frozenset({"import", "label", "skip", "unskip"})  # they set labels, draft and status
FLAGGED = "flagged"
UNDOABLE = frozenset({"label", "skip", "unskip", "flag", "unflag", "reading"})


@dataclass(slots=True)
class RevisionRow:
    """A row of the table of revisions; labels, draft and proposal are JSON text."""

    id: int
    sentence: int
    at: float
    who: str
    kind: str
    status: str | None = None
    labels: str | None = None
    draft: str | None = None
    base: int = 0
    before: int = 0  # the revision whose state, or whose flag, this one replaced
    key: str | None = None
    step: int = 0
    undoes: int | None = None
    source: str = ""
    model: str = ""
    proposal: str | None = None
    seconds: float = 0.0
    actions: int = 0
    note: str = ""  # the text of a comment; for flags FLAGGED if there was one before

    def values(self) -> tuple[object, ...]:
        """The columns of the table, in order, without the digest."""
        found: tuple[object, ...] = _ROW(self)
        return found


COLUMNS = tuple(RevisionRow.__slots__)
_ROW = attrgetter(*COLUMNS)


@dataclass(slots=True)
class Current:
    """A row of the table of current states."""

    sentence: int
    source: int
    rank: int
    status: str = NEW
    drafted: int = 0  # it is new and has a draft
    revision: int = 0  # the last one that changed labels, draft or status
    state: int = 0  # the revision whose labels, draft and status it has; an undone one is not it
    flag_state: int = 0  # the revision whose flag it has
    who: str = ""
    flagged: int = 0
    comments: int = 0
    first: int = 0  # the first revision that gave it labels

    def values(self) -> tuple[object, ...]:
        """The columns of the table, in order."""
        found: tuple[object, ...] = _STATE(self)
        return found


STATE_COLUMNS = tuple(Current.__slots__)
_STATE = attrgetter(*STATE_COLUMNS)


def apply(current: Current, row: RevisionRow, original: RevisionRow | None = None) -> None:
    """Change the state as a revision says; `original` is the one that it undoes or does again."""
    what = original or row
    if what.kind in CONTENT:
        current.state = what.before if row.kind == "undo" else what.id
        _take_content(current, row)
    elif what.kind in ("flag", "unflag"):
        is_undone = row.kind == "undo"
        current.flag_state = what.before if is_undone else what.id
        current.flagged = int(what.note == FLAGGED if is_undone else what.kind == "flag")
    elif what.kind == "comment":
        current.comments += 1


def _take_content(current: Current, row: RevisionRow) -> None:
    current.status = row.status or NEW
    current.drafted = int(row.draft is not None and row.status == NEW)
    current.revision = row.id
    current.who = row.who
    if row.status == LABELLED and not current.first:
        current.first = row.id


def may_repeat(kind: str, current: Current, original: RevisionRow) -> bool:
    """Whether a revision may be undone, or done again: the sentence is as it was after it, or before it."""
    state = original.id if kind == "undo" else original.before
    return original.kind == "reading" or state == (current.state if original.kind in CONTENT else current.flag_state)


_INSERT = f"INSERT INTO revision VALUES ({', '.join('?' * (len(COLUMNS) + 1))})"
SELECT = f"SELECT {', '.join(COLUMNS)} FROM revision"
_CURRENT = f"SELECT {', '.join(STATE_COLUMNS)} FROM current WHERE sentence = ?"


class RevisionStep:
    """Revisions that are written together and undone together."""

    def __init__(self, connection: sqlite3.Connection, who: str, key: str = "") -> None:
        self.connection = connection
        self.who = checked(who, "who", 200)
        self.at = time.time()
        self.rows: list[RevisionRow] = []
        self._waiting: list[tuple[object, ...]] = []
        self._key = checked(key, "key", 200) or None
        self._last, self._chain = last_of(connection, "revision")

    @property
    def id(self) -> int:
        """The number of the step: that of its first revision; 0 if there is none yet."""
        return self.rows[0].id if self.rows else 0

    def row(self, sentence: int, kind: str) -> RevisionRow:
        """Return the next revision, to be filled and given to `add`."""
        self._last += 1
        row = RevisionRow(self._last, sentence, self.at, self.who, kind, step=self.id or self._last)
        if not self.rows:
            row.key = self._key
        self.rows.append(row)
        return row

    def add(self, current: Current, row: RevisionRow, original: RevisionRow | None = None) -> None:
        """Write a revision and the new state of its sentence."""
        before = current.values()
        apply(current, row, original)
        self.connection.execute(_INSERT, self._chained(row))
        self._update(before, current)
        if row.kind in UNDOABLE and row.id == row.step:
            self._begin()

    def _update(self, before: tuple[object, ...], current: Current) -> None:
        """Write what has changed of a state, so that indexes of other columns are not touched."""
        triples = zip(STATE_COLUMNS, before, current.values(), strict=True)
        changed = {name: new for name, old, new in triples if new != old}
        if changed:
            names = ", ".join(f"{name} = ?" for name in changed)
            values = (*changed.values(), current.sentence)
            self.connection.execute(f"UPDATE current SET {names} WHERE sentence = ?", values)

    def put(self, current: Current, row: RevisionRow) -> None:
        """Change the state by a revision; both are written later, the revision by `flush`."""
        apply(current, row)
        self._waiting.append(self._chained(row))

    def flush(self) -> None:
        """Write the revisions that were put."""
        self.connection.executemany(_INSERT, self._waiting)
        self._waiting.clear()

    def _chained(self, row: RevisionRow) -> tuple[object, ...]:
        """A row with its digest."""
        values = row.values()
        self._chain = chained(self._chain, values)
        return (*values, self._chain)

    def _begin(self) -> None:
        """What was undone before a new step can no longer be done again."""
        self.connection.execute("UPDATE step SET dead = 1 WHERE who = ? AND undone > 0 AND dead = 0", (self.who,))
        self.connection.execute("INSERT INTO step VALUES (?, ?, 0, 0)", (self.id, self.who))


def last_of(connection: sqlite3.Connection, table: str) -> tuple[int, bytes]:
    """The number and the digest of the last row of a table that is only added to."""
    found = connection.execute(f"SELECT id, chain FROM {table} ORDER BY id DESC LIMIT 1").fetchone()
    return (int(found[0]), bytes(found[1])) if found else (0, NOT_CHAINED)


def current_of(connection: sqlite3.Connection, sentence: int) -> Current:
    """The state of a sentence, which must exist."""
    is_number = isinstance(sentence, int) and not isinstance(sentence, bool) and abs(sentence) < 1 << 62
    found = connection.execute(_CURRENT, (sentence,)).fetchone() if is_number else None
    if found is None:
        raise SettingError(f"sentence: expected the number of a sentence of the project, found {brief(sentence)}")
    return Current(*found)


def row_of(connection: sqlite3.Connection, revision: int) -> RevisionRow:
    """A revision that exists; for 0 the state of an untouched sentence."""
    if not revision:
        return RevisionRow(0, 0, 0.0, "", "", NEW)
    return RevisionRow(*connection.execute(f"{SELECT} WHERE id = ?", (revision,)).fetchone())


def rows_of_step(connection: sqlite3.Connection, step: int) -> list[RevisionRow]:
    """The revisions of a step."""
    return [RevisionRow(*found) for found in connection.execute(f"{SELECT} WHERE step = ? ORDER BY id", (step,))]


def all_rows(connection: sqlite3.Connection) -> Iterable[tuple[RevisionRow, bytes]]:
    """Every revision with its digest, in order."""
    found = connection.execute(f"SELECT {', '.join(COLUMNS)}, chain FROM revision ORDER BY id")
    return ((RevisionRow(*row[:-1]), row[-1]) for row in found)


def repeated(
    connection: sqlite3.Connection, key: str, who: str, kinds: Iterable[str], sentence: int = 0
) -> RevisionRow | None:
    """The first revision that was written with this key; it must have meant the same."""
    found = connection.execute(f"{SELECT} WHERE key = ?", (key,)).fetchone() if key else None
    if found is None:
        return None
    row = RevisionRow(*found)
    if row.who != who or row.kind not in kinds or (sentence and row.sentence != sentence):
        raise another_change(key)
    return row


def another_change(key: str) -> SettingError:
    """The error for a key that comes again with something else."""
    return SettingError(f"key: expected a new one for each change, found one of another change: {brief(key)}")


def add_event(connection: sqlite3.Connection, kind: str, who: str, data: object) -> Event:
    """Write an event."""
    last, chain = last_of(connection, "event")
    row = (last + 1, time.time(), checked(who, "who", 200), checked(kind, "kind", 200), dump(data))
    connection.execute("INSERT INTO event VALUES (?, ?, ?, ?, ?, ?)", (*row, chained(chain, row)))
    return Event(row[0], row[1], who, kind, data)


def events_of(connection: sqlite3.Connection, kind: str) -> list[Event]:
    """All events of a kind."""
    rows = connection.execute("SELECT id, at, who, kind, data FROM event WHERE kind = ? ORDER BY id", (kind,))
    return [Event(number, at, who, kind, load(data)) for number, at, who, kind, data in rows]
