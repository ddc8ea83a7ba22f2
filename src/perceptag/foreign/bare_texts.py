"""Texts that are not annotated yet, one in each record: ``{"id": 1, "text": "Anna sings"}``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from perceptag.errors import LostLabel
from perceptag.foreign.json_records import Record
from perceptag.foreign.texts import OPEN, AnnotatorSpans, ForeignText, knowing, text_of
from perceptag.foreign.token_lists import TOKENS
from perceptag.text.list_names import OTHER_TAGS, TAGS

NAME, TITLE = "texts", "list of texts"
TEXTS = ("text", "content", "sentence")
_ABOUT = ("meta", "metadata")
# Lists of strings under these names are tokens, labels or names.
_LISTS = frozenset([*TOKENS, *TAGS, *OTHER_TAGS, "entities", "spans", "annotations", "annotation", "ents", "names"])


def is_mine(record: dict[str, Any]) -> bool:
    """Return whether a record is a text and what is known about it."""
    return any(isinstance(record.get(key), str) for key in TEXTS) and not has_lists(record)


def has_lists(record: dict[str, Any]) -> bool:
    """Return whether a record has lists or objects that may be labels.

    Objects under other names than those of labels are none, such as ``user``, and lists of numbers or strings are none.
    So are tags of which there are more or fewer than words.
    """
    text = next((record[key] for key in TEXTS if isinstance(record.get(key), str)), "")
    return any(_may_be_labels(key, value, len(text.split())) for key, value in record.items() if key not in _ABOUT)


def _may_be_labels(key: str, value: object, words: int) -> bool:
    if isinstance(value, dict):
        return key in _LISTS
    if not isinstance(value, list):
        return False
    if all(isinstance(one, str) for one in value) and key in (*TAGS, *OTHER_TAGS):
        return len(value) == words
    return key in _LISTS or any(isinstance(one, (list, dict)) for one in value)


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
