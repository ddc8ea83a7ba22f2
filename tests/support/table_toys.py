"""Tables of other libraries; a test is skipped if the library is missing."""

from __future__ import annotations

from typing import Any

import pytest

LIBRARY = {"arrow": "pyarrow"}


def needs(kind: str) -> Any:
    """The library of a kind; the test is skipped if it is missing."""
    return pytest.importorskip(LIBRARY.get(kind, kind))


def made(kind: str, **columns: list[Any]) -> Any:
    """A table of this kind."""
    library = needs(kind)
    if kind == "arrow":
        return library.table(columns)
    return library.Dataset.from_dict(columns) if kind == "datasets" else library.DataFrame(columns)


def values(frame: Any, name: str) -> list[Any]:
    """The values of a column."""
    column = frame[name]
    for method in ("to_pylist", "to_list", "tolist"):
        if hasattr(column, method):
            return list(getattr(column, method)())
    return list(column)
