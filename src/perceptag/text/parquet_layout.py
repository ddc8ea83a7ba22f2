"""The Parquet row of a sentence, and values to write besides its columns."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from perceptag.text import jsonl
from perceptag.text.sentence import Sentence, SentenceLayout


@dataclass(frozen=True, slots=True)
class ParquetLayout(SentenceLayout):
    """The row that a sentence was read from, and its values in columns that are not lists of strings."""

    rows: Any = None  # `perceptag.text.parquet_table.ParquetRows`, or None
    row: int = 0  # its number among these
    record: Mapping[str, Any] = field(default_factory=dict)


def with_entry(sentence: Sentence, key: str, value: object) -> Sentence:
    """Return the sentence with a value for the non-text column `key`."""
    layout = sentence.layout if isinstance(sentence.layout, ParquetLayout) else ParquetLayout()
    return replace(sentence, layout=replace(layout, record={**layout.record, key: value}))


def from_text(sentence: Sentence) -> Sentence:
    """Return a sentence of running text with its text, word offsets and multiword tokens."""
    given = jsonl.from_text(sentence).layout.record or {}  # type: ignore[union-attr]
    entries = {"text": "", "offsets": [], "multiword": [], "paragraph": False}
    entries |= {key: value for key, value in given.items() if key not in ("tokens", "document")}
    return replace(sentence, layout=ParquetLayout(record=entries))
