"""Read sentences from a Parquet file, and on demand the other fields of their rows."""

from __future__ import annotations

import io
import os
from bisect import bisect_right
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import accumulate, groupby, pairwise
from operator import itemgetter
from typing import IO, Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from perceptag.errors import DataError, SettingError, brief, reason
from perceptag.system.given_file import facts_of
from perceptag.system.plural import plural
from perceptag.text.lines import Source, byte_chunks, name_of, open_input
from perceptag.text.parquet_columns import FORM, SENTENCE, Fields, find_fields
from perceptag.text.parquet_layout import ParquetLayout
from perceptag.text.sentence import Sentence

ROWS = 1 << 12  # sentences that are read at once
_TOKENS = 1 << 16  # the same where each row is a token
_REMEMBERED = 1 << 16  # sentences before this one whose ids must not come again
Key = tuple[Any, Any]  # the ids of a sentence and of its document


class ParquetSource:
    """An open file. Its sentences refer to it, so that their other fields can be read later."""

    def __init__(self, source: Source) -> None:
        self.name = name_of(source)
        self._facts = facts_of(source)
        self._file = self._open(source)
        self.fields: Fields
        about = self._file.metadata
        self._begins = [0, *accumulate(about.row_group(i).num_rows for i in range(about.num_row_groups))]
        self._kept: tuple[int, tuple[str, ...], Any] = (-1, (), None)  # a row group, some of its fields, their values
        self._groups: range = getattr(source, "groups", range(self.row_groups))

    @property
    def row_groups(self) -> int:
        """The number of row groups of the file."""
        return len(self._begins) - 1

    @property
    def column_names(self) -> list[str]:
        """The names of all columns."""
        with self._reading():
            return list(self._file.schema_arrow.names)

    def _open(self, source: Source) -> Any:
        """Open a regular file so that only what is needed is read of it; anything else is held in memory."""
        with open_input(source) as (stream, _):
            is_file = isinstance(source, (str, os.PathLike)) and isinstance(stream, io.BufferedReader)
            held = None if is_file and stream.seekable() and source != "-" else _random_access(stream, self.name)
        with self._reading():
            return pq.ParquetFile(os.fspath(source) if held is None else held)  # type: ignore[arg-type]

    def choose(self, columns: Sequence[str] | None) -> Fields:
        """Choose the columns to read: these, or all text columns."""
        with self._reading():
            schema = self._file.schema_arrow
        self.fields = find_fields(schema, columns, self.name, self._facts)
        return self.fields

    def sentences(self) -> Iterator[Sentence]:
        """Yield all sentences, row group by row group."""
        return self._by_token() if self.fields.by_token else self._by_sentence()

    def rows(self, rows: Sequence[int], names: Sequence[str]) -> Any:
        """Return these fields of some rows as a table; rows should be in file order."""
        numbers = np.asarray(rows, np.int64)
        groups = np.searchsorted(self._begins, numbers, "right") - 1
        cuts = [0, *(np.flatnonzero(np.diff(groups)) + 1).tolist(), len(numbers)]
        parts = [
            self._group(int(groups[a]), tuple(names)).take(pa.array(numbers[a:b] - self._begins[groups[a]]))
            for a, b in pairwise(cuts)
        ]
        return pa.concat_tables(parts)

    def _group(self, number: int, names: tuple[str, ...]) -> Any:
        if self._kept[:2] != (number, names):
            with self._reading():
                self._kept = number, names, self._file.read_row_group(number, columns=list(names))
        return self._kept[2]

    @contextmanager
    def _reading(self) -> Iterator[None]:
        """Turn errors of pyarrow into `DataError` with the name of the file."""
        try:
            yield
        except DataError:
            raise
        except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
            raise DataError(f"cannot read: {' '.join(reason(error).split())}", self.name) from None

    def batches(self, size: int, names: Sequence[str] | None = None) -> Iterator[tuple[int, Any]]:
        """Yield the number of the first row, and a batch of these fields, or of all."""
        # One row group at a time: several at once are refused by pyarrow if lists hold dictionary-encoded strings.
        batches = (b for group in self._groups for b in self._file.iter_batches(size, [group], columns=names))
        row = self._begins[self._groups.start]
        while True:
            with self._reading():
                batch = next(batches, None)
            if batch is None:
                return
            yield row, batch
            row += batch.num_rows

    def _arrays(self, size: int, more: Sequence[str]) -> Iterator[tuple[int, dict[str, Any]]]:
        """Yield the number of the first row, and the arrays of all fields that are read."""
        names = list(dict.fromkeys([self.fields.names[column] for column in self.fields.read] + [*more]))
        for row, batch in self.batches(size, names):
            yield row, {name: batch.column(name) for name in names}

    def _documents(self) -> list[str]:
        return [self.fields.document] if self.fields.document else []

    # --- a sentence in each row ---

    def _by_sentence(self) -> Iterator[Sentence]:
        document = self._document_before(self._begins[self._groups.start])
        for first, arrays in self._arrays(ROWS, self._documents()):
            lists = {column: self._lists(column, arrays, first) for column in self.fields.read}
            marks = arrays[self.fields.document].to_pylist() if self.fields.document else None
            for i in range(len(arrays[self.fields.names[FORM]])):
                table = {column: values[i] for column, values in lists.items()}
                previous, document = document, marks[i] if marks else None
                layout = ParquetLayout(self, first + i)
                yield _sentence(table, self._where(first + i), document, previous, layout)

    def _document_before(self, row: int) -> object:
        """Return the document of the row before this one."""
        name = self.fields.document
        return self.rows([row - 1], [name])[name][0].as_py() if row and name else None

    def columns_of(self, batch: Any, first: int) -> dict[str, Any]:
        """Return the arrays of all columns of a batch, whose lists must be those that sentences can have."""
        arrays = {name: batch.column(name) for name in self.fields.names.values()}
        read = {column: arrays[self.fields.names[column]] for column in self.fields.read}
        lengths = pc.list_value_length(read[FORM])
        if not all(_is_sound(array, lengths) for array in read.values()):
            for column in read:
                self._lists(column, arrays, first)  # says what is wrong
        return read

    def _lists(self, column: str, arrays: dict[str, Any], first: int) -> list[list[str]]:
        """Return the lists of a column; each must be as long as its list of tokens."""
        field, words = self.fields.names[column], self.fields.names[FORM]
        array = arrays[field]
        if array.null_count:
            raise self._wrong(field, "a list of strings", "null", first + _first_null(array))
        lengths, expected = (pc.list_value_length(one).to_pylist() for one in (array, arrays[words]))
        if lengths != expected:
            i = next(i for i, (found, wanted) in enumerate(zip(lengths, expected, strict=True)) if found != wanted)
            raise self._wrong(field, f"{plural(expected[i], 'value')} as in {words!r}", str(lengths[i]), first + i)
        ends = [0, *accumulate(lengths)]
        flat = self._texts(field, array.flatten(), lambda t: self._where_in_lists(ends, t, first))
        return [flat[a:b] for a, b in pairwise(ends)]

    def _where_in_lists(self, ends: list[int], token: int, first: int) -> str:
        i = bisect_right(ends, token) - 1
        return f"{self._where(first + i)}, token {token - ends[i]}"

    # --- a token in each row ---

    def _by_token(self) -> Iterator[Sentence]:
        before: OrderedDict[object, None] = OrderedDict()
        document: object = None
        for key, pieces in groupby(self._pieces(), itemgetter(1)):
            (row, _, table), *others = pieces
            for _, _, more in others:  # a sentence may go on in the next batch
                for column, values in more.items():
                    table[column] += values
            if key in before:
                expected = "the rows of a sentence next to each other"
                raise self._wrong(SENTENCE, expected, f"{brief(key[0])} again", row)
            before[key] = None
            if len(before) > _REMEMBERED:
                before.popitem(last=False)
            previous, document = document, key[1]
            yield _sentence(table, self._where(row), document, previous, ParquetLayout(self, row))

    def _pieces(self) -> Iterator[tuple[int, Key, dict[str, list[str]]]]:
        """Yield sentences, those at the end of a batch in pieces: the first row, the ids, and the columns."""
        for first, arrays in self._arrays(_TOKENS, [SENTENCE, *self._documents()]):
            if arrays[SENTENCE].null_count:
                raise self._wrong(SENTENCE, "the id of a sentence", "null", first + _first_null(arrays[SENTENCE]))
            table = {column: self._values(column, arrays, first) for column in self.fields.read}
            ids = arrays[SENTENCE].to_pylist()
            marks = arrays[self.fields.document].to_pylist() if self.fields.document else [None] * len(ids)
            row = 0
            for key, run in groupby(zip(ids, marks, strict=True)):
                end = row + sum(1 for _ in run)
                yield first + row, key, {column: values[row:end] for column, values in table.items()}
                row = end

    def _values(self, column: str, arrays: dict[str, Any], first: int) -> list[str]:
        field = self.fields.names[column]
        return self._texts(field, arrays[field], lambda t: self._where(first + t))

    # --- values ---

    def _texts(self, field: str, array: Any, place: Callable[[int], str]) -> list[str]:
        """Return the values of a text array; `place` locates a value for errors."""
        if array.null_count:
            raise _wrong(field, "text", "null", place(_first_null(array)))
        if field in self.fields.classes:
            return _named(field, array.to_pylist(), self.fields.classes[field], place)
        coded = array if pa.types.is_dictionary(array.type) else array.cast(pa.large_string()).dictionary_encode()
        with self._reading():
            values = coded.dictionary.to_pylist()
        numbers = coded.indices.to_pylist()
        bad = [i for i, value in enumerate(values) if value is None or "\0" in value]
        if bad and (t := next((t for t, number in enumerate(numbers) if number in bad), None)) is not None:
            raise _wrong(field, "text", "null" if values[numbers[t]] is None else "a NUL character", place(t))
        return [values[number] for number in numbers]

    def _wrong(self, field: str, expected: str, found: str, row: int) -> DataError:
        return _wrong(field, expected, found, self._where(row))

    def _where(self, row: int) -> str:
        return f"{self.name}, row {row}"


def _wrong(field: str, expected: str, found: str, where: str) -> DataError:
    return DataError(f"column {field!r}: expected {expected}, found {found}; --columns can leave it out", where)


def _named(field: str, numbers: list[int], names: Sequence[str], place: Callable[[int], str]) -> list[str]:
    """Return the labels that numbers mean."""
    for t, number in enumerate(numbers):
        if not 0 <= number < len(names):
            raise _wrong(field, f"a number from 0 to {len(names) - 1}", str(number), place(t))
    return [names[number] for number in numbers]


def _is_sound(array: Any, lengths: Any) -> bool:
    """Return whether all values are lists of text, of these lengths; without an object for each value."""
    flat = array.flatten()
    if array.null_count or flat.null_count or not pc.list_value_length(array).equals(lengths):
        return False
    return not pc.any(pc.match_substring(flat, "\0")).as_py()


def _first_null(array: Any) -> int:
    return int(array.is_null().to_numpy(zero_copy_only=False).argmax())


def _random_access(stream: IO[Any], name: str) -> Any:
    """Return a seekable stream: a Parquet file is read from its end."""
    if isinstance(stream, io.TextIOBase):
        raise SettingError(f"{name}: expected a binary stream for Parquet, found one of text")
    if not isinstance(stream, io.IOBase) or not stream.seekable():
        stream = io.BytesIO(b"".join(byte_chunks(stream, name)))
    if not stream.seek(0, io.SEEK_END):  # as in every format, a stream without bytes has no sentences
        pq.write_table(pa.table({"tokens": pa.array([], pa.list_(pa.string()))}), stream := io.BytesIO())
    return stream


def _sentence(
    table: dict[str, list[str]], where: str, document: object, previous: object, layout: ParquetLayout
) -> Sentence:
    """Return a sentence that starts a document if this is another one than that of the sentence before."""
    name = document if isinstance(document, str) else ""
    return Sentence(table, where, 0, document != previous, layout, document_name=name)
