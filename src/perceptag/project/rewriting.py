"""New labels in the bytes of a sentence. Everything but the labels stays as it was: blanks, line ends, comments, keys.

In a source without labels every sentence gets a place for them: a column at the end, an entry in misc, or a key.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from json.decoder import scanstring  # type: ignore[attr-defined]
from typing import Any

from perceptag.errors import ProjectError
from perceptag.project.outer_labels import MISSING
from perceptag.project.records import SourceInfo
from perceptag.project.source_files import COLUMNS, CONLLU, read_bytes, token_lines
from perceptag.text.conllu import CONLLU_COLUMNS, with_feature
from perceptag.text.conllu_spaces import escape
from perceptag.text.sentence import Sentence

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
