"""Read sentences from Parquet, and write them, by pyarrow: a sentence in each row.

Numbers are labels if the file says which label each of them means, as those of Hugging Face do (``ClassLabel``), or if
the user names them in order (`FileFacts.label_names`).
"""

from __future__ import annotations

import io
import json
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import chain, groupby
from typing import IO, Any

import pyarrow as pa
import pyarrow.parquet as pq
from pyarrow import types

from perceptag.errors import DataError, SettingError, reason
from perceptag.system.given_file import FileFacts, facts_of
from perceptag.system.plural import plural
from perceptag.text.documents import batches
from perceptag.text.lines import Source, byte_chunks, name_of, open_input
from perceptag.text.list_names import OTHER_TAGS, TAGS
from perceptag.text.parquet_layout import ParquetLayout, with_entry
from perceptag.text.sentence import Sentence
from perceptag.text.separated_fields import check_lengths, check_values, place

_ROWS, _TOKENS = 1 << 12, 1 << 18  # that are read and written at once
FORM, LABEL = "form", "label"
FORMS = (FORM, "tokens", "token")
DOCUMENTS = ("document_id", "document")
_TEXTS, _PLACES = pa.list_(pa.string()), pa.list_(pa.list_(pa.int64()))
_SPAN = {"layer": pa.string(), "start": pa.int64(), "end": pa.int64(), "label": pa.string(), "confidence": pa.float64()}
_IN_TEXT = {"start_char": pa.int64(), "end_char": pa.int64(), "text": pa.string(), "value": pa.string()}
_TYPES = {  # of what is not a list of strings
    "confidence": pa.list_(pa.float64()),
    "nbest": pa.list_(pa.struct([("labels", _TEXTS), ("score", pa.float64())])),
    "spans": pa.list_(pa.struct([*(_SPAN | _IN_TEXT).items()])),
    "id": pa.string(),
    "text": pa.string(),
    "offsets": _PLACES,
    "multiword": _PLACES,
    "paragraph": pa.bool_(),
}


@dataclass(frozen=True, slots=True)
class Fields:
    """The fields of a file by their role."""

    schema: pa.Schema
    names: Mapping[str, str]  # of all columns of sentences: column, field
    classes: Mapping[str, Sequence[str]]  # field of numbers: the label that each number means
    document: str
    numbers: str  # the field of tags that are numbers without names


@dataclass(frozen=True, slots=True)
class ParquetRows:
    """Some rows of a file with all of their fields."""

    fields: Fields
    batch: Any


def is_text_list(kind: pa.DataType) -> bool:
    """Return whether values of this type are lists of strings."""
    return _is_list(kind) and _is_text(kind.value_type)


def _is_list(kind: pa.DataType) -> bool:
    return bool(types.is_list(kind) or types.is_large_list(kind) or types.is_fixed_size_list(kind))


def _is_text(kind: pa.DataType) -> bool:
    kind = kind.value_type if types.is_dictionary(kind) else kind
    return bool(types.is_string(kind) or types.is_large_string(kind) or types.is_string_view(kind))


# --- reading ---


def opened(source: Source) -> Any:
    """Open a file so that only what is needed is read of it; a stream that cannot go back is held in memory."""
    name = name_of(source)
    with open_input(source) as (stream, _):
        is_file = isinstance(source, (str, os.PathLike)) and isinstance(stream, io.BufferedReader)
        held = None if is_file and stream.seekable() and source != "-" else _random_access(stream, name)
    with _reading(name):
        return pq.ParquetFile(os.fspath(source) if held is None else held)  # type: ignore[arg-type]


def _random_access(stream: IO[Any], name: str) -> Any:
    if isinstance(stream, io.TextIOBase):
        raise SettingError(f"{name}: expected a binary stream for Parquet, found one of text")
    if not isinstance(stream, io.IOBase) or not stream.seekable():
        stream = io.BytesIO(b"".join(byte_chunks(stream, name)))
    if not stream.seek(0, io.SEEK_END):  # as in every format, a stream without bytes has no sentences
        pq.write_table(pa.table({"tokens": pa.array([], _TEXTS)}), stream := io.BytesIO())
    return stream


@contextmanager
def _reading(name: str) -> Iterator[None]:
    """Turn errors of pyarrow into `DataError` with the name of the file."""
    try:
        yield
    except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
        raise DataError(f"cannot read: {' '.join(reason(error).split())}", name) from None


def batches_of(file: Any, name: str) -> Iterator[Any]:
    """Yield the rows of a file, some at once."""
    with _reading(name):
        for group in range(file.num_row_groups):  # several at once are refused if lists hold dictionary-encoded strings
            yield from file.iter_batches(_ROWS, [group])


def read(source: Source, wanted: Sequence[str] | None) -> Iterator[Sentence]:
    """Read sentences; `wanted` restricts the columns to read."""
    file, name = opened(source), name_of(source)
    with _reading(name):
        schema = file.schema_arrow
    fields = _fields(schema, wanted, name, facts_of(source))
    return _sentences(file, name, fields, list(fields.names if wanted is None else dict.fromkeys((FORM, *wanted))))


def _sentences(file: Any, name: str, fields: Fields, columns: Sequence[str]) -> Iterator[Sentence]:
    row, document = 0, None
    for batch in batches_of(file, name):
        rows = ParquetRows(fields, batch)
        with _reading(name):
            lists = {column: batch.column(fields.names[column]).to_pylist() for column in columns}
            marks = batch.column(fields.document).to_pylist() if fields.document else [None] * len(batch)
        for i, mark in enumerate(marks):
            where = f"{name}, row {row + i}"
            table = {column: _checked(column, lists, i, fields, where) for column in columns}
            is_new, document = mark != document, mark
            title = mark if isinstance(mark, str) else ""
            yield Sentence(table, where, 0, is_new, ParquetLayout(rows, i), document_name=title)
        row += len(batch)


def _checked(column: str, lists: Mapping[str, list[Any]], row: int, fields: Fields, where: str) -> list[str]:
    """Return the values of a column in a row; they must be text, and as many as words."""
    values, words, name = lists[column][row], lists[FORM][row], fields.names[column]
    if values is None:
        raise _wrong(name, "a list of strings", "null", where)
    if len(values) != len(words):
        expected = f"{plural(len(words), 'value')} as in {fields.names[FORM]!r}"
        raise _wrong(name, expected, str(len(values)), where)
    labels = fields.classes.get(name)
    for t, value in enumerate(values):
        if value is None or (labels is None and "\0" in value):
            raise _wrong(name, "text", "null" if value is None else "a NUL character", f"{where}, token {t}")
        if labels is not None and not 0 <= value < len(labels):
            raise _wrong(name, f"a number from 0 to {len(labels) - 1}", str(value), f"{where}, token {t}")
    return values if labels is None else [labels[value] for value in values]


def _wrong(field: str, expected: str, found: str, where: str) -> DataError:
    return DataError(f"column {field!r}: expected {expected}, found {found}; --columns can leave it out", where)


def _fields(schema: pa.Schema, wanted: Sequence[str] | None, where: str, facts: FileFacts) -> Fields:
    """Assign roles to the fields of a file. The names of labels in `facts` are those of the likeliest numbers."""
    classes = _class_names(schema)
    lists = {f.name for f in schema if _is_list(f.type) and types.is_integer(f.type.value_type)}
    numbers = next((name for name in (facts.label, *TAGS, *OTHER_TAGS) if name in lists - classes.keys()), "")
    if numbers and facts.label_names:
        classes, numbers = {**classes, numbers: list(facts.label_names)}, ""
    found = [f.name for f in schema if is_text_list(f.type) or f.name in lists & classes.keys()]
    taken = {next((n for n in names if n in found), names[0]): names[0] for names in (FORMS, (LABEL, "labels"))}
    names = {taken.get(name, name): name for name in found if name not in DOCUMENTS}
    if missing := next((name for name in (FORM, *(wanted or ())) if name not in names), ""):
        expected = "'tokens' or 'form'" if missing == FORM else repr(missing)
        texts = [f.name for f in schema if _is_text(f.type)]
        in_rows = "; a table with a token in each row is read in Python, by perceptag.tables.to_sentences"
        hint = in_rows if {*FORMS} & {*texts} else "; --text NAME names a column of texts" if texts else ""
        shown = ", ".join(f"{f.name}: {f.type}" for f in schema) or "no columns"
        shown = shown if len(shown) <= 200 else f"{shown[:190]}…"
        raise DataError(
            f"expected a column {expected} of type list<string>, found {shown}{hint if missing == FORM else ''}", where
        )
    document = next((name for name in DOCUMENTS if name in schema.names), "")
    return Fields(schema, names, classes, document, "" if wanted else numbers)


def _class_names(schema: pa.Schema) -> dict[str, list[str]]:
    """Return the names of labels that Hugging Face datasets keep in the metadata of a file, by field."""
    try:
        features = json.loads((schema.metadata or {})[b"huggingface"])["info"]["features"]
        named = {name: _names_of(feature) for name, feature in features.items()}
    except (KeyError, TypeError, ValueError, AttributeError):
        return {}  # the metadata are not theirs
    return {name: names for name, names in named.items() if names}


def _names_of(feature: Any) -> list[str]:
    while isinstance(feature, list) or (isinstance(feature, dict) and "feature" in feature):
        feature = feature[0] if isinstance(feature, list) else feature["feature"]
    names = feature.get("names") if isinstance(feature, dict) and feature.get("_type") == "ClassLabel" else None
    return names if isinstance(names, list) and all(isinstance(name, str) for name in names) else []


# --- writing ---


def write(sentences: Iterable[Sentence], stream: IO[Any]) -> None:
    """Write all sentences as one file, with the columns of the first."""
    if isinstance(stream, io.TextIOBase):
        raise SettingError("target: expected a binary stream for Parquet, found one of text")
    groups = batches(_numbered(sentences), _TOKENS)
    some = next(groups, [])
    example = some[0] if some else Sentence({FORM: []})
    _check(example, example, 1)
    schema, written = _table([example], example).schema, 0
    with pq.ParquetWriter(stream, schema) as file:
        for group in chain([some] if some else [], groups):
            for number, sentence in enumerate(group, written + 1):
                _check(sentence, example, number)
            file.write_table(_table(group, example).cast(schema))
            written += len(group)


def _numbered(sentences: Iterable[Sentence]) -> Iterator[Sentence]:
    """Yield sentences with the names of their documents, or with numbers if the first one has no name."""
    number, name, has_names = 0, "", None
    for sentence in sentences:
        layout = _layout(sentence)
        if sentence.starts_document:
            number, name = number + 1, sentence.document_name
        has_names = bool(name) if has_names is None else has_names
        is_told = layout.rows or ("offsets" in layout.record and DOCUMENTS[0] not in layout.record)
        document = (name or str(number)) if has_names else number or None
        yield sentence if is_told else with_entry(sentence, DOCUMENTS[0], document)


def _check(sentence: Sentence, example: Sentence, number: int) -> None:
    mine, other = (one.fields.schema if (one := _layout(s).rows) else None for s in (sentence, example))
    if mine != other:
        raise DataError("expected sentences of one file, or of files with the same columns", place(sentence, number))
    if list(sentence.columns) != list(example.columns):
        message = f"expected the columns of the first sentence ({', '.join(example.columns)})"
        raise DataError(f"{message}, found {', '.join(sentence.columns)}", place(sentence, number))
    check_lengths(sentence, sentence.columns, number)
    check_values(sentence, sentence.columns, "\0", number)


def _table(group: Sequence[Sentence], example: Sentence) -> Any:
    """Return the rows of some sentences: all columns of their file, with new values and with new columns."""
    layouts = [_layout(sentence) for sentence in group]
    fields: Fields | None = layouts[0].rows.fields if layouts[0].rows else None
    names = {column: _field_of(column, fields) for column in example.columns}
    columns: dict[str, Any] = dict.fromkeys(fields.schema.names if fields else ())
    if fields and (others := [name for name in columns if name not in names.values()]):
        runs = ([*run] for _, run in groupby(layouts, lambda one: id(one.rows)))
        found = [run[0].rows.batch.select(others).take([one.row for one in run]) for run in runs]
        columns |= dict(zip(others, pa.Table.from_batches(found).columns, strict=True))
    for column, name in names.items():
        kind = fields.schema.field(name).type if fields and name in columns else _TEXTS
        if not is_text_list(kind):
            expected = f"the labels would replace column {name!r} of type {kind}, which does not hold text"
            raise SettingError(f"{expected}; --label NAME puts the labels into another column")
        columns[name] = pa.array([sentence.columns[column] for sentence in group], kind)
    for key, value in _layout(example).record.items():
        kind = _TYPES.get(key) or (pa.int64() if value is None else pa.infer_type([value]))
        columns[key] = pa.array([layout.record.get(key) for layout in layouts], kind)
    return pa.table(columns, metadata=fields.schema.metadata if fields else None)


def _field_of(column: str, fields: Fields | None) -> str:
    """Return the field of a column; a new one has the name of JSON lines if the words have."""
    if fields and column in fields.names:
        return fields.names[column]
    is_json = fields is None or (fields.names[FORM] == "tokens" and "labels" not in fields.schema.names)
    return {FORM: "tokens", LABEL: "labels"}.get(column, column) if is_json else column


def _layout(sentence: Sentence) -> ParquetLayout:
    return sentence.layout if isinstance(sentence.layout, ParquetLayout) else ParquetLayout()
