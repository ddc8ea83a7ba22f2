"""Write sentences to a Parquet file, with the schema they were read with or a new one."""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, groupby
from typing import IO, Any

import pyarrow as pa
import pyarrow.parquet as pq

from perceptag.errors import DataError, SettingError, brief
from perceptag.text.parquet_columns import FORM, is_list, is_text
from perceptag.text.parquet_layout import ParquetLayout
from perceptag.text.sentence import Sentence
from perceptag.text.separated_fields import check_lengths, check_values, place

GROUP_TOKENS = 1 << 18  # tokens after which a row group is closed
GROUP_ROWS = 1 << 16  # or sentences
_NEW_NAMES = {FORM: "tokens", "label": "labels"}  # of columns in a new file, as in JSON lines
_DOCUMENT = "document_id"

_TEXTS = pa.list_(pa.string())
_PLACES = pa.list_(pa.list_(pa.int64()))
_SPAN = [("start", pa.int64()), ("end", pa.int64()), ("label", pa.string()), ("confidence", pa.float64())]
_SPAN_OF_TEXT = [
    ("layer", pa.string()),
    *_SPAN,
    ("start_char", pa.int64()),
    ("end_char", pa.int64()),
    ("text", pa.string()),
    ("value", pa.string()),
]
_ENTRIES = {  # types of what is not a column of text
    "confidence": pa.list_(pa.float64()),
    "nbest": pa.list_(pa.struct([("labels", _TEXTS), ("score", pa.float64())])),
    "id": pa.string(),
    "text": pa.string(),
    "offsets": _PLACES,
    "multiword": _PLACES,
    "paragraph": pa.bool_(),
}


def write_to(sentences: Iterable[Sentence], stream: IO[Any]) -> None:
    """Write all sentences as one file."""
    if isinstance(stream, io.TextIOBase):
        raise SettingError("target: expected a binary stream for Parquet, found one of text")
    groups = _groups(sentences)
    first = next(groups, [])
    plan = ParquetPlan(first[0] if first else Sentence({FORM: []}))
    with pq.ParquetWriter(stream, plan.schema) as file:
        for group in chain([first] if first else [], groups):
            file.write_table(plan.table(group))


def _groups(sentences: Iterable[Sentence]) -> Iterator[list[Sentence]]:
    group: list[Sentence] = []
    tokens = 0
    for sentence in sentences:
        group.append(sentence)
        tokens += len(sentence)
        if tokens >= GROUP_TOKENS or len(group) >= GROUP_ROWS:
            yield group
            group, tokens = [], 0
    if group:
        yield group


class ParquetPlan:
    """The schema of a file, taken from its first sentence, and the conversion of sentences to rows."""

    def __init__(self, first: Sentence) -> None:
        self.columns = list(first.columns)
        layout = _layout(first)
        self.fields = layout.origin.fields if layout.origin else None
        self.by_token = self.fields is not None and self.fields.by_token
        self.sentences = self.documents = 0  # so far
        self.name = ""  # of the last document
        self.names = {column: self._field_of(column) for column in self.columns}
        known = {field.name: field for field in self.fields.schema} if self.fields else {}
        new = {name: self._column_field(known.get(name), name) for name in self.names.values()}
        if self.fields is None and "offsets" not in layout.record:
            new[_DOCUMENT] = pa.field(_DOCUMENT, pa.string() if first.document_name else pa.int64())
        self.entries = [key for key in layout.record if self._is_written(key)]
        new |= {key: pa.field(key, self._entry_type(key, layout.record)) for key in self.entries}
        self.others = [name for name in known if name not in new]
        self.schema = pa.schema([*(known | new).values()], self.fields.schema.metadata if self.fields else None)

    def table(self, group: Sequence[Sentence]) -> Any:
        """Return the rows of some sentences."""
        for number, sentence in enumerate(group, self.sentences + 1):
            self._check(sentence, number)
        arrays = {name: self._texts(column, name, group) for column, name in self.names.items()}
        arrays |= {key: self._entry(key, group) for key in self.entries}
        if self.others:
            arrays |= dict(zip(self.others, self._kept(group).columns, strict=True))
        elif _DOCUMENT in self.schema.names and self.fields is None:
            arrays[_DOCUMENT] = self._document_ids(group)
        self.sentences += len(group)
        return pa.table([arrays[name] for name in self.schema.names], schema=self.schema)

    # --- fields ---

    def _field_of(self, column: str) -> str:
        return self.fields.field_of(column) if self.fields else _NEW_NAMES.get(column, column)

    def _column_field(self, known: Any, name: str) -> Any:
        """Return the field of a text column: the existing one, or a new one."""
        new = pa.field(name, pa.string() if self.by_token else _TEXTS)
        if known is None:
            return new
        kind = known.type if self.by_token else known.type.value_type if is_list(known.type) else pa.null()
        if is_text(kind) or (self.fields is not None and name in self.fields.classes):
            return known
        raise SettingError(
            f"the labels would replace column {name!r} of type {known.type}, which does not hold text; "
            "--label NAME puts the labels into another column"
        )

    def _is_written(self, key: str) -> bool:
        """With a token in each row there is a place for confidence, none for spans, and none for lists."""
        if self.by_token and key == "nbest":
            raise SettingError("--nbest: expected a file with a sentence in each row, found one with a token in each")
        return not self.by_token or key == "confidence"

    def _entry_type(self, key: str, entries: Mapping[str, Any]) -> Any:
        if key == "spans":
            return pa.list_(pa.struct(_SPAN_OF_TEXT if "offsets" in entries else _SPAN))
        kind = _ENTRIES.get(key) or pa.infer_type([entries[key]])
        return kind.value_type if self.by_token else kind

    # --- values ---

    def _check(self, sentence: Sentence, number: int) -> None:
        origin = _layout(sentence).origin
        if (origin.fields.schema if origin else None) != (self.fields.schema if self.fields else None):
            raise DataError(
                "expected sentences of one file, or of files with the same columns", place(sentence, number)
            )
        if list(sentence.columns) != self.columns:
            message = f"expected the columns of the first sentence ({', '.join(self.columns)})"
            raise DataError(f"{message}, found {', '.join(sentence.columns)}", place(sentence, number))
        check_lengths(sentence, sentence.columns, number)

    def _texts(self, column: str, name: str, group: Sequence[Sentence]) -> Any:
        lists = [sentence.columns[column] for sentence in group]
        kind = self.schema.field(name).type
        inner = kind if self.by_token else kind.value_type
        values: list[Any] = lists
        try:
            if "\0" in "".join(chain.from_iterable(lists)):
                raise TypeError
            if not is_text(inner):
                values = [self._numbers(name, one, sentence) for one, sentence in zip(lists, group, strict=True)]
            return pa.array([*chain.from_iterable(values)] if self.by_token else values, kind)
        except (pa.ArrowException, TypeError, UnicodeEncodeError):
            for number, sentence in enumerate(group, self.sentences + 1):
                check_values(sentence, sentence.columns, "\0", number)
            raise

    def _numbers(self, name: str, labels: Sequence[str], sentence: Sentence) -> list[int]:
        """Return the ids of labels in a column of named classes."""
        assert self.fields is not None
        known = self.fields.classes[name]
        for label in labels:
            if label not in known:
                raise DataError(
                    f"column {name!r}: expected one of its labels ({', '.join(known)}), found {brief(label)}; "
                    "--label NAME puts the labels into another column",
                    sentence.source,
                )
        return [known.index(label) for label in labels]

    def _entry(self, key: str, group: Sequence[Sentence]) -> Any:
        values = [_layout(sentence).record.get(key) for sentence in group]
        if self.by_token:
            values = [*chain.from_iterable(values)]  # type: ignore[arg-type]
        return pa.array(values, self.schema.field(key).type)

    def _kept(self, group: Sequence[Sentence]) -> Any:
        """Return the unread fields of all rows."""
        parts = []
        for origin, some in groupby(group, lambda sentence: _layout(sentence).origin):
            assert origin is not None
            rows = [row for sentence in some for row in self._rows(sentence)]
            parts.append(origin.rows(rows, self.others))
        return pa.concat_tables(parts)

    def _rows(self, sentence: Sentence) -> range:
        row = _layout(sentence).row
        return range(row, row + (len(sentence) if self.by_token else 1))

    def _document_ids(self, group: Sequence[Sentence]) -> Any:
        """Return the names of documents if the first one has a name, else their numbers."""
        kind = self.schema.field(_DOCUMENT).type
        ids: list[Any] = []
        for sentence in group:
            if sentence.starts_document:
                self.documents += 1
                self.name = sentence.document_name
            ids.append((self.name or str(self.documents)) if is_text(kind) else self.documents or None)
        return pa.array(ids, kind)


def _layout(sentence: Sentence) -> ParquetLayout:
    return sentence.layout if isinstance(sentence.layout, ParquetLayout) else ParquetLayout()
