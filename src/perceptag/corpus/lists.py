"""Decide which values of users count as lists.

Much that Python can loop over is not: a data frame gives its column names, a file its lines, a set its elements in any
order.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Mapping, Set
from typing import Any

from perceptag.errors import DataError, brief

# What to give instead of a data frame, by what was expected.
_OF_A_FRAME = {
    "a list of sentences": "df.groupby('sentence')['token'].apply(list).tolist(), with the names of your columns",
    "a list of tokens": "df['token'].tolist(), or df.to_dict('list') for all columns",
    "a list of label lists": "df.groupby('sentence')['label'].apply(list).tolist(), with the names of your columns",
    "a list of labels": "df['label'].tolist()",
}


def as_list(values: object, expected: str, where: str = "") -> list[Any]:
    """The values as a list; a `DataError` if they are not a list, a tuple, an array or an iterator of some kind.

    `expected`: what they should be; for the keys above an error says what to give instead of a data frame.

    >>> as_list({"a", "b"}, "a list of tokens", "sentence 3")
    Traceback (most recent call last):
    ...
    perceptag.errors.DataError: sentence 3: expected a list of tokens, found a set, which has no order
    """
    found = ""
    if is_frame(values):
        found = f"a {type(values).__name__}" + (f"; give {_OF_A_FRAME[expected]}" if expected in _OF_A_FRAME else "")
    elif isinstance(values, Set) and not hasattr(values, "mapping"):  # the keys of a dictionary have an order
        found = f"a {type(values).__name__}, which has no order"
    elif _is_file(values):
        found = "an open file; perceptag.text.read(path) reads the sentences of a file"
    elif isinstance(values, (str, bytes, Mapping)) or not isinstance(values, Iterable) or _has_no_axis(values):
        found = brief(values)
    if found:
        raise DataError(f"expected {expected}, found {found}", where)
    assert isinstance(values, Iterable)
    in_python: Any = getattr(values, "tolist", None) if type(values).__name__ == "ndarray" else None
    return list(in_python() if in_python else values)  # strings of numpy become those of Python


def _has_no_axis(values: object) -> bool:
    """Whether this is an array of numpy that holds one value."""
    return getattr(values, "ndim", None) == 0


def is_frame(values: object) -> bool:
    """Whether this is a table, as pandas and polars have them, or a part of one that was grouped."""
    return all(hasattr(values, name) for name in ("columns", "shape", "to_dict")) or hasattr(values, "ngroups")


def _is_file(values: object) -> bool:
    return isinstance(values, io.IOBase) or (hasattr(values, "read") and hasattr(values, "readline"))
