"""Convert lines of separated fields to columns and back, for column files and CoNLL-U.

Both directions handle a whole sentence with a few string operations. They look at single fields only when the
counts show that something is wrong.
"""

from __future__ import annotations

import sys
from collections.abc import Collection, Mapping, Sequence
from itertools import count
from typing import TypeAlias

from perceptag.errors import DataError, brief
from perceptag.system.plural import plural
from perceptag.text.sentence import Sentence

Columns: TypeAlias = Mapping[str, Sequence[str]]

_NAMES = {
    "\n": "a line feed",
    "\r": "a carriage return",
    "\0": "a NUL",
    "\t": "a tab",
    " ": "a space, which only a file of several columns separated by tabs can hold",
}


def split_table(text: str, separator: str, names: Sequence[str]) -> dict[str, list[str]] | None:
    """Split lines of fields into named columns, or return None when a line does not have that many fields.

    >>> split_table("The DT\\ndog NN", " ", ["form", "pos"])
    {'form': ['The', 'dog'], 'pos': ['DT', 'NN']}
    """
    if len(names) == 1:
        return None if separator in text else {names[0]: text.split("\n")}
    # Line ends become fields of their own. All lines are right if there is one after every `width` fields and
    # nowhere else, and if no field is empty.
    fields = text.replace("\n", f"{separator}\n{separator}").split(separator)
    ends = text.count("\n")
    width = len(names)
    stride = width + 1
    if len(fields) != ends * stride + width or fields[width::stride].count("\n") != ends or not all(fields):
        return None
    return {name: fields[i::stride] for i, name in enumerate(names)}


def table_error(
    text: str, separator: str, names: Sequence[str], source: str, line: int, lines: Sequence[int] = ()
) -> DataError:
    """Return the error for a table that `split_table` refused: which line is wrong, and how.

    `lines` are the numbers of the lines, if they do not simply follow `line`.
    """
    for row, number in zip(text.split("\n"), lines or count(line), strict=False):
        fields = row.split(separator)
        if len(fields) != len(names):
            many = "column" if len(names) == 1 else "columns"
            expected = f"{len(names)} {many} ({', '.join(names)})"
            return DataError(f"expected {expected}, found {len(fields)}: {short(row)}", where=f"{source}:{number}")
        if "" in fields:
            empty = names[fields.index("")]
            message = f"expected a value in column {empty!r}, found none: {short(row)}"
            return DataError(message, where=f"{source}:{number}")
    raise AssertionError("the table is right")


def join_table(columns: Collection[Sequence[str]], separator: str) -> tuple[str, bool]:
    """Join columns into lines of fields. Also return whether `split_table` would give the same columns again.

    Columns of different lengths raise `ValueError`, values that are not strings `TypeError`.
    """
    text = "\n".join(map(separator.join, zip(*columns, strict=True)))
    length = len(next(iter(columns), ()))
    same = (
        length > 0
        and str not in set(map(type, columns))
        and text.count("\n") == length - 1
        and text.count(separator) == (len(columns) - 1) * length
        and all(map(all, columns))
        and "\r" not in text
        and "\0" not in text
    )
    return text, same


def check_lengths(sentence: Sentence, columns: Columns, number: int) -> None:
    """Raise `DataError` if the columns of sentence `number` are not lists of equal length."""
    for name, values in columns.items():
        if isinstance(values, str):
            message = f"column {name!r}: expected a list of strings, found {short(values)}"
            raise DataError(message, where=place(sentence, number))
    lengths = {name: len(values) for name, values in columns.items()}
    first = next(iter(lengths), "")
    for name, length in lengths.items():
        if length != lengths[first]:
            message = (
                f"column {name!r}: expected {plural(lengths[first], 'value')} as in column {first!r}, found {length}"
            )
            raise DataError(message, where=place(sentence, number))


def check_table(sentence: Sentence, columns: Columns, banned: str, number: int) -> None:
    """Raise `DataError` if sentence `number` cannot be written as lines of fields.

    Reasons are: no tokens, columns of different lengths, empty values, values with a character in `banned`.
    """
    check_lengths(sentence, columns, number)
    if not any(columns.values()):
        raise DataError("a sentence without tokens cannot be written in this format", place(sentence, number))
    check_values(sentence, columns, banned, number)
    for t, values in enumerate(zip(*columns.values(), strict=True)):
        if "" in values:
            name = list(columns)[values.index("")]
            raise DataError(f"cannot write {name} of token {t + 1}: it is empty", place(sentence, number, t))


def check_values(sentence: Sentence, columns: Columns, banned: str, number: int) -> None:
    """Raise `DataError` for the first value that is not Unicode text, or has a character in `banned`."""
    for name, values in columns.items():
        for t, value in enumerate(values):
            if wrong := fault(value, banned):
                message = f"cannot write {name} {short(value)} of token {t + 1}: it {wrong}"
                raise DataError(message, where=place(sentence, number, t))


def place(sentence: Sentence, number: int, token: int = 0) -> str:
    """Return the place of a sentence: file and line, or its number."""
    return sentence.where(token) if sentence.source else f"sentence {number}"


def fault(value: object, banned: str) -> str:
    """Describe why a value is not text or has `banned` characters; return "" if it is fine."""
    if not isinstance(value, str):
        return "is not a string"
    for character in banned:
        if character in value:
            return f"contains {_NAMES[character]}"
    try:
        value.encode("utf-8")
    except UnicodeEncodeError as error:
        return f"contains a lone surrogate, U+{ord(value[error.start]):04X}"
    return ""


def short(value: object) -> str:
    """Return the repr of a value, shortened in the middle if it is long."""
    text = brief(value, sys.maxsize)
    return text if len(text) <= 80 else f"{text[:60]}…{text[-10:]}"
