"""Write sentences of JSON lines that know their text into Parquet: text, offsets, and the id and number of the text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from perceptag.foreign.marking import known_text
from perceptag.text.jsonl import JsonLayout
from perceptag.text.parquet_layout import ParquetLayout
from perceptag.text.sentence import Sentence

_DOCUMENT = "document_id"
_EMPTY: dict[str, Any] = {"text": "", "offsets": [], "multiword": [], "paragraph": False}
KEPT = (*_EMPTY, "id")  # keys that Parquet has columns for, if the text is known


def knows_text(sentence: Sentence) -> bool:
    """Return whether a sentence is of JSON lines with a text and the places of its words."""
    return isinstance(sentence.layout, JsonLayout) and known_text(sentence) is not None


def with_text(sentences: Iterable[Sentence]) -> Iterator[Sentence]:
    """Yield sentences that know their text with columns for it; others stay as they are."""
    number = 0
    for sentence in sentences:
        number += sentence.starts_document
        if not knows_text(sentence):
            yield sentence
            continue
        record = getattr(sentence.layout, "record", None) or {}
        entries = _EMPTY | {key: record[key] for key in _EMPTY if key in record}
        about = {"id": None if record.get("id") is None else str(record["id"])}  # the first row decides on columns
        numbered = {_DOCUMENT: sentence.document_name or number} if number else {}
        yield replace(sentence, layout=ParquetLayout(record={**about, **numbered, **entries}))
