"""Labels that are numbers, in files whose values are strings: the user names them in order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from perceptag.errors import DataError, brief
from perceptag.system.given_file import FileFacts
from perceptag.text.format import Format, Names
from perceptag.text.lines import Source
from perceptag.text.list_names import LABEL_COLUMNS
from perceptag.text.sentence import Sentence


def with_names(format_: Format, facts: FileFacts) -> Format:
    """Return a format whose reader replaces the numbers of labels by their names in `facts`, if there are any.

    The numbers are in the column that the user means, or in the likeliest one. Parquet has numbers of its own.
    """
    if not facts.label_names or not format_.unit:
        return format_

    def read(source: Source, columns: Names | None) -> Iterator[Sentence]:
        for sentence in format_.read(source, columns):
            found = sentence.columns
            column = next((name for name in (facts.label, *LABEL_COLUMNS) if name in found), list(found)[-1])
            labels = [
                name_of_number(value, facts.label_names, column, sentence.where(t))
                for t, value in enumerate(found[column])
            ]
            yield replace(sentence, columns={**found, column: labels})

    return replace(format_, read=read)


def name_of_number(value: str, names: Sequence[str], column: str, where: str) -> str:
    """Return the label that a number means, counted from 0; a value that is one of the names stays."""
    if value in names:
        return value
    if not value.isdecimal():
        expected = f"expected numbers, or names among them, in column {column!r}"
        raise DataError(f"--label-names: {expected}, found {brief(value)}", where)
    if int(value) >= len(names):
        expected = f"expected numbers below {len(names)}, the number of names"
        raise DataError(f"--label-names: {expected}, in column {column!r}, found {value}", where)
    return names[int(value)]
