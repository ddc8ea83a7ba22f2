"""CRFsuite data files: the label of a token and its features on each line, separated by tabs.

    B-PER   word=Angela     title   suffix=la
    O       word=said       time\\:now

A blank line ends a sentence. A feature may be a number, ``name:0.5``; without one it counts 1. In its name ``\\:`` is a
colon and ``\\\\`` a backslash.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NoReturn

from perceptag.errors import DataError, SettingError, brief
from perceptag.text.feature_lists import COLUMN, checked, joined
from perceptag.text.format import Format, Names
from perceptag.text.lines import Source, paragraphs, whole_paragraphs
from perceptag.text.sentence import Sentence

LABEL = "label"
_PARTS = re.compile(r"((?:[^\\:]|\\.)*)(?::(.*))?", re.DOTALL)
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)


def read_crfsuite(source: Source, columns: Names | None = None) -> Iterator[Sentence]:
    """Read sentences from a file of CRFsuite; each has the columns ``features`` and ``label``.

    >>> import io
    >>> [s.columns for s in read_crfsuite(io.StringIO("NN\\tword=dog\\tbias:1\\n"))]
    [{'features': ['word=dog\\x1fbias'], 'label': ['NN']}]
    """
    if columns is not None and not callable(columns) and not {*columns} <= {COLUMN, LABEL}:
        raise SettingError(f"columns: format crfsuite: expected {COLUMN} and {LABEL}, found {', '.join(columns)}")
    for block in whole_paragraphs(source):
        for line, text in paragraphs(block):
            rows = [row.split("\t") for row in text.split("\n")]
            values = [_features(row[1:], f"{block.source}:{n}") for n, row in enumerate(rows, line)]
            labels = [_label(row[0], f"{block.source}:{n}") for n, row in enumerate(rows, line)]
            yield Sentence({COLUMN: values, LABEL: labels}, block.source, line)


def _label(label: str, where: str) -> str:
    if not label:
        raise DataError("expected a label before the first tab, found none", where)
    return label


def _features(fields: Sequence[str], where: str) -> str:
    return joined((_feature(field, where) for field in fields if field), where)


def _feature(field: str, where: str) -> tuple[str, float]:
    """Return the name of a feature, and what it counts."""
    parts = _PARTS.fullmatch(field)
    try:
        amount = 1.0 if parts and parts[2] is None else float(parts[2] if parts else "")
    except ValueError:
        raise DataError(
            rf"expected a feature, or name:number (\: is a colon in a name), found {brief(field)}", where
        ) from None
    assert parts
    name = _ESCAPED.sub(r"\1", parts[1])
    return name, checked(amount, name, where)


def refuse_to_write(*given: object) -> NoReturn:
    """Refuse the format for output."""
    del given
    raise SettingError("crfsuite: files of CRFsuite are read only; write columns, conllu, jsonl or parquet")


FORMAT = Format(
    name="crfsuite",
    endings=(".crfsuite",),
    title="CRFsuite",
    read=read_crfsuite,
    write=refuse_to_write,
    columns=(COLUMN, LABEL),
    label_columns=(LABEL,),
)
