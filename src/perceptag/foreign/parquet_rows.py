"""Rows of a Parquet file whose columns are not those of perceptag, as JSON lines: row 3 is line 3."""

from __future__ import annotations

import json
import math
from importlib.util import find_spec
from typing import Any

MAGIC = b"PAR1"


def has_records(path: str) -> bool:
    """Return whether a Parquet file has no column of tokens under a name of perceptag. Only its schema is read."""
    if find_spec("pyarrow") is None:  # the reader of sentences says what is missing
        return False
    from perceptag.text.parquet_table import FORMS, opened

    return not {*FORMS} & {*opened(path).schema_arrow.names}


def as_json_lines(path: str) -> bytes:
    """Return the rows of a file as JSON lines."""
    from perceptag.text.parquet_table import batches_of, opened

    rows = (row for batch in batches_of(opened(path), path) for row in batch.to_pylist())
    return b"".join(json.dumps(_plain(row), ensure_ascii=False).encode() + b"\n" for row in rows)


def _plain(value: Any) -> Any:
    """Return a value as JSON has it: NaN is null, dates are strings."""
    if isinstance(value, dict):
        return {str(key): _plain(one) for key, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(one) for one in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value if value is None or isinstance(value, (str, bool, int, float)) else str(value)
