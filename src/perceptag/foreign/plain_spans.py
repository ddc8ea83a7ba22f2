"""Texts with spans as programs write them.

    ["Anna sings", {"entities": [[0, 4, "PER"]]}]
    {"text": "Anna sings", "entities": [{"start": 0, "end": 4, "label": "PER"}]}

A text with an empty list of spans has been looked at: such files are made for training. One without a list has not.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from perceptag.foreign.bare_texts import open_text
from perceptag.foreign.json_records import Record
from perceptag.foreign.span_values import KEYS, TEXTS, has_offsets, span_of
from perceptag.foreign.texts import AnnotatorSpans, ForeignText, knowing, text_of, unread_keys

NAME, TITLE = "spans", "texts with spans"
_SPANS = ("entities", "spans", "annotations", "ents")


def is_mine(record: dict[str, Any]) -> bool:
    """Return whether a record is a text with spans that have offsets."""
    items = _items(record)
    is_doccano = any(isinstance(item, dict) and "start_offset" in item for item in items)
    has_text = any(isinstance(record.get(key), str) for key in TEXTS)
    return has_text and bool(items) and all(map(has_offsets, items)) and not is_doccano


def read(found: Iterable[Record]) -> Iterator[ForeignText]:
    """Read all texts."""
    for where, value in found:
        spans, text = [span_of(item, where) for item in _items(value)], text_of(value, TEXTS, where)
        is_open = not _key(value)
        made = (
            open_text(where, text, "list of spans") if is_open else ForeignText(where, text, AnnotatorSpans("", spans))
        )
        made.left_out += unread_keys(_key(value), _items(value), KEYS)
        key = next(key for key in TEXTS if isinstance(value.get(key), str))
        yield knowing(made, value, (key, _key(value)))


def _key(record: dict[str, Any]) -> str:
    return next((key for key in _SPANS if isinstance(record.get(key), list)), "")


def _items(record: dict[str, Any]) -> list[Any]:
    return record[_key(record)] if _key(record) else []
