"""Write the other fields of Parquet rows into JSON lines: texts, offsets, spans, numbers and whatever JSON has."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from typing import Any

from perceptag.text.jsonl import JsonLayout
from perceptag.text.parquet_layout import Origin, ParquetLayout
from perceptag.text.sentence import Sentence


def kept_fields(origin: Origin) -> list[str]:
    """Return the fields of a Parquet file that are not columns of sentences and that JSON can hold."""
    fields = origin.fields
    taken = {*fields.names.values(), fields.document}
    return [f.name for f in fields.schema if not fields.by_token and f.name not in taken and _is_json(f.type)]


def with_fields(sentences: Sequence[Sentence]) -> Iterator[Sentence]:
    """Yield sentences of Parquet files with these fields as keys; others stay as they are."""
    for origin, group in groupby(sentences, lambda one: getattr(one.layout, "origin", None)):
        names = kept_fields(origin) if origin else []
        if origin is None or not names:
            yield from group
            continue
        some = list(group)
        numbers = [one.layout.row for one in some if isinstance(one.layout, ParquetLayout)]
        for sentence, row in zip(some, origin.rows(numbers, names).to_pylist(), strict=True):
            told = {name: _finite(value) for name, value in row.items() if value is not None and value != []}
            yield replace(sentence, layout=JsonLayout(told))


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
