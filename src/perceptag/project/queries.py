"""Reading sentences and their history."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from typing import Any

from perceptag.errors import SettingError, brief
from perceptag.project.records import STATUSES, Comment, Entry, Revision, SourceInfo, dump, load
from perceptag.project.revision_steps import SELECT, RevisionRow, current_of

_ENTRY = """
SELECT s.id, s.source, s.position, s.document, s.tokens, s.columns, s.rank, c.sealed, c.status, r.labels, r.draft,
       c.revision, c.who, c.flagged, c.comments
FROM current c JOIN sentence s ON s.id = c.sentence LEFT JOIN revision r ON r.id = c.revision
"""
_ORDERS = {"position": "c.sentence", "recent": "c.revision DESC, c.sentence", "random": "c.rank, c.sentence"}
AT_ONCE = 500  # numbers in one query


def _entry(row: Sequence[Any]) -> Entry:
    number, source, position, document, tokens, columns, rank, sealed, status, labels, draft, *rest = row
    revision, who, flagged, comments = rest
    return Entry(
        number, source, position, document, load(tokens), load(columns), rank, bool(sealed), status, load(labels),
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


class Filter:
    """Conditions on sentences, as SQL."""

    def __init__(self, kind: str) -> None:
        self._kind = kind
        self._joins: list[str] = []
        self._conditions: list[str] = []
        self._values: list[object] = []

    @classmethod
    def of(
        cls,
        kind: str,
        status: str | None,
        flagged: bool | None,
        label: str | None,
        text: str | None,
        source: int | None,
    ) -> Filter:
        """All conditions that are not None."""
        wanted = cls(kind)
        wanted.status(status)
        wanted.flagged(flagged)
        wanted.label(label)
        wanted.text(text)
        wanted.source(source)
        return wanted

    def where(self, condition: str, *values: object) -> None:
        """Add a condition."""
        self._conditions.append(condition)
        self._values += values

    def status(self, status: str | None) -> None:
        """Only sentences of this status."""
        if status is not None:
            if status not in STATUSES:
                raise SettingError(f"status: expected {', '.join(STATUSES)}, found {brief(status)}")
            self.where("c.status = ?", status)

    def flagged(self, flagged: bool | None) -> None:
        """Only sentences with or without a flag."""
        if flagged is not None:
            self.where("c.flagged = ?", int(flagged))

    def label(self, label: str | None) -> None:
        """Only sentences with this label."""
        if label is not None:
            self._joins.append("JOIN revision l ON l.id = c.revision")
            self.where("instr(l.labels, ?) > 0", dump(f"B-{label}" if self._kind == "spans" else label))

    def text(self, text: str | None) -> None:
        """Only sentences whose tokens, with spaces between them, contain this, in small or large letters."""
        if text:
            self._joins.append("JOIN words w ON w.sentence = c.sentence")
            self.where("instr(w.folded, ?) > 0", text.casefold())

    def source(self, source: int | None) -> None:
        """Only sentences of this source."""
        if source is not None:
            self.where("c.source = ?", source)

    def sql(self, what: str) -> str:
        """A query over the state of sentences."""
        conditions = f"WHERE {' AND '.join(self._conditions)}" if self._conditions else ""
        return f"SELECT {what} FROM current c {' '.join(self._joins)} {conditions}"

    def find(self, connection: sqlite3.Connection, order: str, limit: int, offset: int) -> tuple[int, list[int]]:
        """How many sentences there are, and the numbers of some of them."""
        if order not in _ORDERS:
            raise SettingError(f"order: expected {', '.join(_ORDERS)}, found {brief(order)}")
        (total,) = connection.execute(self.sql("count(*)"), self._values).fetchone()
        page = f"{self.sql('c.sentence')} ORDER BY {_ORDERS[order]} LIMIT ? OFFSET ?"
        rows = connection.execute(page, [*self._values, max(-1, limit), max(0, offset)])
        return total, [number for (number,) in rows]


def with_tokens(
    connection: sqlite3.Connection, wanted: Iterable[Sequence[str]], after: int
) -> dict[tuple[str, ...], list[int]]:
    """The sentences, sealed ones too, that have exactly these tokens; only those with numbers above `after`."""
    texts = {dump(list(tokens)): tuple(tokens) for tokens in wanted}
    found: dict[tuple[str, ...], list[int]] = {}
    for number, text in connection.execute("SELECT id, tokens FROM sentence WHERE id > ? ORDER BY id", (after,)):
        if text in texts:
            found.setdefault(texts[text], []).append(number)
    return found


def matches(
    connection: sqlite3.Connection, words: Sequence[str], *, ignore_case: bool, status: str | None, limit: int
) -> tuple[int, list[tuple[int, int]]]:
    """Where these words stand next to each other: how often, and (sentence, first token) of some of the places."""
    given = [word.casefold() if ignore_case else word for word in words]
    filter_ = Filter("")
    filter_.status(status)
    filter_.text(" ".join(words))
    filter_.where("c.sealed = 0")
    rows = connection.execute(
        f"SELECT id, tokens FROM sentence WHERE id IN ({filter_.sql('c.sentence')}) ORDER BY id", filter_._values
    )
    total = 0
    found: list[tuple[int, int]] = []
    for number, text in rows:
        tokens = [token.casefold() for token in load(text)] if ignore_case else load(text)
        for start in range(len(tokens) - len(given) + 1):
            if tokens[start : start + len(given)] == given:
                total += 1
                if len(found) < limit:
                    found.append((number, start))
    return total, found


# --- history ---


def revision_from(row: RevisionRow) -> Revision:
    """A revision as callers see it."""
    return Revision(
        row.id, row.sentence, row.at, row.who, row.kind, load(row.labels), load(row.draft), row.status or "", row.base,
        row.key or "", row.step, row.undoes or 0, row.source, row.model, load(row.proposal), row.seconds, row.actions,
        row.note,
    )  # fmt: skip


def history(connection: sqlite3.Connection, sentence: int | None, before: int | None, limit: int) -> list[Revision]:
    """Revisions, the newest first: of one sentence, or of all, then without those of imports and of sealing."""
    conditions, values = [], []
    if sentence is not None:
        conditions.append("sentence = ?")
        values.append(sentence)
    else:
        conditions.append("kind NOT IN ('import', 'seal')")
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
