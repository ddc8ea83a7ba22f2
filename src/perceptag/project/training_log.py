"""The labelled sentences as training needs them, now or as of an earlier revision, and the pool of all others."""

from __future__ import annotations

import sqlite3
from dataclasses import replace
from typing import Any

from perceptag.project.records import LABELLED, NEW, LabelledSentence, SecondReading, Unlabelled
from perceptag.project.revision_steps import SELECT
from perceptag.project.sampling import NO_END, not_sampled, thresholds
from perceptag.project.state import Current, RevisionRow, apply
from perceptag.project.values import load, load_all

_NOW = """
SELECT sentence, revision, first, rank, source FROM current
WHERE status = 'labelled' AND sealed = 0 ORDER BY first, sentence
"""
_READINGS = """
SELECT r.sentence, r.id, f.who, f.labels, r.who, r.labels FROM revision r JOIN step s ON s.id = r.step
JOIN current c ON c.sentence = r.sentence JOIN revision f ON f.id = r.base
WHERE r.kind = 'reading' AND s.undone = 0 AND c.status = 'labelled' AND f.status = 'labelled' AND f.who != r.who
ORDER BY r.id
"""
AT_ONCE = 5000

Row5 = tuple[int, int, int, int, int]  # sentence, revision, first, rank, source


class TrainingLog:
    """Keeps the sentences that it has returned, so that only new and changed ones are read from the file."""

    def __init__(self) -> None:
        self._kept: dict[int, LabelledSentence] = {}

    def now(self, connection: sqlite3.Connection) -> list[LabelledSentence]:
        """All labelled sentences, in the order of their first labels."""
        return self._labelled(connection, connection.execute(_NOW).fetchall(), thresholds(connection))

    def upto(self, connection: sqlite3.Connection, revision: int) -> list[LabelledSentence]:
        """The same as of a revision."""
        states = states_upto(connection, revision)
        below = not_sampled(connection)
        for state in states:
            if state.status == NEW and not state.sealed:
                below[state.source] = min(state.rank, below.get(state.source, NO_END))
        found = [s for s in states if s.status == LABELLED and not s.sealed]
        found.sort(key=lambda s: (s.first, s.sentence))
        return self._labelled(connection, [(s.sentence, s.revision, s.first, s.rank, s.source) for s in found], below)

    def _labelled(
        self, connection: sqlite3.Connection, rows: list[Row5], below: dict[int, int]
    ) -> list[LabelledSentence]:
        kept = self._kept
        missing = [row for row in rows if row[0] not in kept or kept[row[0]].revision != row[1]]
        added = _read(connection, missing, below)
        kept.update(added)
        found = []
        for number, _, _, rank, source in rows:
            is_in = rank < below.get(source, NO_END)
            one = kept[number]
            if one.in_sample != is_in:
                one = kept[number] = replace(one, in_sample=is_in)
            found.append(one)
        return found


def _read(connection: sqlite3.Connection, rows: list[Row5], below: dict[int, int]) -> dict[int, LabelledSentence]:
    """Read sentences with the labels of a revision."""
    found: dict[int, LabelledSentence] = {}
    for i in range(0, len(rows), AT_ONCE):
        some = rows[i : i + AT_ONCE]
        texts = _sentence_texts(connection, [row[0] for row in some])
        revisions = ", ".join(str(row[1]) for row in some)
        labels = dict(connection.execute(f"SELECT id, labels FROM revision WHERE id IN ({revisions})"))
        tokens = load_all(texts[row[0]][1] for row in some)
        columns = load_all(texts[row[0]][2] for row in some)
        values = load_all(labels[row[1]] for row in some)
        for (number, revision, first, rank, source), t, c, y in zip(some, tokens, columns, values, strict=True):
            is_in = rank < below.get(source, NO_END)
            found[number] = LabelledSentence(number, t, c, y, first, revision, rank, texts[number][0], is_in)
    return found


def _sentence_texts(connection: sqlite3.Connection, numbers: list[int]) -> dict[int, tuple[int, str, str]]:
    """Document, tokens and columns of sentences."""
    listed = ", ".join(map(str, numbers))
    rows = connection.execute(f"SELECT id, document, tokens, columns FROM sentence WHERE id IN ({listed})")
    return {number: (document, tokens, columns) for number, document, tokens, columns in rows}


def states_upto(connection: sqlite3.Connection, revision: int) -> list[Current]:
    """The state of each sentence as of a revision, by repeating all up to it.

    A sentence whose file was imported later is not there yet; nothing tells for one without labels, so that it counts.
    """
    rows = connection.execute("SELECT id, source, rank FROM sentence ORDER BY id")
    states = {number: Current(number, source, rank) for number, source, rank in rows}
    replay(connection, states, revision)
    return list(states.values())


def replay(connection: sqlite3.Connection, states: dict[int, Current], upto: int | None = None) -> None:
    """Apply all revisions, in order, to the states of sentences."""
    originals: dict[int, RevisionRow] = {}
    wanted = {n for (n,) in connection.execute("SELECT undoes FROM revision WHERE undoes IS NOT NULL")}
    for values in connection.execute(f"{SELECT} WHERE id <= ? ORDER BY id", (NO_END - 1 if upto is None else upto,)):
        row = RevisionRow(*values)
        if row.id in wanted:
            originals[row.id] = row
        apply(states[row.sentence], row, originals[row.undoes] if row.undoes else None)


def pool(connection: sqlite3.Connection, after: int, limit: int | None) -> list[Unlabelled]:
    """Sentences that are not labelled, skipped or sealed, from a number on."""
    rows: list[Any] = connection.execute(
        "SELECT s.id, s.tokens, s.columns, s.rank, s.document "
        "FROM current c NOT INDEXED JOIN sentence s ON s.id = c.sentence "
        "WHERE c.status = 'new' AND c.sealed = 0 AND c.sentence > ? ORDER BY c.sentence LIMIT ?",
        (after, -1 if limit is None else limit),
    ).fetchall()
    tokens, columns = load_all(row[1] for row in rows), load_all(row[2] for row in rows)
    return [Unlabelled(r[0], t, c, r[3], r[4]) for r, t, c in zip(rows, tokens, columns, strict=True)]


def readings(connection: sqlite3.Connection) -> list[SecondReading]:
    """Sentences that were read a second time, with the labels that they had then; the last reading of each person."""
    found: dict[tuple[int, str], SecondReading] = {}
    for number, revision, first, labels, second, reading in connection.execute(_READINGS):
        found.pop((number, second), None)
        found[number, second] = SecondReading(number, revision, first, load(labels), second, load(reading))
    return list(found.values())
