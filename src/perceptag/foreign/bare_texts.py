"""Texts that are not annotated yet, one in each record: ``{"id": 1, "text": "Anna sings"}``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from perceptag.foreign.json_records import Record
from perceptag.foreign.texts import OPEN, AnnotatorSpans, ForeignText, LostLabel, knowing, text_of

NAME, TITLE = "texts", "list of texts"
TEXTS = ("text", "content", "sentence")
_ABOUT = ("meta", "metadata")


def is_mine(record: dict[str, Any]) -> bool:
    """Return whether a record is a text and what is known about it."""
    return any(isinstance(record.get(key), str) for key in TEXTS) and not has_lists(record)


def has_lists(record: dict[str, Any]) -> bool:
    """Return whether a record has lists or objects, which may be labels."""
    return any(isinstance(value, (list, dict)) and key not in _ABOUT for key, value in record.items())


def read(found: Iterable[Record]) -> Iterator[ForeignText]:
    """Read all texts."""
    for where, value in found:
        key = next((key for key in TEXTS if isinstance(value.get(key), str)), "")
        yield knowing(open_text(where, text_of(value, TEXTS, where)), value, (key,))


def open_text(where: str, text: str, missing: str = "") -> ForeignText:
    """Return a text whose labels are not known. `missing`: what other texts of the file have, for a note."""
    found = ForeignText(where, text, AnnotatorSpans("", [], OPEN))
    if missing:
        found.notes.append(LostLabel(f"{where}: no {missing}: left without labels"))
    return found
