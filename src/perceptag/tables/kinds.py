"""Adapters for the tables of other libraries.

A library is imported only by the methods of its own kind, when a table of it has been given or is asked for.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Protocol

from perceptag.errors import DataError, SettingError, brief, nearest, not_utf8
from perceptag.pipeline.span_dicts import SPAN


@dataclass(frozen=True, slots=True)
class NewColumn:
    """A new column: strings, lists of strings, numbers, or lists of spans."""

    values: Sequence[Any]
    lists: bool = False
    numbers: bool = False
    spans: bool = False  # each value is a list of dictionaries with keys of SPAN
    classes: Sequence[str] | None = None  # the values are labels, and these are all of them


class TableKind(Protocol):
    """A table of some library."""

    library: str

    def __init__(self, frame: Any) -> None: ...

    def names(self) -> list[str]:
        """Return the names of all columns."""

    def column(self, name: str) -> list[Any]:
        """Return the values of a column."""

    def with_column(self, name: str, column: NewColumn) -> Any:
        """Return a table with one more column."""

    @classmethod
    def made(cls, columns: Mapping[str, NewColumn]) -> Any:
        """Return a new table."""


class _GivenTable:
    """A table that was given."""

    attribute = "columns"  # which has the names of its columns

    def __init__(self, frame: Any) -> None:
        self.frame = frame

    def names(self) -> list[str]:
        return list(getattr(self.frame, self.attribute))


class PandasTable(_GivenTable):
    """A data frame of pandas; lists are objects."""

    library = "pandas"

    def column(self, name: str) -> list[Any]:
        return list(self.frame[name].tolist())

    def with_column(self, name: str, column: NewColumn) -> Any:
        return self.frame.assign(**{name: self._series(column, self.frame.index)})

    @classmethod
    def made(cls, columns: Mapping[str, NewColumn]) -> Any:
        return _library("pandas").DataFrame({name: cls._series(column, None) for name, column in columns.items()})

    @staticmethod
    def _series(column: NewColumn, index: Any) -> Any:
        kind = "Int64" if column.numbers else None if column.values and not (column.lists or column.spans) else object
        return _library("pandas").Series(list(column.values), index=index, dtype=kind)


class PolarsTable(_GivenTable):
    """A data frame of Polars."""

    library = "polars"

    def column(self, name: str) -> list[Any]:
        return list(self.frame[name].to_list())

    def with_column(self, name: str, column: NewColumn) -> Any:
        return self.frame.with_columns(self._series(name, column))

    @classmethod
    def made(cls, columns: Mapping[str, NewColumn]) -> Any:
        return _library("polars").DataFrame([cls._series(name, column) for name, column in columns.items()])

    @staticmethod
    def _series(name: str, column: NewColumn) -> Any:
        pl = _library("polars")
        kinds = {int: pl.Int64, float: pl.Float64, str: pl.String}
        span = pl.Struct({name: kinds[kind] for name, kind in SPAN.items()})
        one = pl.Int64 if column.numbers else span if column.spans else pl.String
        kind = pl.List(one) if column.lists or column.spans else one
        return pl.Series(name, column.values, dtype=kind)


class ArrowTable(_GivenTable):
    """A table of Arrow."""

    library, attribute = "pyarrow", "column_names"

    def column(self, name: str) -> list[Any]:
        try:
            return list(self.frame.column(name).to_pylist())
        except UnicodeDecodeError as error:
            raise DataError(f"column {name!r}: {not_utf8(error)}") from None

    def with_column(self, name: str, column: NewColumn) -> Any:
        return self.frame.append_column(name, arrow_array(column))

    @classmethod
    def made(cls, columns: Mapping[str, NewColumn]) -> Any:
        return _library("pyarrow").table({name: arrow_array(column) for name, column in columns.items()})


def arrow_array(column: NewColumn) -> Any:
    """Return a column as an array of Arrow."""
    pa = _library("pyarrow")
    kinds = {int: pa.int64(), float: pa.float64(), str: pa.string()}
    span = pa.struct([(name, kinds[kind]) for name, kind in SPAN.items()])
    one = pa.int64() if column.numbers else span if column.spans else pa.string()
    return pa.array(column.values, pa.list_(one) if column.lists or column.spans else one)


class HuggingFaceDataset(_GivenTable):
    """A dataset of Hugging Face. Numbers of a ``ClassLabel`` are read as the labels that they mean."""

    library, attribute = "datasets", "column_names"

    def column(self, name: str) -> list[Any]:
        values = list(self.frame.with_format(None)[name])
        classes = _classes(self.frame.features[name])
        return values if classes is None else [_named(value, classes) for value in values]

    def with_column(self, name: str, column: NewColumn) -> Any:
        return self.frame.add_column(name, list(column.values), feature=self._feature(column))

    @classmethod
    def made(cls, columns: Mapping[str, NewColumn]) -> Any:
        hf = _library("datasets")
        values = {name: _numbered(column) for name, column in columns.items()}
        return hf.Dataset.from_dict(values, hf.Features({name: cls._feature(c) for name, c in columns.items()}))

    @staticmethod
    def _feature(column: NewColumn) -> Any:
        hf = _library("datasets")
        inner = hf.Value("int64" if column.numbers else "string")
        if column.spans:
            kinds = {int: "int64", float: "float64", str: "string"}
            return [{name: hf.Value(kinds[kind]) for name, kind in SPAN.items()}]
        if column.classes is not None:
            inner = hf.ClassLabel(names=list(column.classes))
        return hf.Sequence(inner) if column.lists else inner


def _classes(feature: Any) -> Sequence[str] | None:
    """Return the labels that numbers of this feature mean; None if it has no such numbers."""
    while isinstance(feature, list) or hasattr(feature, "feature"):
        feature = feature[0] if isinstance(feature, list) else feature.feature
    return list(feature.names) if type(feature).__name__ == "ClassLabel" else None


def _named(value: Any, classes: Sequence[str]) -> Any:
    if isinstance(value, list):
        return [_named(one, classes) for one in value]
    return classes[value] if isinstance(value, int) and 0 <= value < len(classes) else value


def _numbered(column: NewColumn) -> list[Any]:
    if column.classes is None:
        return list(column.values)
    number = {label: i for i, label in enumerate(column.classes)}
    return [[number[y] for y in value] if column.lists else number[value] for value in column.values]


KINDS: dict[str, type[TableKind]] = {
    "pandas": PandasTable,
    "polars": PolarsTable,
    "arrow": ArrowTable,
    "datasets": HuggingFaceDataset,
}
_CLASSES: dict[tuple[str, str], type[TableKind]] = {
    ("pandas", "DataFrame"): PandasTable,
    ("polars", "DataFrame"): PolarsTable,
    ("pyarrow", "Table"): ArrowTable,
    ("datasets", "Dataset"): HuggingFaceDataset,
}
_HINTS = {
    ("polars", "LazyFrame"): "; .collect() makes a DataFrame of it",
    ("datasets", "DatasetDict"): "; give one of its splits",
    ("datasets", "IterableDataset"): "; datasets.Dataset.from_list(list(…)) makes a Dataset of it",
    ("pyarrow", "RecordBatch"): "; pyarrow.Table.from_batches makes a Table of it",
}


def is_table(value: object) -> bool:
    """Return whether a value is a table of a library that is known."""
    return any((cls.__module__.partition(".")[0], cls.__name__) in _CLASSES for cls in type(value).__mro__)


def kind_of(frame: object) -> type[TableKind]:
    """Return the kind of a table, by its class."""
    classes = [(cls.__module__.partition(".")[0], cls.__name__) for cls in type(frame).__mro__]
    for one in classes:
        if one in _CLASSES:
            return _CLASSES[one]
    hint = next((_HINTS[one] for one in classes if one in _HINTS), "")
    expected = "a DataFrame of pandas or Polars, a Table of pyarrow, or a Dataset of Hugging Face"
    raise SettingError(f"frame: expected {expected}, found {brief(type(frame).__name__)}{hint}")


def kind_named(name: str) -> type[TableKind]:
    """Return the kind of this name."""
    if not isinstance(name, str) or name not in KINDS:
        raise SettingError(f"kind: expected {', '.join(KINDS)}, found {brief(name)}{nearest(name, KINDS)}")
    return KINDS[name]


def _library(name: str) -> Any:
    try:
        return import_module(name)
    except ImportError:
        raise SettingError(f"kind: the package {name!r} is missing: pip install {name}") from None
