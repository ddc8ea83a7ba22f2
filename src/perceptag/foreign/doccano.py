"""doccano exports: JSON lines or a JSON list, of sequence labelling.

    old    {"id": 1, "text": …, "label": [[0, 5, "PER"]]}             also "data" for "text", and "labels"
    new    {"id": 1, "text": …, "entities": [{"id": 4, "label": "PER", "start_offset": 0, "end_offset": 5}],
            "relations": […], "Comments": […]}

doccano does not record whether a text without spans was annotated; the caller decides what such texts mean.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from perceptag.errors import DataError, LostLabel, brief
from perceptag.foreign.json_records import Record
from perceptag.foreign.span_values import KEYS, span_of
from perceptag.foreign.texts import (
    EMPTY,
    UNMARKED,
    WHOLE,
    AnnotatorSpans,
    CharacterSpan,
    ForeignText,
    knowing,
    label,
    offset,
    text_of,
    unread_keys,
)

NAME, TITLE = "doccano", "doccano export"
_TEXT = ("text", "data")
_NOTED = ("relations", "Comments", "comments")
_SPANS = ("entities", "label", "labels", "annotations")


def is_mine(record: dict[str, Any]) -> bool:
    """Return whether a record is from doccano."""
    has_text = any(isinstance(record.get(key), str) for key in _TEXT)
    return has_text and any(isinstance(record.get(key), list) for key in _SPANS)


def read(found: Iterable[Record]) -> Iterator[ForeignText]:
    """Read all texts."""
    for where, value in found:
        items = _items(value, where)
        spans = [_span(item, where) for item in items]
        text = ForeignText(where, text_of(value, _TEXT, where), AnnotatorSpans("", spans, WHOLE if spans else EMPTY))
        knowing(text, value, (*_TEXT, *_SPANS, *_NOTED))
        text.left_out += unread_keys("entities", items, KEYS)
        if not spans:
            text.notes.append(f"{where}: {UNMARKED}")
        if value.get("relations"):
            text.notes.append(LostLabel(f"{where}: left out: relations ({len(value['relations'])})"))
        text.comments = [("", comment) for comment in _comments(value)]
        yield text


def _items(value: dict[str, Any], where: str) -> list[Any]:
    for key in _SPANS:
        if isinstance(value.get(key), list):
            return list(value[key])
    raise DataError(f"expected a list of spans, {', '.join(map(repr, _SPANS))}, found none", where)


def _span(item: object, where: str) -> CharacterSpan:
    if isinstance(item, dict) and "start_offset" not in item:
        return span_of(item, where)
    if isinstance(item, dict):
        start, end, name = item.get("start_offset"), item.get("end_offset"), item.get("label")
    elif isinstance(item, list) and len(item) == 3:
        start, end, name = item
    else:
        raise DataError(f'expected spans, such as [0, 5, "PER"], found {brief(item)}', where)
    if isinstance(name, int):
        raise DataError(f"label: expected a name, found the number {name}; doccano can export names too", where)
    return CharacterSpan(offset(start, "start", where), offset(end, "end", where), label(name, where))


def _comments(value: dict[str, Any]) -> Iterator[str]:
    for item in value.get("Comments") or value.get("comments") or ():
        text = item.get("text") or item.get("comment") if isinstance(item, dict) else item
        if isinstance(text, str) and text.strip():
            yield text
