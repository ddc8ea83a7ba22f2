"""Sentences in data frames of pandas and Polars, tables of Arrow, and datasets of Hugging Face.

    a sentence in each row          a token in each row (by="sentence")
    tokens          labels          sentence  token   label
    [The, dog]      [DT, NN]        1         The     DT
    [A, cat, sat]   [DT, NN, VBD]   1         dog     NN

    a text in each row (text="body")
    body               spans
    Anna left Paris.   [{start: 0, end: 4, label: PER, text: Anna}, {start: 10, end: 15, label: LOC, text: Paris}]

None of these libraries is imported here: a table that is given shows that its library is there.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from itertools import accumulate
from typing import Any

from perceptag.errors import DataError, PerceptagError, SettingError, brief
from perceptag.pipeline.loading import as_pipeline
from perceptag.pipeline.pipeline import Pipeline
from perceptag.tables.kinds import NewColumn, TableKind, is_table, kind_named, kind_of
from perceptag.tables.rows import FORM, LABEL, Rows, check_names
from perceptag.tables.text_columns import TextColumns
from perceptag.text.inputs import as_sentences
from perceptag.text.sentence import Sentence

__all__ = ["from_sentences", "tag", "to_sentences"]


def to_sentences(
    frame: Any,
    tokens: str = "tokens",
    labels: str | None = None,
    *,
    by: str | Sequence[str] | None = None,
    document: str | None = None,
    columns: Sequence[str] | Mapping[str, str] = (),
) -> list[Sentence]:
    """Return the sentences of a table, for `Tagger.fit`, `perceptag.text.write` and so on.

    `tokens` and `labels` name columns of the table: lists of strings; with `by`, strings, and consecutive rows with the
    same values in the columns `by` are a sentence. `columns`: further columns, or ``{"pos": "name in the table"}``.
    `document`: a column whose value changes where a document begins.
    """
    return Rows.of(kind_of(frame)(frame), tokens, labels, by, document, columns).sentences()


def from_sentences(
    sentences: Iterable[object],
    kind: str,
    *,
    tokens: str = "tokens",
    labels: str = "labels",
    by: str | None = None,
    document: str | None = None,
) -> Any:
    """Return a table of sentences, which may be all that `Tagger.fit` takes.

    `kind` is ``pandas``, ``polars``, ``arrow`` or ``datasets``. The column ``form`` is called `tokens`, and ``label``
    is called `labels`; in a dataset labels are a ``ClassLabel``. With `by` each row is a token, and the column `by` has
    the numbers of the sentences; a sentence without tokens has no row, and its number is left out. `document` names a
    column for the numbers of the documents.
    """
    given = as_sentences(sentences)
    names = {name: {FORM: tokens, LABEL: labels}.get(name, name) for name in (given[0].columns if given else [FORM])}
    _check_different([*names.values(), *(name for name in (by, document) if name is not None)])
    columns = {**_numbers(given, by, document)}
    for name, new in names.items():
        lists = [_values(sentence, name, given[0]) for sentence in given]
        classes = sorted({value for values in lists for value in values}) if name == LABEL else None
        flat = [value for values in lists for value in values] if by else lists
        columns[new] = NewColumn(flat, lists=not by, classes=classes)
    return kind_named(kind).made(columns)


def tag(  # noqa: PLR0913 - two kinds of tables, each with the columns that it has and gets
    model: Any = None,
    frame: Any = None,
    tokens: str | None = None,
    labels: str | None = None,
    *,
    text: str | None = None,
    spans: str | None = "spans",
    by: str | Sequence[str] | None = None,
    document: str | None = None,
    columns: Sequence[str] | Mapping[str, str] = (),
) -> Any:
    """Return the table with new columns; the table that is given stays as it is.

    `model`: a tagger, a pipeline, a file, or the name of an installed model. With a table alone, the model is ``en``.

    A table of tokens gets the column `labels` (by default ``labels``): the labels of the last layer. `tokens` (by
    default ``tokens``) and the other arguments are those of `to_sentences`. A row without tokens (None, NaN) has no
    labels either.

    A table of texts, in the column `text`, gets the column `spans`: for each text a list of spans with ``start`` and
    ``end`` in characters, ``label`` and ``text``. `tokens` and `labels` name further columns to add, with the words of
    a text and the labels of the last layer; ``spans=None`` leaves out the spans. Each text is a document of its own.
    """
    if frame is None or model is None:
        model, frame = "en", model if frame is None else frame
    elif is_table(model) and not is_table(frame):
        raise SettingError("frame: expected the model before the table, as in tables.tag(model, frame)")
    table = kind_of(frame)(frame)
    if text is None and tokens is None and by is None and "tokens" not in table.names():
        named = "'text'" if "text" in table.names() else "NAME"
        there = "neither" if "text" in table.names() else ", ".join(map(str, table.names()))
        raise SettingError(f"tokens: expected a column 'tokens', or text={named} for a column of texts; found {there}")
    if text is not None:
        return _tag_texts(model, table, text, TextColumns(spans, tokens, labels), by or document or columns)
    tokens, labels = tokens or "tokens", "labels" if labels is None else labels
    if not isinstance(labels, str):
        raise SettingError(f"labels: expected the name of a new column, found {brief(labels)}")
    if labels in table.names():
        raise SettingError(f"labels: expected the name of a new column, found {brief(labels)}, which the table has")
    rows = Rows.of(table, tokens, None, by, document, columns)
    pipeline = as_pipeline(model)
    if table.library == "pyarrow" and not rows.by and not pipeline.looks_at_documents():
        with suppress(PerceptagError):  # it is reported below, by its row and the name of its column
            return frame.append_column(labels, _by_arrow(pipeline, frame, rows))
    missing = rows.missing()
    found: list[Any] = [s.columns[pipeline.top.name] for s in pipeline.tag(rows.sentences(missing))]
    if rows.by:
        return table.with_column(labels, NewColumn([label for one in found for label in one]))
    for row in missing:
        found.insert(row, None)
    return table.with_column(labels, NewColumn(found, lists=True))


def _tag_texts(model: Any, table: TableKind, text: str, new: TextColumns, others: object) -> Any:
    """Add the columns of a column of texts."""
    if others:
        raise SettingError("text: expected no `by`, `document` or `columns`, which are for tables of tokens")
    check_names([text], "text", table.names())
    pipeline = as_pipeline(model)
    new.check(pipeline, table.names())
    frame: Any = None
    for name, column in new.of(pipeline, table.column(text), text).items():
        frame = table.with_column(name, column)
        table = type(table)(frame)
    return frame


def _by_arrow(pipeline: Pipeline, frame: Any, rows: Rows) -> Any:
    """Label a column of Arrow without an object for each word."""
    from perceptag.tables.arrow_labels import tag as tag_column

    further = {column: frame.column(name) for column, name in rows.columns.items() if column != FORM}
    return tag_column(pipeline, frame.column(rows.columns[FORM]), columns=further)


def _check_different(names: Sequence[str]) -> None:
    """Refuse two columns of the same name, of which one would be lost."""
    for name in names:
        if not isinstance(name, str) or not name:
            raise SettingError(f"tokens, labels, by, document: expected names of columns, found {brief(name)}")
        if names.count(name) > 1:
            expected = "different names of columns"
            raise SettingError(f"tokens, labels, by, document: expected {expected}, found {brief(name)} twice")


def _values(sentence: Sentence, name: str, first: Sentence) -> list[str]:
    if list(sentence.columns) != list(first.columns):
        expected = f"the columns of the first sentence ({', '.join(first.columns)})"
        raise DataError(f"expected {expected}, found {', '.join(sentence.columns)}", sentence.source)
    return sentence.columns[name]


def _numbers(sentences: Sequence[Sentence], by: str | None, document: str | None) -> dict[str, NewColumn]:
    """Return the columns with the numbers of documents, None before the first one, and of sentences."""
    own: dict[str, list[int | None]] = {}
    if document is not None:
        own[document] = [n or None for n in accumulate(int(sentence.starts_document) for sentence in sentences)]
    if by is not None:
        own[by] = list(range(len(sentences)))
        own = {name: [n for n, s in zip(ns, sentences, strict=True) for _ in range(len(s))] for name, ns in own.items()}
    return {name: NewColumn(values, numbers=True) for name, values in own.items()}
