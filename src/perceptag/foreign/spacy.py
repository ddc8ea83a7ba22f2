"""spaCy documents: JSON of `Doc.to_json()`, one per line or in a list.

    {"text": …, "ents": [{"start": 0, "end": 4, "label": "PER"}], "sents": [{"start": 0, "end": 12}],
     "tokens": [{"id": 0, "start": 0, "end": 4, "tag": …}]}

Tokens and sentences are those of the document, the labels are its entities. Documents without any entity may have
their labels in a group of spans, as the span categoriser has: {"spans": {"sc": [{"start": 0, "end": 4, "label": …}]}}.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import Any

from perceptag.errors import DataError
from perceptag.foreign.json_records import Record
from perceptag.foreign.texts import (
    AnnotatorSpans,
    CharacterSpan,
    ForeignText,
    ForeignToken,
    knowing,
    label,
    objects,
    offsets_of,
    text_of,
    unread_keys,
)

NAME, TITLE = "spacy", "spaCy documents"
_READ = ("text", "ents", "sents", "tokens", "spans")
_OF_SPANS = {"start", "end", "label", "id"}


def is_mine(record: dict[str, Any]) -> bool:
    """Return whether a record is from spaCy."""
    return isinstance(record.get("text"), str) and all(isinstance(record.get(key), list) for key in ("ents", "tokens"))


def read(found: Iterable[Record]) -> Iterator[ForeignText]:
    """Read all documents."""
    records = list(found)
    group = _group_of_labels(records)
    for where, value in records:
        text = text_of(value, ("text",), where)
        items = objects(_groups(value).get(group) if group else value.get("ents"), group or "ents", where)
        spans = [CharacterSpan(*_place(item, text, where), label(item.get("label"), where)) for item in items]
        tokens = _tokens(value, text, where)
        borders = [_place(item, text, where)[0] for item in objects(value.get("sents"), "sents", where)]
        made = ForeignText(where, text, AnnotatorSpans("", spans), tokens=tokens, borders=borders)
        if group and _groups(value):
            made.notes.append(f"there are no entities; the labels are those of the spans {group!r}")
        made.left_out += [f"spans.{name}" for name in _groups(value) if name != group]
        made.left_out += unread_keys("ents", items, _OF_SPANS)
        made.left_out += unread_keys("tokens", value["tokens"], {"id", "start", "end"})
        yield knowing(made, {key: one for key, one in value.items() if one not in (None, {})}, _READ)


def _groups(value: dict[str, Any]) -> dict[str, Any]:
    """Return the groups of spans of a document that have spans."""
    groups = value.get("spans")
    return {name: spans for name, spans in groups.items() if spans} if isinstance(groups, dict) else {}


def _group_of_labels(records: Iterable[Record]) -> str:
    """Return the group that has the labels: the only one, without overlaps, if no document has an entity; or ""."""
    groups: set[str] = set()
    for where, value in records:
        own = _groups(value)
        groups |= own.keys()
        if value.get("ents") or len(groups) > 1 or any(_overlap(spans, where) for spans in own.values()):
            return ""
    return next(iter(groups), "")


def _overlap(spans: object, where: str) -> bool:
    items = objects(spans, "spans", where)
    places = sorted(offsets_of(item, where) for item in items)
    return any(start < end for (_, end), (start, _) in pairwise(places))


def _tokens(value: dict[str, Any], text: str, where: str) -> list[ForeignToken]:
    places = [_place(item, text, where) for item in objects(value.get("tokens"), "tokens", where)]
    for (_, end), (start, _) in pairwise(places):
        if start < end:
            raise DataError(f"tokens: expected each after the one before, found {start} after {end}", where)
    return [ForeignToken(text[start:end], start, end) for start, end in places]


def _place(item: dict[str, Any], text: str, where: str) -> tuple[int, int]:
    start, end = offsets_of(item, where)
    if not 0 <= start <= end <= len(text):
        raise DataError(f"expected places within the text, from 0 to {len(text)}, found {start} to {end}", where)
    return start, end
