"""Reading sentences and their history."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from perceptag.errors import SettingError, brief
from perceptag.project.records import STATUSES, Comment, Entry, Revision, SourceInfo, dump, load
from perceptag.project.revision_steps import SELECT, RevisionRow, current_of

_ENTRY = """
SELECT s.id, s.source, s.position, s.document, s.tokens, s.columns, s.rank, c.status, r.labels, r.draft,
       c.revision, c.who, c.flagged, c.comments
FROM current c JOIN sentence s ON s.id = c.sentence LEFT JOIN revision r ON r.id = c.revision
"""
_ORDERS = {"position": "c.sentence", "recent": "c.revision DESC, c.sentence", "random": "c.rank, c.sentence"}
AT_ONCE = 500  # numbers in one query


def _entry(row: Sequence[Any]) -> Entry:
    number, source, position, document, tokens, columns, rank, status, labels, draft, *rest = row
    revision, who, flagged, comments = rest
    return Entry(
        number, source, position, document, load(tokens), load(columns), rank, status, load(labels),
        load(draft), revision, who, bool(flagged), comments,
    )  # fmt: skip


def entry_of(connection: sqlite3.Connection, sentence: int) -> Entry:
    """One sentence, which must exist."""
    current_of(connection, sentence)
    return _entry(connection.execute(f"{_ENTRY} WHERE c.sentence = ?", (sentence,)).fetchone())


def entries_of(connection: sqlite3.Connection, sentences: Iterable[int]) -> list[Entry]:
    """Some sentences, in the order that is asked for."""
    wanted = list(sentences)
    found: dict[int, Entry] = {}
    for i in range(0, len(wanted), AT_ONCE):
        some = wanted[i : i + AT_ONCE]
        rows = connection.execute(f"{_ENTRY} WHERE c.sentence IN ({', '.join('?' * len(some))})", some)
        found |= {row[0]: _entry(row) for row in rows}
    for number in wanted:
        if number not in found:
            raise SettingError(f"sentence: expected the number of a sentence of the project, found {brief(number)}")
    return [found[number] for number in wanted]


@dataclass(frozen=True, slots=True, kw_only=True)
class Filter:
    """Conditions on sentences; those that are None, or an empty text, do not count."""

    kind: str = ""  # of the project
    status: str | None = None
    flagged: bool | None = None
    label: str | None = None
    text: str | None = None  # in the tokens, with spaces between them, in small or large letters
    source: int | None = None
    drafted: bool | None = None  # has words that were marked
    who: str | None = None  # has labelled it, or read it a second time
    commented: bool | None = None

    def sql(self, what: str) -> tuple[str, list[object]]:
        """A query over the state of sentences, and its values."""
        if self.status not in (None, *STATUSES):
            raise SettingError(f"status: expected {', '.join(STATUSES)}, found {brief(self.status)}")
        label = None if self.label is None else dump(f"B-{self.label}" if self.kind == "spans" else self.label)
        conditions = {
            "c.status = ?": self.status,
            "c.flagged = ?": self.flagged,
            "instr(l.labels, ?) > 0": label,
            "instr(w.folded, ?) > 0": self.text.casefold() if self.text else None,
            "c.source = ?": self.source,
            "c.drafted = ?": self.drafted,
            "EXISTS (SELECT 1 FROM revision p WHERE p.sentence = c.sentence AND p.who = ? AND p.labels IS NOT NULL)": (
                self.who
            ),
            "(c.comments > 0) = ?": self.commented,
        }
        wanted = {condition: value for condition, value in conditions.items() if value is not None}
        joins = "JOIN revision l ON l.id = c.revision " * (label is not None)
        joins += "JOIN words w ON w.sentence = c.sentence " * bool(self.text)
        where = f"WHERE {' AND '.join(wanted)}" if wanted else ""
        return f"SELECT {what} FROM current c {joins}{where}", list(wanted.values())

    def find(self, connection: sqlite3.Connection, order: str, limit: int, offset: int) -> tuple[int, list[int]]:
        """How many sentences there are, and the numbers of some of them."""
        if order not in _ORDERS:
            raise SettingError(f"order: expected {', '.join(_ORDERS)}, found {brief(order)}")
        (total,) = connection.execute(*self.sql("count(*)")).fetchone()
        query, values = self.sql("c.sentence")
        page = f"{query} ORDER BY {_ORDERS[order]} LIMIT ? OFFSET ?"
        rows = connection.execute(page, [*values, max(-1, limit), max(0, offset)])
        return total, [number for (number,) in rows]


# --- history ---


def revision_from(row: RevisionRow) -> Revision:
    """A revision as callers see it."""
    return Revision(
        row.id, row.sentence, row.at, row.who, row.kind, load(row.labels), load(row.draft), row.status or "", row.base,
        row.key or "", row.step, row.undoes or 0, row.source, row.model, load(row.proposal), row.seconds, row.actions,
        row.note,
    )  # fmt: skip


def history(connection: sqlite3.Connection, sentence: int | None, before: int | None, limit: int) -> list[Revision]:
    """Revisions, the newest first: of one sentence, or of all, then without those of imports."""
    conditions, values = [], []
    if sentence is not None:
        conditions.append("sentence = ?")
        values.append(sentence)
    else:
        conditions.append("kind != 'import'")
    if before is not None:
        conditions.append("id < ?")
        values.append(before)
    rows = connection.execute(
        f"{SELECT} WHERE {' AND '.join(conditions)} ORDER BY id DESC LIMIT ?", [*values, max(0, limit)]
    )
    return [revision_from(RevisionRow(*row)) for row in rows]


def comments_of(connection: sqlite3.Connection, sentence: int) -> list[Comment]:
    """The comments on a sentence, the oldest first."""
    rows = connection.execute(
        "SELECT id, at, who, note FROM revision WHERE kind = 'comment' AND sentence = ? ORDER BY id", (sentence,)
    )
    return [Comment(*row) for row in rows]


# --- the whole ---


def sources_of(connection: sqlite3.Connection) -> list[SourceInfo]:
    """The files that were imported."""
    rows = connection.execute("SELECT id, name, sha256, format, facts, tail, sentences FROM source ORDER BY id")
    return [
        SourceInfo(number, name, sha256, format_, load(facts), tail, sentences)
        for number, name, sha256, format_, facts, tail, sentences in rows
    ]
