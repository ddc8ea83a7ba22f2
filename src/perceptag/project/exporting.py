"""Export: the sentences of a project in a file.

A whole source that is written in its own format is the file that was imported, with new labels where they have changed.
Anything else (some of its sentences, another format, sources that do not fit together) is written sentence by sentence.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import count
from json.decoder import scanstring  # type: ignore[attr-defined]
from pathlib import Path
from typing import Any

from perceptag.errors import ProjectError, SettingError, brief
from perceptag.foreign import text_in_parquet
from perceptag.foreign.text_in_conllu import in_conllu
from perceptag.foreign.write_export import LostParts
from perceptag.project.database import backup_of
from perceptag.project.outer_labels import MISSING, to_outer
from perceptag.project.queries import sources_of
from perceptag.project.records import LABELLED, SKIPPED, SourceInfo, load
from perceptag.project.source_files import COLUMNS, CONLLU, JSONL, is_conllu_column, read_bytes, token_lines
from perceptag.system.output_files import Target, bytes_writer
from perceptag.text.compressed import decompressed, open_output
from perceptag.text.conllu import CONLLU_COLUMNS, with_feature
from perceptag.text.conllu_spaces import escape
from perceptag.text.formats import choose
from perceptag.text.jsonl import JsonLayout, document_of, with_document
from perceptag.text.parquet import FORMAT as PARQUET
from perceptag.text.sentence import LabelColumn, Sentence
from perceptag.text.shared_columns import SAME_COLUMNS, SharedColumns, with_labels_in

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

    @property
    def has_marks(self) -> bool:
        """Whether the source says where documents begin."""
        return any(row[1] for row in self.rows)


def export(
    connection: sqlite3.Connection,
    target: Target,
    format_: str | None,
    status: str,
    source: int | None,
    column: str,
    overwrite: bool = False,
    note: Callable[[str], object] = str,
) -> int:
    """Write sentences; return how many. `note` is told what the format has no place for."""
    chosen = choose(format_, target)
    parts = [part for part in _parts(connection, status, source) if part.rows]
    with open_output(target, None if overwrite else chosen.kind) as stream:
        if _is_plain(parts, chosen.name):
            put = bytes_writer(stream)
            for n, part in enumerate(parts):
                for piece in _bytes(part, is_last=n == len(parts) - 1):
                    put(piece)
        else:
            lost = LostParts(chosen.name)
            sentences = _in_columns_of_all(parts, chosen.name, column, note, lost)
            chosen.write(text_in_parquet.with_text(sentences) if chosen is PARQUET else sentences, stream)
            for told in lost.notes:
                note(told)
    return sum(len(part.rows) for part in parts)


def refuse_own_file(target: Target, project: Path, sources: Sequence[SourceInfo]) -> None:
    """Refuse to write over the project and its copy, or over an imported text, which the project cannot write back."""
    if not isinstance(target, str | os.PathLike) or not Path(target).is_file():
        return
    path = Path(target)
    if any(own.exists() and path.samefile(own) for own in (project, backup_of(project))):
        raise ProjectError(f"{path}: expected a file for the labels, found the project itself, or its copy")
    texts = {source.sha256 for source in sources if "sha256" in source.facts}
    if texts and hashlib.sha256(_content(path)).hexdigest() in texts:
        raise ProjectError(f"{path}: expected a file for the labels, found a file that was imported; name another one")


def _content(path: Path) -> bytes:
    """Return the bytes of a file, decompressed: that is what a project keeps of a text."""
    try:
        with decompressed(path) as stream:
            return b"".join(iter(lambda: stream.read(1 << 20), b""))
    except OSError:  # a compressed file that is cut was not imported, and may be replaced
        return path.read_bytes()


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
    if not parts or any(part.source.format != format_ or not part.is_whole for part in parts):
        return False
    marks = [part.has_marks for part in parts]
    if len(parts) > 1 and any(marks) and (format_ == JSONL or not all(marks)):
        return False  # names of documents may be the same in several files
    first = parts[0].source.facts
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
    blank = b"\r" if data.endswith(b"\r") else b"\n"  # a LF would belong to the CR before it
    return end + (b"" if is_blank else blank)


def _labels(row: Sequence[Any]) -> list[str] | None:
    return load(row[4]) if row[3] in (LABELLED, SKIPPED) else None


# --- sentence by sentence ---


def _in_columns_of_all(
    parts: Sequence[ExportedSource], format_: str, column: str, note: Callable[[str], object], lost: LostParts
) -> Iterator[Sentence]:
    """The sentences of all sources; where a format has the same columns in all of them, only with those."""
    if format_ not in SAME_COLUMNS or (len(parts) == 1 and parts[0].source.format != JSONL):
        return _of_all(parts, format_, column, lost)

    def sentences(lost: LostParts) -> Iterator[Sentence]:
        found = _of_all(parts, format_, column, lost)
        return with_labels_in(found, column) if renames else found

    renames = False
    shared = SharedColumns.of(sentences(LostParts(format_)))
    if column in shared.lost:  # some sources have another name for the labels
        renames = True
        shared = SharedColumns.of(sentences(LostParts(format_)))
    if shared.lost:
        note(shared.told())
    return shared.only(sentences(lost))


def _of_all(parts: Sequence[ExportedSource], format_: str, column: str, lost: LostParts) -> Iterator[Sentence]:
    """The sentences of all sources."""
    scheme = _scheme(parts)
    has_marks = len(parts) > 1 and any(part.has_marks for part in parts)
    taken: set[object] = set()
    for part in parts:
        read = lost.of(_with_documents(part, has_marks, taken))
        fitted = in_conllu(list(read), part.source.facts["label"]) if format_ == CONLLU else read
        for row, sentence in zip(part.rows, fitted, strict=True):
            labels = _labels(row)
            outer = None if labels is None else to_outer(labels, scheme)
            yield _labelled(sentence, outer, part, format_, column)


def _with_documents(part: ExportedSource, has_marks: bool, taken: set[object]) -> Iterator[Sentence]:
    """Yield the sentences of a source as they were read; the first one that is written starts its document.

    No document goes on in the next source, or has one of the names that are `taken`.
    """
    source = part.source
    data = b"".join(row[5] + _ending(row[5], source.format) for row in part.rows)
    read = (s for s in read_bytes(data, source.name, source.format, dict(source.facts)) if len(s))
    document = -1
    names: dict[object, object] = {}
    for row, sentence in zip(part.rows, read, strict=True):
        starts = bool(row[1] or has_marks) and row[2] != document  # its first sentence may have been left out
        document = row[2]
        name = _document_of(sentence)
        if name is not None and name not in names:
            names[name] = _free_name(name, {*taken, *names.values()})
        named = sentence if names.get(name) == name else _renamed(sentence, names[name])
        yield replace(named, starts_document=starts)
    taken.update(names.values())


def _document_of(sentence: Sentence) -> object:
    """The name of its document: of JSON lines in each sentence, of CoNLL-U in the first one."""
    name = document_of(sentence)
    return name if name is not None else sentence.document_name or None


def _renamed(sentence: Sentence, name: object) -> Sentence:
    if isinstance(sentence.layout, JsonLayout):
        return with_document(sentence, name)
    return replace(sentence, document_name=str(name))


def _free_name(name: object, taken: set[object]) -> object:
    """A name like this one that no document of another source has."""
    if name not in taken:
        return name
    if isinstance(name, int):
        return next(n for n in count(name + 1) if n not in taken)
    return next(other for n in count(2) if (other := f"{name}-{n}") not in taken)


def _labelled(
    sentence: Sentence, labels: list[str] | None, part: ExportedSource, format_: str, column: str
) -> Sentence:
    name = part.source.facts["label"]
    if name not in sentence.columns and part.source.format != CONLLU:
        name = column
    target = choose(format_, "")
    if format_ == CONLLU and not is_conllu_column(name):
        columns = {c: v for c, v in sentence.columns.items() if c != name}
        sentence = replace(sentence, columns=columns)
        assert target.with_labels is not None
        return sentence if labels is None else target.with_labels(sentence, name, labels)
    if labels is None and format_ == JSONL:
        return sentence
    values = labels or [MISSING] * len(sentence)
    return LabelColumn(name, [*sentence.columns, name]).add(replace(sentence, columns=dict(sentence.columns)), values)


# In a source without labels every sentence gets a place for them: a column at the end, an entry in misc, or a key.

_FIELD = re.compile(rb"[^ \t\r\n]+")
_BLANK = re.compile(r"[ \t\n\r]*")
_MARK_LINE = re.compile(rb"(?:\xef\xbb\xbf)?[ \t]*-DOCSTART-(?=[ \t\r\n])")


def rewritten(raw: bytes, source: SourceInfo, labels: Sequence[str] | None) -> bytes:
    """Return the bytes of a sentence with labels, in the scheme of the file; None: it has no labels yet."""
    if source.format == COLUMNS:
        return _in_columns(raw, source, labels)
    if source.format == CONLLU:
        return raw if labels is None else _in_conllu(raw, source, labels)
    return raw if labels is None else _in_json(raw, source, labels)


def _only_sentence(raw: bytes, source: SourceInfo) -> Sentence:
    found = [s for s in read_bytes(raw, source.name, source.format, dict(source.facts)) if len(s)]
    if len(found) != 1:
        raise ProjectError(f"{source.name}: the project file is damaged: expected one sentence, found {len(found)}")
    return found[0]


# --- column files ---


def _in_columns(raw: bytes, source: SourceInfo, labels: Sequence[str] | None) -> bytes:
    names, separator = source.facts["columns"], source.facts["separator"].encode()
    place = names.index(source.facts["label"]) if source.facts["label"] in names else len(names)
    lines = raw.splitlines(keepends=True)
    marks = [n for n, line in enumerate(lines) if _MARK_LINE.match(line)]
    if source.facts["comment"]:
        numbers = token_lines(_only_sentence(raw, source))
    else:  # what is not a mark and not blank is a token; reading the sentence again would take ten times as long
        numbers = [n for n, line in enumerate(lines) if n not in marks and line.strip(b" \t\r\n")]
    tokens = dict(zip(numbers, labels or [MISSING] * len(numbers), strict=True))
    if place == len(names):  # evaluation scripts expect that the marks of documents have the new column too
        tokens |= dict.fromkeys(marks, "O")
    return b"".join(_line(line, place, separator, tokens.get(n)) for n, line in enumerate(lines))


def _line(line: bytes, place: int, separator: bytes, label: str | None) -> bytes:
    """A line with a label; None: it is not a token."""
    if label is None:
        return line
    fields = _fields(line, separator)
    if place < len(fields):
        start, end = fields[place]
        return line[:start] + label.encode() + line[end:]
    end = fields[-1][1]
    return line[:end] + separator + label.encode() + line[end:]


def _fields(line: bytes, separator: bytes) -> list[tuple[int, int]]:
    """Where the fields of a line begin and end."""
    body = line.rstrip(b"\r\n")
    if separator != b"\t":
        return [match.span() for match in _FIELD.finditer(body)]
    starts = [0, *(match.end() for match in re.finditer(rb"\t", body))]
    return [(start, start + len(text)) for start, text in zip(starts, body.split(b"\t"), strict=True)]


# --- CoNLL-U ---


def _in_conllu(raw: bytes, source: SourceInfo, labels: Sequence[str]) -> bytes:
    name = source.facts["label"]
    sentence = _only_sentence(raw, source)
    place, values = len(CONLLU_COLUMNS), list(labels)
    if name in CONLLU_COLUMNS:
        place = CONLLU_COLUMNS.index(name) + 1
    else:
        values = with_feature(sentence, name.upper(), [escape(y) for y in labels]).columns["misc"]
    lines = raw.splitlines(keepends=True)
    for line, value in zip(token_lines(sentence), values, strict=True):
        lines[line] = _line(lines[line], place, b"\t", value)
    return b"".join(lines)


# --- JSON lines ---


def _in_json(raw: bytes, source: SourceInfo, labels: Sequence[str]) -> bytes:
    """The sentence is on the last line that is not blank; lines before it have none."""
    key = "labels" if source.facts["label"] == "label" else source.facts["label"]
    lines = [line.decode() for line in raw.splitlines(keepends=True)]
    last = max(n for n, line in enumerate(lines) if line.strip(" \t\r\n"))
    lines[last] = with_key(lines[last], key, labels)
    return "".join(lines).encode()


def with_key(line: str, key: str, labels: Sequence[str]) -> str:
    """Put a list into a JSON object, at the key that it has there or at the end; values that stay keep their spelling.

    >>> with_key('{"tokens": ["a", "b"],  "labels": [ "X","\\\\u0059" ], "id":7}', "labels", ["Z", "Y"])
    '{"tokens": ["a", "b"],  "labels": [ "Z","\\\\u0059" ], "id":7}'
    >>> with_key('["a"]', "labels", ["X"])
    '{"tokens": ["a"], "labels": ["X"]}'
    """
    new = json.dumps(list(labels), ensure_ascii=False)
    start = _skip(line, 1 if line.startswith("\ufeff") else 0)
    if line[start] == "[":
        end = line.rindex("]") + 1
        return f'{line[:start]}{{"tokens": {line[start:end]}, {json.dumps(key)}: {new}}}{line[end:]}'
    for name, first, end in _members(line, start):
        if name == key:
            return line[:first] + _with_items(line[first:end], labels, new) + line[end:]
    end = line.rindex("}")
    body = len(line[:end].rstrip(" \t"))
    return f"{line[:body]}, {json.dumps(key, ensure_ascii=False)}: {new}{line[body:]}"


def _skip(line: str, place: int) -> int:
    match = _BLANK.match(line, place)
    return match.end() if match else place


def _members(line: str, start: int) -> Iterator[tuple[str, int, int]]:
    """The keys of an object, with the place of each value."""
    decoder = json.JSONDecoder()
    place = _skip(line, start + 1)
    while line[place] == '"':
        name, place = scanstring(line, place + 1)
        first = _skip(line, _skip(line, place) + 1)
        place = decoder.raw_decode(line, first)[1]
        yield name, first, place
        place = _skip(line, _skip(line, place) + 1) if line[_skip(line, place)] == "," else _skip(line, place)


def _with_items(old: str, labels: Sequence[str], new: str) -> str:
    """A list of strings with other values; those that stay keep their spelling."""
    value: Any = json.loads(old)
    if not isinstance(value, list) or len(value) != len(labels):
        return new
    parts, done, place = [], 0, _skip(old, 1)
    for label in labels:
        text, end = scanstring(old, place + 1)
        if text != label:
            parts += [old[done:place], json.dumps(label, ensure_ascii=False)]
            done = end
        place = _skip(old, _skip(old, end) + 1)
    return "".join([*parts, old[done:]])
