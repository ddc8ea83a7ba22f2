"""Read spans under the key names that tools and programs use."""

from __future__ import annotations

from typing import Any

from perceptag.errors import DataError, brief
from perceptag.foreign.texts import CharacterSpan, label, offset

STARTS = ("start_char", "start", "start_offset", "startOffset", "begin", "from")
ENDS = ("end_char", "end", "end_offset", "endOffset", "stop", "to")
LABELS = ("label", "type", "tag", "entity_type", "entity_group", "category", "class", "ner", "entity_label")
WORDS = ("text", "value", "word", "entity", "mention", "name", "span", "phrase", "surface")
KEYS = frozenset([*STARTS, *ENDS, *LABELS, *WORDS, "id", "token_start", "token_end"])  # the last three say no more
TEXTS = ("text", "content", "sentence", "document", "data")


def first_of(record: dict[str, Any], keys: tuple[str, ...]) -> Any:
    """Return the value of the first of these keys that a record has; None without any."""
    return next((record[key] for key in keys if record.get(key) is not None), None)


def has_offsets(item: object) -> bool:
    """Return whether this is a span with a start, an end and a label: an object or ``[0, 4, "PER"]``."""
    if isinstance(item, dict):
        return all(first_of(item, keys) is not None for keys in (STARTS, ENDS, LABELS))
    return isinstance(item, list) and len(item) == 3 and sorted(map(type, item), key=str) == [int, int, str]


def span_of(item: object, where: str) -> CharacterSpan:
    """Return a span; in a list the label is last, or first."""
    if isinstance(item, dict):
        start, end, name = (first_of(item, keys) for keys in (STARTS, ENDS, LABELS))
        words = first_of(item, WORDS)
        shown = words if isinstance(words, str) and words != name else None
    elif isinstance(item, list) and len(item) == 3:
        start, end, name = item if isinstance(item[2], str) else (*item[1:], item[0])
        shown = None
    else:
        raise DataError(f'expected spans, such as [0, 5, "PER"], found {brief(item)}', where)
    return CharacterSpan(offset(start, "start", where), offset(end, "end", where), label(name, where), shown)
