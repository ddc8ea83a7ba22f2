"""Labelled sentences for training, now or as of an earlier revision; the pool of all others, and the random sample."""

from __future__ import annotations

import sqlite3
from collections.abc import Collection
from dataclasses import replace
from typing import Any

from perceptag.project.records import (
    LABELLED,
    NEW,
    SKIPPED,
    LabelledSentence,
    SecondReading,
    SentenceCounts,
    Unlabelled,
    load,
    load_all,
)
from perceptag.project.revision_steps import SELECT, Current, RevisionRow, apply

_NOW = """
SELECT sentence, revision, first, rank, source FROM current
WHERE status = 'labelled' ORDER BY first, sentence
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
        states = states_upto(connection, revision).values()
        below: dict[int, int] = {}
        for state in states:
            if state.status == NEW:
                below[state.source] = min(state.rank, below.get(state.source, NO_END))
        found = [s for s in states if s.status == LABELLED]
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


def states_upto(connection: sqlite3.Connection, revision: int | None = None) -> dict[int, Current]:
    """The state of each sentence as of a revision, by repeating all up to it, or all there are.

    A sentence whose file was imported later is not there yet; nothing tells for one without labels, so that it counts.
    """
    rows = connection.execute("SELECT id, source, rank FROM sentence ORDER BY id")
    states = {number: Current(number, source, rank) for number, source, rank in rows}
    replay(connection, states, revision)
    return states


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
    """Sentences that are not labelled or skipped, from a number on."""
    rows: list[Any] = connection.execute(
        "SELECT s.id, s.tokens, s.columns, s.rank, s.document "
        "FROM current c NOT INDEXED JOIN sentence s ON s.id = c.sentence "
        "WHERE c.status = 'new' AND c.sentence > ? ORDER BY c.sentence LIMIT ?",
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


# Each sentence has a fixed rank that looks random. The random sample of a source are its labelled sentences whose rank
# is below that of every sentence that is still open: neither labelled nor skipped. These are the first
# ones of a random order, so they are a random sample, whatever else was labelled and why.

NO_END = 1 << 63  # above every rank
_OPEN = "status = 'new'"
_ORDERS = {
    "random": (_OPEN, "rank, sentence"),
    "order": (_OPEN, "sentence"),
    "drafts": (f"{_OPEN} AND drafted = 1", "rank, sentence"),
    "second": (
        "status = 'labelled' AND who NOT IN ('', :who) AND NOT EXISTS (SELECT 1 FROM revision r "
        "JOIN step s ON s.id = r.step WHERE r.kind = 'reading' AND r.sentence = current.sentence AND r.who = :who "
        "AND s.undone = 0) AND NOT EXISTS "
        "(SELECT 1 FROM revision d WHERE d.id = current.state AND d.source = 'decided')",
        "rank, sentence",
    ),
}


def thresholds(connection: sqlite3.Connection) -> dict[int, int]:
    """For each source the rank below which everything is labelled or skipped."""
    least = f"SELECT min(rank) FROM current WHERE source = ? AND {_OPEN}"
    sources = [number for (number,) in connection.execute("SELECT id FROM source")]
    ranks = {number: connection.execute(least, (number,)).fetchone()[0] for number in sources}
    return {number: NO_END if rank is None else rank for number, rank in ranks.items()}


def next_of(
    connection: sqlite3.Connection, strategy: str, exclude: Collection[int], limit: int, who: str = ""
) -> list[int]:
    """The next sentences of an order, without some."""
    condition, order = _ORDERS[strategy]
    rows = connection.execute(f"SELECT sentence FROM current WHERE {condition} ORDER BY {order}", {"who": who})
    left_out = set(exclude)
    found: list[int] = []
    for (number,) in rows:
        if len(found) >= limit:
            break
        if number not in left_out:
            found.append(number)
    return found


def counts(connection: sqlite3.Connection) -> SentenceCounts:
    """How many sentences there are of each sort. The open ones, which may be many, are not counted one by one."""

    def number(condition: str) -> int:
        return int(connection.execute(f"SELECT count(*) FROM current WHERE {condition}").fetchone()[0])

    (sentences,) = connection.execute("SELECT coalesce(sum(sentences), 0) FROM source").fetchone()
    labelled, skipped = (number(f"status = '{status}'") for status in (LABELLED, SKIPPED))
    return SentenceCounts(
        sentences=sentences,
        labelled=labelled,
        skipped=skipped,
        left=sentences - labelled - skipped,
        drafts=number("drafted = 1"),
        flagged=number("flagged = 1"),
        random=_sample_size(connection),
    )


def _sample_size(connection: sqlite3.Connection) -> int:
    number = "SELECT count(*) FROM current WHERE source = ? AND status = 'labelled' AND rank < ?"
    return sum(
        connection.execute(number, (source, min(rank, NO_END - 1))).fetchone()[0]
        for source, rank in thresholds(connection).items()
    )
