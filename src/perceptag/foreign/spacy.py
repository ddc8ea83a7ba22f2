"""spaCy documents: JSON of `Doc.to_json()`, one per line or in a list.

    {"text": …, "ents": [{"start": 0, "end": 4, "label": "PER"}], "sents": [{"start": 0, "end": 12}],
     "tokens": [{"id": 0, "start": 0, "end": 4, "tag": …}]}

Tokens and sentences are those of the document, the labels are its entities.
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
    LostLabel,
    label,
    objects,
    offset,
    text_of,
)

NAME, TITLE = "spacy", "spaCy documents"


def is_mine(record: dict[str, Any]) -> bool:
    """Return whether a record is from spaCy."""
    return isinstance(record.get("text"), str) and all(isinstance(record.get(key), list) for key in ("ents", "tokens"))


def read(found: Iterable[Record]) -> Iterator[ForeignText]:
    """Read all documents."""
    for where, value in found:
        text = text_of(value, ("text",), where)
        spans = [
            CharacterSpan(*_place(item, text, where), label(item.get("label"), where))
            for item in objects(value.get("ents"), "ents", where)
        ]
        tokens = _tokens(value, text, where)
        borders = [_place(item, text, where)[0] for item in objects(value.get("sents"), "sents", where)]
        yield ForeignText(where, text, AnnotatorSpans("", spans), tokens=tokens, borders=borders, notes=_notes(value))


def _notes(value: dict[str, Any]) -> list[str]:
    """Note the token attributes that are not read. Equal notes are shown once."""
    known = {key for token in value["tokens"] for key in token if token[key]} - {"id", "start", "end"}
    return [LostLabel(f"left out of the tokens: {', '.join(sorted(known))}")] if known else []


def _tokens(value: dict[str, Any], text: str, where: str) -> list[ForeignToken]:
    places = [_place(item, text, where) for item in objects(value.get("tokens"), "tokens", where)]
    for (_, end), (start, _) in pairwise(places):
        if start < end:
            raise DataError(f"tokens: expected each after the one before, found {start} after {end}", where)
    return [ForeignToken(text[start:end], start, end) for start, end in places]


def _place(item: dict[str, Any], text: str, where: str) -> tuple[int, int]:
    start, end = offset(item.get("start"), "start", where), offset(item.get("end"), "end", where)
    if not 0 <= start <= end <= len(text):
        raise DataError(f"expected places within the text, from 0 to {len(text)}, found {start} to {end}", where)
    return start, end
