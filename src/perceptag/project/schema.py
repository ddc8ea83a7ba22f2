"""The tables of a project file.

    source    files that were imported                         never changed
    sentence  their sentences, origin their bytes               never changed
    revision  every change of a sentence                        only added to
    event     everything else: labels, settings, versions       only added to
    current   the state of each sentence     ─┐
    step      what can be undone              ├ derived: `perceptag.project.rebuilding` makes them again
    words     text to search in              ─┘

Each row of `revision` and `event` has a digest of itself and of the row before it, so that no row can change, vanish or
come between two others without notice. Rows of `source` and `sentence` have a digest of their own, and the bytes in
`origin` have that of their file.
"""

from __future__ import annotations

APPLICATION = 0x70746167  # "ptag"
VERSION = 1

_TABLES = """
CREATE TABLE source (
    id INTEGER PRIMARY KEY, name TEXT NOT NULL, sha256 TEXT NOT NULL, format TEXT NOT NULL, facts TEXT NOT NULL,
    tail BLOB NOT NULL, sentences INTEGER NOT NULL, digest BLOB NOT NULL);
CREATE TABLE sentence (
    id INTEGER PRIMARY KEY, source INTEGER NOT NULL REFERENCES source, position INTEGER NOT NULL,
    document INTEGER NOT NULL, starts INTEGER NOT NULL, tokens TEXT NOT NULL, columns TEXT NOT NULL,
    rank INTEGER NOT NULL, digest BLOB NOT NULL);
CREATE TABLE origin (sentence INTEGER PRIMARY KEY REFERENCES sentence, raw BLOB NOT NULL);
CREATE TABLE revision (
    id INTEGER PRIMARY KEY, sentence INTEGER NOT NULL REFERENCES sentence, at REAL NOT NULL, who TEXT NOT NULL,
    kind TEXT NOT NULL, status TEXT, labels TEXT, draft TEXT, base INTEGER NOT NULL, before INTEGER NOT NULL,
    key TEXT UNIQUE, step INTEGER NOT NULL, undoes INTEGER, source TEXT NOT NULL, model TEXT NOT NULL, proposal TEXT,
    seconds REAL NOT NULL, actions INTEGER NOT NULL, note TEXT NOT NULL, chain BLOB NOT NULL);
CREATE TABLE event (
    id INTEGER PRIMARY KEY, at REAL NOT NULL, who TEXT NOT NULL, kind TEXT NOT NULL, data TEXT NOT NULL,
    chain BLOB NOT NULL);
CREATE INDEX sentence_of_source ON sentence(source, position);
CREATE INDEX revision_of_sentence ON revision(sentence, id);
CREATE INDEX revision_of_step ON revision(step);
CREATE INDEX revision_rare ON revision(kind, sentence) WHERE kind IN ('reading', 'comment');
CREATE INDEX event_of_kind ON event(kind, id);
"""

_DERIVED = """
CREATE TABLE current (
    sentence INTEGER PRIMARY KEY REFERENCES sentence, source INTEGER NOT NULL, rank INTEGER NOT NULL,
    status TEXT NOT NULL, drafted INTEGER NOT NULL, revision INTEGER NOT NULL,
    state INTEGER NOT NULL, flag_state INTEGER NOT NULL, who TEXT NOT NULL, flagged INTEGER NOT NULL,
    comments INTEGER NOT NULL, first INTEGER NOT NULL);
CREATE TABLE step (id INTEGER PRIMARY KEY, who TEXT NOT NULL, undone INTEGER NOT NULL, dead INTEGER NOT NULL);
CREATE TABLE words (sentence INTEGER PRIMARY KEY REFERENCES sentence, folded TEXT NOT NULL);
CREATE INDEX current_of_source ON current(source, status, rank);
CREATE INDEX current_random ON current(status, rank, sentence);
CREATE INDEX current_learned ON current(first) WHERE status = 'labelled';
CREATE INDEX current_recent ON current(revision);
CREATE INDEX current_flagged ON current(flagged) WHERE flagged = 1;
CREATE INDEX current_drafted ON current(drafted) WHERE drafted = 1;
CREATE INDEX step_of_person ON step(who, undone, id);
"""

KEPT = ("source", "sentence", "origin", "revision", "event")
_GUARDS = "".join(
    f"CREATE TRIGGER {table}_is_not_{verb.lower()}d BEFORE {verb} ON {table} "
    f"BEGIN SELECT RAISE(ABORT, '{table}: rows are only added'); END;\n"
    for table in KEPT
    for verb in ("UPDATE", "DELETE")
)

SCHEMA = f"{_TABLES}{_DERIVED}{_GUARDS}"
