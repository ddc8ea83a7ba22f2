"""Texts with character spans: the result of the readers of all tools."""

from __future__ import annotations

import json
import re
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from perceptag.errors import DataError, brief
from perceptag.foreign.json_records import NOTHING

WHOLE = "whole"  # all spans of the text are marked
PARTLY = "partly"  # the spans are right, but there may be others
OPEN = "open"  # the text was not annotated, or was rejected
EMPTY = "empty"  # no spans, and the tool does not say whether anybody has looked at the text
UNMARKED = "without spans: doccano does not say whether anybody has looked at it"


@dataclass(frozen=True, slots=True)
class CharacterSpan:
    """``text[start:end]`` has this label."""

    start: int
    end: int
    label: str
    text: str | None = None  # what the tool says it is
    fault: str = ""  # why it cannot be a span of labels, if the file alone shows that


@dataclass(frozen=True, slots=True)
class ForeignToken:
    """A token of a text, with its place."""

    text: str
    start: int
    end: int


@dataclass(slots=True)
class AnnotatorSpans:
    """The spans of a text by one person."""

    who: str
    spans: list[CharacterSpan]
    said: str = WHOLE  # how much they say


@dataclass(slots=True)
class ForeignText:
    """A text, what the first person has marked in it, and what others have."""

    where: str
    text: str
    first: AnnotatorSpans
    others: list[AnnotatorSpans] = field(default_factory=list)
    tokens: list[ForeignToken] | None = None  # those of the tool; None: it has none
    borders: list[int] = field(default_factory=list)  # where sentences of these tokens begin; none: they are one
    comments: list[tuple[str, str]] = field(default_factory=list)  # who and what
    notes: list[str] = field(default_factory=list)
    about: dict[str, Any] = field(default_factory=dict)  # what else is known about it, such as an id, by key
    left_out: list[str] = field(default_factory=list)  # further keys of its record, which a sentence cannot have
    name: str = ""  # if it has one


@dataclass(slots=True)
class ForeignSentence:
    """A sentence of an export. `labels` are in IOB2, or as the file has them; None if some are unknown."""

    where: str  # of its record
    document: int  # the number of its text, from 0
    tokens: list[str]
    offsets: list[tuple[int, int]]  # of the tokens in the text; empty if there is no text
    labels: list[str] | None
    draft: list[str | None] | None = None
    who: str = ""  # has made the labels
    readings: list[tuple[str, list[str]]] = field(default_factory=list)  # labels of others, where they differ
    comments: list[tuple[str, str]] = field(default_factory=list)  # who and what
    text: str = ""  # from the first token to the last
    columns: dict[str, list[str]] = field(default_factory=dict)  # further values of the tokens
    notes: list[str] = field(default_factory=list)
    about: dict[str, Any] = field(default_factory=dict)  # what else is known about its text, by key
    is_unmarked: bool = False  # of a text without spans that may not have been looked at
    left_out: list[str] = field(default_factory=list)  # further keys of its record, which a sentence cannot have
    document_name: str = ""  # if the file has one


# --- checked values of records ---

# Keys of sentences in JSON lines, which have another meaning there.
_OF_SENTENCES = ("tokens", "labels", "form", "label", "document", "text", "offsets", "multiword", "paragraph")
_TAKEN = frozenset([*_OF_SENTENCES, "spans", "confidence", "nbest"])


def about_of(record: Mapping[str, Any]) -> dict[str, Any]:
    """Return the further keys of a record that a sentence in JSON lines can have: lists would be columns there.

    A ``label`` that is a string is a class of the whole text.
    """
    kept = {k: v for k, v in record.items() if k and k not in _TAKEN and not isinstance(v, list)}
    return kept | ({"label": record["label"]} if isinstance(record.get("label"), str) else {})


Told = TypeVar("Told", ForeignText, ForeignSentence)


def knowing(told: Told, record: Mapping[str, Any], read: Container[str] = ()) -> Told:
    """Give a text or a sentence the further keys of its record; `read` are those that its reader has looked at."""
    others = {key: value for key, value in record.items() if key not in read}
    told.about |= about_of(others)
    told.left_out += [key for key, value in others.items() if key not in told.about and value not in NOTHING]
    return told


def unread_keys(what: str, items: object, read: Container[str]) -> list[str]:
    """Return the keys of an object, or of objects in a list, that their reader does not look at and that say something.

    >>> unread_keys("entities", [{"start": 0, "score": 0.9}, {"start": 7, "note": ""}], {"start"})
    ['entities.score']
    """
    objects = items if isinstance(items, Iterable) and not isinstance(items, (dict, str)) else [items]
    found = (key for item in objects if isinstance(item, dict) for key in item if item[key] not in NOTHING)
    return [f"{what}.{key}" for key in dict.fromkeys(found) if key not in read]


def text_of(record: dict[str, Any], keys: Sequence[str], where: str) -> str:
    """Return the text of a record, found under one of these keys."""
    for key in keys:
        if isinstance(record.get(key), str):
            return str(record[key])
    if key := next((key for key in keys if key in record), ""):
        raise DataError(f"expected a text, found {_shown(record[key])}", where)
    raise DataError(f"expected a text {' or '.join(map(repr, keys))}, found {keys_of(record)}", where)


def _shown(value: object) -> str:
    """Return a value as JSON writes it."""
    return brief(value) if isinstance(value, (list, dict)) else json.dumps(value, ensure_ascii=False)


def keys_of(record: dict[str, Any]) -> str:
    """Return the keys of a record as messages show them."""
    return ", ".join(map(repr, record)) or "no keys"


def offset(value: object, what: str, where: str) -> int:
    """Return a place in a text, in characters."""
    if isinstance(value, bool) or not isinstance(value, int):
        raise DataError(f"{what}: expected a number of characters, found {brief(value)}", where)
    return value


def offsets_of(item: Mapping[str, Any], where: str) -> tuple[int, int]:
    """Return where a span or a token begins and ends in a text."""
    return offset(item.get("start"), "start", where), offset(item.get("end"), "end", where)


def label(value: object, where: str) -> str:
    """Return the name of a label."""
    if isinstance(value, str) and value.strip():
        return value
    raise DataError(f"label: expected a name, found {brief(value)}", where)


def without_spaces(name: str) -> str:
    """Replace spaces in the name of a label, for formats in which a space ends it.

    >>> without_spaces("geo location ")
    'geo_location'
    """
    return re.sub(r"\s+", "_", name.strip())


def objects(value: object, what: str, where: str) -> list[dict[str, Any]]:
    """Return a list of objects."""
    if value is None:
        return []
    if isinstance(value, list) and all(isinstance(item, dict) for item in value):
        return value
    raise DataError(f"{what}: expected a list of objects, found {brief(value)}", where)


def name_of(value: object) -> str:
    """Return the name, address or number of a person."""
    if isinstance(value, dict):
        found = next((value[key] for key in ("email", "username", "id") if value.get(key)), "")
        return str(found)
    return "" if value is None else str(value)
