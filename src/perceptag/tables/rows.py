"""Convert the rows of a table to sentences."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from perceptag.errors import DataError, SettingError, brief, nearest
from perceptag.tables.kinds import TableKind
from perceptag.text.inputs import as_list, as_sentences, check_texts
from perceptag.text.sentence import Sentence

FORM, LABEL = "form", "label"


@dataclass(frozen=True, slots=True)
class Rows:
    """A table, and what its columns mean. Sentences are the rows, or with `by` consecutive rows of the same values."""

    table: TableKind
    columns: Mapping[str, str]  # of sentences: the name in the table
    by: Sequence[str] = ()
    document: str | None = None

    @classmethod
    def of(
        cls,
        table: TableKind,
        tokens: str,
        labels: str | None,
        by: str | Sequence[str] | None,
        document: str | None,
        columns: Sequence[str] | Mapping[str, str] | None,
    ) -> Rows:
        """Check the arguments of users: all of them must name columns."""
        keys: list[Any] = list(by) if isinstance(by, (list, tuple)) else [] if by is None else [by]
        further = _further(columns, (FORM,) if labels is None else (FORM, LABEL))
        own = {FORM: tokens} | further | ({LABEL: labels} if labels is not None else {})
        for argument, names in (
            ("tokens", [tokens]),
            ("labels", [] if labels is None else [labels]),
            ("columns", further.values()),
            ("by", keys),
            ("document", [] if document is None else [document]),
        ):
            check_names(list(names), argument, table.names())
        return cls(table, own, keys, document)

    def sentences(self, left_out: Collection[int] = ()) -> list[Sentence]:
        """Return all sentences, checked. What is wrong is named by its row, counted from 0, and its column.

        `left_out`: rows that are left out.
        """
        if self.by:
            return as_sentences(self._cut(self._runs(), self._values))
        rows = [(i, i + 1) for i in range(len(self.table.column(self.columns[FORM]))) if i not in left_out]
        return as_sentences(self._cut(rows, self._lists))

    def missing(self) -> list[int]:
        """Return the rows whose tokens are missing; with `by` there are none."""
        if self.by:
            return []
        return [i for i, value in enumerate(self.table.column(self.columns[FORM])) if is_missing(value)]

    def _cut(self, rows: Iterable[tuple[int, int]], values: Cut) -> Iterator[Sentence]:
        """Yield the sentences of these rows; each is given by its first row and the one after its last."""
        table = {column: self.table.column(name) for column, name in self.columns.items()}
        marks = self._marks()
        document: object = None
        for begin, end in rows:
            previous, document = document, marks[begin]
            columns = {column: values(table[column], column, begin, end) for column in table}
            yield Sentence(columns, f"row {begin}", 0, document != previous)

    def _lists(self, values: list[Any], column: str, begin: int, end: int) -> list[Any]:
        del end
        name = self.columns[column]
        given = values[begin].tolist() if hasattr(values[begin], "tolist") else values[begin]
        if isinstance(given, str):
            hint = f"text={name!r} is for texts"
            raise DataError(f"expected a list of tokens, found {brief(given)}; {hint}", f"row {begin}: column {name!r}")
        found = as_list(given, "a list of tokens", f"row {begin}: column {name!r}")
        check_texts(found, f"column {name!r}", (f"row {begin}, token {t}" for t in range(len(found))))
        return found

    def _values(self, values: list[Any], column: str, begin: int, end: int) -> list[Any]:
        """The values of some rows; what is wrong is reported here, since the token has a row of its own."""
        found = values[begin:end]
        check_texts(found, f"column {self.columns[column]!r}", (f"row {row}" for row in range(begin, end)))
        return found

    def _marks(self) -> list[Any]:
        """Return the document of each row; None if it is not known."""
        if self.document is None:
            return [None] * len(self.table.column(self.columns[FORM]))
        return _ids(self.table, self.document)

    def _runs(self) -> Iterator[tuple[int, int]]:
        """Yield the rows of each sentence. Ids may begin again in each document, so its mark is a part of the key."""
        keys = zip(*(_ids(self.table, name) for name in self.by), self._marks(), strict=True)
        names = " and ".join(map(repr, self.by))
        seen: set[tuple[Any, ...]] = set()
        end = 0
        for key, run in groupby(keys):
            begin, end = end, end + sum(1 for _ in run)
            found = ", ".join(map(brief, key[:-1]))
            if None in key[:-1]:
                found += "; .ffill() of pandas repeats the id of the row above"
                raise DataError(f"column {names}: expected the id of a sentence, found {found}", f"row {begin}")
            if key in seen:
                expected = "the rows of a sentence next to each other"
                raise DataError(f"column {names}: expected {expected}, found {found} again", f"row {begin}")
            seen.add(key)
            yield begin, end


Cut = Callable[[list[Any], str, int, int], list[Any]]  # values of a column, its name, and rows


def named_columns(columns: Sequence[str] | Mapping[str, str] | None) -> dict[str, str]:
    """Return columns as a dictionary; a list has columns that are called the same in the table and in sentences."""
    if isinstance(columns, str):
        raise SettingError(f"columns: expected a list of names, such as [{columns!r}], found {brief(columns)}")
    if columns is not None and not isinstance(columns, Collection):
        raise SettingError(f"columns: expected a list or a dictionary of names, found {brief(columns)}")
    if isinstance(columns, Mapping):
        return dict(columns)
    for name in () if columns is None else columns:
        if not isinstance(name, Hashable):
            raise SettingError(f"columns: expected a list of names, found {brief(name)} in it")
    return {name: name for name in columns or ()}


def _further(columns: Sequence[str] | Mapping[str, str] | None, taken: Sequence[str]) -> dict[str, str]:
    """Return the further columns, none of which may be one that has an argument of its own."""
    further = named_columns(columns)
    for name, argument in ((FORM, "tokens"), (LABEL, "labels")):
        if name in taken and name in further:
            raise SettingError(f"columns: expected further columns, found {name!r}, which is that of `{argument}`")
    return further


def _ids(table: TableKind, name: str) -> list[Any]:
    """Return the ids in a column: values that can be compared, such as numbers and strings; None where one is missing.

    What other libraries have for nothing, such as NA and NaN, is not equal to itself.
    """
    found = [None if is_missing(value) else value for value in table.column(name)]
    for row, value in enumerate(found):
        if not isinstance(value, Hashable):
            expected = "an id, such as a number or a string"
            raise DataError(f"column {name!r}: expected {expected}, found {brief(value)}", f"row {row}")
    return found


def is_missing(value: object) -> bool:
    """Return whether a value is None, NaN or another value that stands for nothing."""
    if isinstance(value, float):
        return math.isnan(value)
    return value is None or type(value).__name__ in ("NAType", "NaTType")


def check_names(names: Sequence[object], argument: str, known: Sequence[str]) -> None:
    """Refuse what is not the name of a column."""
    for name in names:
        if sum(name == other for other in known) > 1:
            raise SettingError(f"{argument}: expected the name of one column, found {brief(name)}, which several have")
        if name not in known:
            found = f"{brief(name)}; the table has {', '.join(map(str, known))}{nearest(name, map(str, known))}"
            raise SettingError(f"{argument}: expected the name of a column, found {found}")
