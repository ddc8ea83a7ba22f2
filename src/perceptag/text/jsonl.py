"""JSON lines: one sentence per line.

    {"tokens": ["EU", "rejects"], "pos": ["NNP", "VBZ"], "labels": ["B-ORG", "O"], "document": "d1", "id": 7}
    ["EU", "rejects"]

Every list of strings is a column: ``tokens`` is the column ``form``, ``labels`` the column ``label``, others keep
their names. ``document`` is the id of a document: when it changes, a new document starts. Everything else is kept in
the layout and written back; so is ``spans``, even if it is an empty list. A bare list is a sentence of tokens only.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from types import NoneType
from typing import Any

from perceptag.errors import DataError
from perceptag.system import file_kinds
from perceptag.system.output_files import Target, text_writer
from perceptag.system.plural import plural
from perceptag.system.strict_json import strict_loads
from perceptag.text.compressed import open_output
from perceptag.text.format import Format, Names
from perceptag.text.lines import PartStream, Source, whole_lines
from perceptag.text.list_names import LABEL_COLUMNS
from perceptag.text.sentence import Sentence, SentenceLayout
from perceptag.text.separated_fields import check_lengths, check_values, place
from perceptag.text.text_layout import TextLayout

_COLUMN = {"tokens": "form", "labels": "label"}  # key in the file: column
_KEY = {column: key for key, column in _COLUMN.items()}
_SPANS = "spans"  # a list of objects; an empty one would look like a column
_TAKEN = {*_COLUMN, "document"}  # keys that do not mean a column of that name


_TOO_DEEP = "lists or objects are nested deeper than JSON can be written"
ANY_TOOL = "; 'perceptag convert FILE sentences.jsonl' reads exports of annotation tools"
_MARKED = ("label", "labels", "entities", "spans", "annotations", "annotation", "ents")  # keys of spans in exports
_LIST = object()  # marks the place of a column in a layout


@dataclass(frozen=True, slots=True)
class JsonLayout(SentenceLayout):
    """The keys and values of the object that a sentence was read from; None for a bare list."""

    record: dict[str, Any] | None


def read_jsonl(source: Source, columns: Names | None = None) -> Iterator[Sentence]:
    """Read sentences from a file of JSON lines, an open stream or, for ``-``, standard input, as they come.

    `columns` may name columns that every sentence must have; others are kept as well.

    >>> import io
    >>> [s.columns for s in read_jsonl(io.StringIO('{"tokens": ["The", "dog"], "labels": ["DT", "NN"]}'))]
    [{'form': ['The', 'dog'], 'label': ['DT', 'NN']}]
    """
    needed = () if columns is None or callable(columns) else columns
    document = source.document if isinstance(source, PartStream) else None
    for name, first, text in whole_lines(source):
        for number, line in enumerate(text.split("\n"), first):
            if not line.strip(" \t"):
                continue
            where = f"{name}:{number}"
            record = _load(line, where)
            bare = isinstance(record, list)
            table, rest = _take_columns({"tokens": record} if bare else record, where)
            for column in needed:
                if column not in table:
                    key = _KEY.get(column, column)
                    raise DataError(f"expected a list of strings {key!r}, found {_found(rest)}", where)
            previous, document = document, rest.get("document")
            named = document if isinstance(document, str) else ""
            layout = JsonLayout(None if bare else rest)
            yield Sentence(table, name, number, document != previous, layout, document_name=named)


def write_jsonl(sentences: Iterable[Sentence], target: Target) -> None:
    """Write sentences to a file, an open stream or, for ``-``, standard output; one call writes one file.

    The keys that were read are written in their order, new columns after them. The ids of documents that were
    read, from any format, are kept; sentences without one get a number when `starts_document` makes it necessary.
    """
    document: object = None
    new = 0
    with open_output(target, FORMAT.kind) as stream:
        put = text_writer(stream)
        for number, sentence in enumerate(sentences, 1):
            record = _record(sentence, number)
            if record.get("document") is not None:
                document = record["document"]
            elif sentence.starts_document and sentence.document_name:
                document = sentence.document_name
            elif sentence.starts_document:
                new += 1 if document != new + 1 else 2
                document = new
            if document is not None:
                record["document"] = document
            bare = isinstance(sentence.layout, JsonLayout) and sentence.layout.record is None
            try:
                put(_dump(record["tokens"] if bare and len(record) == 1 else record))
            except UnicodeEncodeError:
                check_values(sentence, sentence.columns, "", number)
                raise
            except RecursionError:
                raise DataError(_TOO_DEEP, place(sentence, number)) from None


def with_entry(sentence: Sentence, key: str, value: object) -> Sentence:
    """Return the sentence with one more entry at the end of its object."""
    record = (sentence.layout.record if isinstance(sentence.layout, JsonLayout) else None) or {}
    columns = {_KEY.get(name, name): _LIST for name in sentence.columns}
    return replace(sentence, layout=JsonLayout({**record, **columns, key: value}))


def document_of(sentence: Sentence) -> str | int | None:
    """Return the name of the document that the object of a sentence has."""
    record = sentence.layout.record if isinstance(sentence.layout, JsonLayout) else None
    found: str | int | None = (record or {}).get("document")
    return found


def with_document(sentence: Sentence, name: object) -> Sentence:
    """Return the sentence with another name of its document."""
    record = (sentence.layout.record if isinstance(sentence.layout, JsonLayout) else None) or {}
    named = name if isinstance(name, str) else ""
    return replace(sentence, layout=JsonLayout({**record, "document": name}), document_name=named)


def from_text(sentence: Sentence) -> Sentence:
    """Return a sentence of running text with its text, word offsets and multiword tokens."""
    layout = sentence.layout
    assert isinstance(layout, TextLayout)
    record: dict[str, Any] = {"text": layout.text, "tokens": _LIST, "offsets": layout.places()}
    several = [(first, end) for _, first, end in layout.several()]
    if several:
        record["multiword"] = several
    if layout.starts_paragraph:
        record["paragraph"] = True
    if sentence.starts_document:
        record["document"] = layout.tokens[0].start  # `write_jsonl` gives it to the sentences after it
    return replace(sentence, layout=JsonLayout(record))


def _dump(value: object) -> str:
    return json.dumps(value, ensure_ascii=False) + "\n"


def _load(line: str, where: str) -> Any:
    try:
        record = strict_loads(line)
    except json.JSONDecodeError as error:
        message = f"expected one JSON object per line: {error.msg.removesuffix(' at')} at character {error.colno}"
        raise DataError(message, where) from None
    except (ValueError, RecursionError) as error:  # a repeated key, NaN, a number too large, too many levels
        raise DataError(f"expected one JSON object per line: {error}", where) from None
    if not isinstance(record, (dict, list)):
        raise DataError(f"expected an object with 'tokens' or a list of tokens, found {_short(record)}", where)
    if "\\u" in line:  # only an escape can stand for characters that the text itself cannot contain
        try:
            _dump(record).encode("utf-8")
        except RecursionError:
            raise DataError(_TOO_DEEP, where) from None
        except UnicodeEncodeError as error:
            found = f"the lone surrogate U+{ord(error.object[error.start]):04X}"
            raise DataError(f"expected text, found {found}", where) from None
    return record


def _other_record(record: dict[str, Any]) -> str:
    """Say what a record without tokens seems to be, and what reads it."""
    is_text = any(isinstance(record.get(key), (str, dict)) for key in ("text", "data", "content"))
    if is_text and any(isinstance(record.get(key), (list, dict)) for key in _MARKED):
        return ANY_TOOL
    return "; this is a text without tokens: 'perceptag tag --text text' and nlp.pipe(texts) take it" if is_text else ""


def _take_columns(record: dict[str, Any], where: str) -> tuple[dict[str, list[str]], dict[str, Any]]:
    """Separate columns (lists of strings as long as the tokens) from other entries."""
    tokens: Any = record.get("tokens")
    if not _is_column(tokens):
        raise DataError(f"expected a list of strings 'tokens', found {_found(record)}{_other_record(record)}", where)
    if not isinstance(record.get("document"), (str, int, NoneType)):
        raise DataError(f"expected a string or a number 'document', found {_found(record)}", where)
    columns: dict[str, list[str]] = {}
    rest = dict(record)
    for key, values in record.items():
        if values is not tokens and (not _is_column(values) or (key == _SPANS and not values)):
            continue
        if len(values) != len(tokens):
            raise DataError(
                f"{key!r}: expected {plural(len(tokens), 'value')} as in 'tokens', found {len(values)}", where
            )
        if key in _KEY:
            raise DataError(f"expected the column {key} under the key {_KEY[key]!r}, found {key!r}", where)
        if "\0" in "".join(values):
            raise DataError(f"{key!r}: expected text, found a NUL character", where)
        columns[_COLUMN.get(key, key)] = values
        rest[key] = _LIST
    return columns, rest


def _is_column(value: object) -> bool:
    return isinstance(value, list) and set(map(type, value)) <= {str}


def _found(record: dict[str, Any]) -> str:
    return _short({key: "[…]" if value is _LIST else value for key, value in record.items()})


def _short(value: object) -> str:
    try:
        text = json.dumps(value, ensure_ascii=False)
    except RecursionError:
        return "lists or objects nested too deep to be shown"
    return text if len(text) <= 80 else f"{text[:70]}…"


def _record(sentence: Sentence, number: int) -> dict[str, Any]:
    """Return the JSON object of a sentence: what was read, with the columns it has now."""
    columns = sentence.columns
    if "form" not in columns or _TAKEN & columns.keys():
        expected = f"expected form, and none with the names {', '.join(sorted(_TAKEN))}"
        raise DataError(f"columns: {expected}; found {', '.join(columns)}", place(sentence, number))
    check_lengths(sentence, columns, number)
    for values in columns.values():
        if not _is_column(values) or "\0" in "".join(values):
            check_values(sentence, columns, "\0", number)
    read = (sentence.layout.record if isinstance(sentence.layout, JsonLayout) else None) or {}
    record = {}
    for key, value in read.items():
        name = _COLUMN.get(key, key)
        if value is not _LIST:
            record[key] = value
        elif name in columns:
            record[key] = columns[name]
    return record | {_KEY.get(name, name): values for name, values in columns.items()}


FORMAT = Format(
    name="jsonl",
    kind=file_kinds.SENTENCES,
    endings=(".jsonl", ".json", ".ndjson"),
    title="JSON lines",
    read=read_jsonl,
    write=write_jsonl,
    with_values=with_entry,
    label_columns=LABEL_COLUMNS,
    with_entry=with_entry,
    from_text=from_text,
    unit="line",
)
