"""Write the other fields of Parquet rows into JSON lines: texts, offsets, spans, numbers and whatever JSON has."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from perceptag.text.jsonl import JsonLayout
from perceptag.text.sentence import Sentence


def kept_fields(fields: Any) -> list[str]:
    """Return the fields of a Parquet file that are not columns of sentences and that JSON can hold."""
    taken = {*fields.names.values(), fields.document}
    return [f.name for f in fields.schema if f.name not in taken and _is_json(f.type)]


def with_fields(sentences: Sequence[Sentence]) -> Iterator[Sentence]:
    """Yield sentences of Parquet files with these fields as keys; others stay as they are."""
    for sentence in sentences:
        rows = getattr(sentence.layout, "rows", None)
        if names := kept_fields(rows.fields) if rows else []:
            row = {name: rows.batch[name][sentence.layout.row].as_py() for name in names}  # type: ignore[union-attr]
            told = {name: _finite(value) for name, value in row.items() if value is not None and value != []}
            sentence = replace(sentence, layout=JsonLayout(told))  # noqa: PLW2901
        yield sentence


def _is_json(kind: Any) -> bool:
    from pyarrow import types  # a file was read with it

    if types.is_list(kind) or types.is_large_list(kind) or types.is_fixed_size_list(kind):
        return _is_json(kind.value_type)
    if types.is_struct(kind):
        return all(_is_json(field.type) for field in kind)
    tests = (types.is_string, types.is_large_string, types.is_integer, types.is_floating, types.is_boolean)
    return any(test(kind) for test in tests)


def _finite(value: Any) -> Any:
    """Return a value with None for what is not a number, which JSON cannot say."""
    if isinstance(value, dict):
        return {key: _finite(one) for key, one in value.items() if one is not None}
    if isinstance(value, list):
        return [_finite(one) for one in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
