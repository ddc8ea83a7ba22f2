"""Export: the sentences of a project in a file.

A whole source that is written in its own format is the file that was imported, with new labels where they have changed.
Anything else (some of its sentences, another format, sources that do not fit together) is written sentence by sentence.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from perceptag.errors import SettingError, brief
from perceptag.project.outer_labels import MISSING, to_outer
from perceptag.project.queries import sources_of
from perceptag.project.records import LABELLED, SKIPPED, SourceInfo
from perceptag.project.rewriting import rewritten
from perceptag.project.source_files import CONLLU, JSONL, is_conllu_column, read_bytes
from perceptag.project.values import load
from perceptag.system.output_files import Target, bytes_writer
from perceptag.text.compressed import open_output
from perceptag.text.conllu import CONLLU_COLUMNS
from perceptag.text.formats import choose
from perceptag.text.label_column import LabelColumn
from perceptag.text.sentence import Sentence

_ROWS = """
SELECT s.id, s.document IN (SELECT document FROM sentence WHERE source = :source AND starts = 1), s.document, c.status,
       r.labels, o.raw,
       (SELECT i.labels FROM revision i WHERE i.sentence = s.id AND i.kind = 'import' ORDER BY i.id LIMIT 1)
FROM sentence s JOIN current c ON c.sentence = s.id JOIN origin o ON o.sentence = s.id
LEFT JOIN revision r ON r.id = c.revision WHERE s.source = :source ORDER BY s.position
"""


@dataclass(slots=True)
class ExportedSource:
    """The sentences of one source that are written."""

    source: SourceInfo
    rows: list[Any]

    @property
    def is_whole(self) -> bool:
        """Whether no sentence of the source is left out."""
        return len(self.rows) == self.source.sentences


def export(
    connection: sqlite3.Connection, target: Target, format_: str | None, status: str, source: int | None, column: str
) -> int:
    """Write sentences; return how many."""
    chosen = choose(format_, target)
    parts = [part for part in _parts(connection, status, source) if part.rows]
    with open_output(target) as stream:
        if _is_plain(parts, chosen.name):
            put = bytes_writer(stream)
            for n, part in enumerate(parts):
                for piece in _bytes(part, is_last=n == len(parts) - 1):
                    put(piece)
        else:
            scheme = _scheme(parts)
            chosen.write((s for part in parts for s in _sentences(part, chosen.name, scheme, column)), stream)
    return sum(len(part.rows) for part in parts)


def _parts(connection: sqlite3.Connection, status: str, source: int | None) -> Iterator[ExportedSource]:
    sources = sources_of(connection)
    if status not in (LABELLED, "all"):
        raise SettingError(f"status: expected labelled or all, found {brief(status)}")
    if source is not None and source not in [s.id for s in sources]:
        raise SettingError(f"source: expected one of {', '.join(str(s.id) for s in sources)}, found {brief(source)}")
    for one in sources:
        if source in (None, one.id):
            rows = connection.execute(_ROWS, {"source": one.id}).fetchall()
            yield ExportedSource(one, [row for row in rows if status == "all" or row[3] == LABELLED])


def _is_plain(parts: Sequence[ExportedSource], format_: str) -> bool:
    """Whether the bytes of the sources can be written one after the other."""
    if any(part.source.format != format_ or not part.is_whole for part in parts):
        return False
    first = parts[0].source.facts if parts else {}
    same = ("columns", "separator", "label", "scheme", "labelled")
    return len(parts) == 1 or all(part.source.facts.get(k) == first.get(k) for part in parts for k in same)


def _scheme(parts: Sequence[ExportedSource]) -> str:
    """The scheme of a file of several sources: theirs if they agree."""
    found = {part.source.facts["scheme"] for part in parts}
    return found.pop() if len(found) == 1 else "IOB2"


def _bytes(part: ExportedSource, is_last: bool) -> Iterator[bytes]:
    source = part.source
    scheme = source.facts["scheme"]
    gets_column = not source.facts["labelled"] and any(_labels(row) is not None for row in part.rows)
    data = b""
    for row in part.rows:
        labels, given, raw = _labels(row), load(row[6]), row[5]
        is_new = labels is not None and labels != given
        if is_new or (gets_column and labels is None):
            raw = rewritten(raw, source, None if labels is None else to_outer(labels, scheme))
        data = raw
        yield raw
    yield source.tail
    if not is_last:
        yield _ending(data + source.tail, source.format)


def _ending(data: bytes, format_: str) -> bytes:
    """What must come before the next file."""
    end = b"" if data.endswith((b"\n", b"\r")) else b"\n"
    is_blank = format_ == JSONL or not (data + end).splitlines()[-1].strip(b" \t")
    return end + (b"" if is_blank else b"\n")


def _labels(row: Sequence[Any]) -> list[str] | None:
    return load(row[4]) if row[3] in (LABELLED, SKIPPED) else None


# --- sentence by sentence ---


def _sentences(part: ExportedSource, format_: str, scheme: str, column: str) -> Iterator[Sentence]:
    source = part.source
    data = b"".join(row[5] + _ending(row[5], source.format) for row in part.rows)
    read = (s for s in read_bytes(data, source.name, source.format, dict(source.facts)) if len(s))
    document = -1
    for row, sentence in zip(part.rows, read, strict=True):
        starts = bool(row[1]) and row[2] != document  # its first sentence may have been left out
        document = row[2]
        labels = _labels(row)
        outer = None if labels is None else to_outer(labels, scheme)
        yield _labelled(replace(sentence, starts_document=starts), outer, part, format_, column)


def _labelled(
    sentence: Sentence, labels: list[str] | None, part: ExportedSource, format_: str, column: str
) -> Sentence:
    name = part.source.facts["label"]
    if name not in sentence.columns and part.source.format != CONLLU:
        name = column
    target = choose(format_, "")
    if format_ == CONLLU and not is_conllu_column(name):
        columns = {c: v for c, v in sentence.columns.items() if c in CONLLU_COLUMNS}
        sentence = replace(sentence, columns=columns)
        assert target.with_labels is not None
        return sentence if labels is None else target.with_labels(sentence, name, labels)
    if labels is None and format_ == JSONL:
        return sentence
    values = labels or [MISSING] * len(sentence)
    return LabelColumn(name, [*sentence.columns, name]).add(replace(sentence, columns=dict(sentence.columns)), values)
