"""The derived tables: made again from the revisions, and compared with what they should be."""

from __future__ import annotations

import hashlib
import sqlite3
from collections import defaultdict
from collections.abc import Callable, Iterator

from perceptag.errors import PerceptagError
from perceptag.project.importing import folded
from perceptag.project.records import NOT_CHAINED, chained, digest, load
from perceptag.project.revision_steps import STATE_COLUMNS, UNDOABLE, Current, all_rows
from perceptag.project.training_log import states_upto


def steps(connection: sqlite3.Connection) -> dict[int, tuple[str, int, int]]:
    """The person of each step, which step undid it, and whether it can no longer be done again."""
    found: dict[int, tuple[str, int, int]] = {}
    undone_by: dict[str, set[int]] = defaultdict(set)  # steps that the person can do again
    step_of: dict[int, int] = {}
    rows = connection.execute("SELECT id, who, kind, step, undoes FROM revision WHERE kind != 'import' ORDER BY id")
    for number, who, kind, step, undoes in rows:
        step_of[number] = step
        if kind in UNDOABLE and number == step:
            for other in undone_by.pop(who, ()):
                found[other] = (who, found[other][1], 1)
            found[step] = (who, 0, 0)
        elif kind in ("undo", "redo"):
            person, _, dead = found[step_of[undoes]]
            found[step_of[undoes]] = (person, step if kind == "undo" else 0, dead)
            (undone_by[person].add if kind == "undo" else undone_by[person].discard)(step_of[undoes])
    return found


def rebuild(connection: sqlite3.Connection) -> None:
    """Make the derived tables again."""
    for table in ("current", "step", "words"):
        connection.execute(f"DELETE FROM {table}")
    marks = ", ".join("?" * len(STATE_COLUMNS))
    connection.executemany(
        f"INSERT INTO current VALUES ({marks})", (s.values() for s in states_upto(connection).values())
    )
    connection.executemany("INSERT INTO step VALUES (?, ?, ?, ?)", ((n, *s) for n, s in steps(connection).items()))
    texts = connection.execute("SELECT id, tokens FROM sentence").fetchall()
    connection.executemany("INSERT INTO words VALUES (?, ?)", ((n, folded(load(tokens))) for n, tokens in texts))


# --- checking ---


def findings(connection: sqlite3.Connection) -> Iterator[str]:
    """Say everything that is wrong with a file."""
    for look in (_wrong_pages, broken_chains, _wrong_sources, _wrong_sentences, _wrong_derived):
        yield from _looked(look, connection)


def _looked(look: Callable[[sqlite3.Connection], Iterator[str]], connection: sqlite3.Connection) -> Iterator[str]:
    try:
        yield from look(connection)
    except (sqlite3.Error, PerceptagError, TypeError, ValueError, LookupError, AttributeError) as error:
        yield f"the file cannot be read: {error}"


def _wrong_pages(connection: sqlite3.Connection) -> Iterator[str]:
    for (found,) in connection.execute("PRAGMA integrity_check(20)"):
        if found != "ok":
            yield f"the file: {found}"
    for wrong in connection.execute("PRAGMA foreign_key_check"):
        yield f"the file: a row of {wrong[0]} belongs to nothing"


def broken_chains(connection: sqlite3.Connection) -> Iterator[str]:
    """Say where the revisions or the events are not as they were written."""
    chain = NOT_CHAINED
    for number, (row, found) in enumerate(all_rows(connection), 1):
        chain = chained(chain, row.values())
        if row.id != number or chain != found:
            yield f"revision {row.id}: it is not as it was written"
            break
    chain = NOT_CHAINED
    events = connection.execute("SELECT id, at, who, kind, data, chain FROM event ORDER BY id")
    for number, event in enumerate(events, 1):
        chain = chained(chain, event[:-1])
        if event[0] != number or chain != event[-1]:
            yield f"event {event[0]}: it is not as it was written"
            break


def _wrong_sources(connection: sqlite3.Connection) -> Iterator[str]:
    rows = connection.execute("SELECT id, name, sha256, format, facts, tail, sentences, digest FROM source").fetchall()
    for *values, tail, number, found in rows:
        if digest([*values, bytes(tail).hex(), number]) != found:
            yield f"source {values[0]}: it is not as it was written"
        content = hashlib.sha256()
        count = 0
        for (raw,) in connection.execute(
            "SELECT raw FROM sentence s JOIN origin o ON o.sentence = s.id WHERE s.source = ? ORDER BY s.position",
            (values[0],),
        ):
            content.update(raw)
            count += 1
        content.update(tail)
        stored = load(values[4]).get("sha256", values[2])
        if count != number or content.hexdigest() != stored:
            yield f"source {values[0]}: its sentences are not the file that was imported"


def _wrong_sentences(connection: sqlite3.Connection) -> Iterator[str]:
    rows = connection.execute(
        "SELECT s.id, source, position, document, starts, tokens, columns, rank, digest, folded FROM sentence s "
        "LEFT JOIN words w ON w.sentence = s.id ORDER BY s.id"
    )
    for number, (*values, found, text) in enumerate(rows, 1):
        if values[0] != number or digest(values) != found:
            yield f"sentence {values[0]}: it is not as it was written"
        elif folded(load(values[5])) != text:
            yield f"sentence {values[0]}: its text for searching is not that of its tokens"


def _wrong_derived(connection: sqlite3.Connection) -> Iterator[str]:
    wanted, all_steps = states_upto(connection), steps(connection)
    rows = connection.execute(f"SELECT {', '.join(STATE_COLUMNS)} FROM current ORDER BY sentence")
    stored = {row[0]: Current(*row) for row in rows}
    for number in sorted(wanted.keys() | stored.keys()):
        if wanted.get(number) != stored.get(number):
            yield f"sentence {number}: its state is not that of its revisions"
    found = {n: (who, undone, dead) for n, who, undone, dead in connection.execute("SELECT * FROM step")}
    if found != all_steps:
        yield "the steps that can be undone are not those of the revisions"
