"""LightTag exports: texts under ``content`` with annotations, alone or in a list ``examples``.

{"examples": [{"content": "Anna sings", "annotations": [{"start": 0, "end": 4, "tag": "PER", "value": "Anna"}]}]}
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from perceptag.foreign.json_records import Record
from perceptag.foreign.span_values import span_of
from perceptag.foreign.texts import AnnotatorSpans, ForeignText, knowing, objects, text_of

NAME, TITLE = "lighttag", "LightTag export"
_READ = ("content", "annotations", "seen_by")  # the last one is the tool's own


def is_mine(record: dict[str, Any]) -> bool:
    """Return whether a record is from LightTag."""
    if isinstance(record.get("examples"), list):
        return any(isinstance(item, dict) and is_mine(item) for item in record["examples"])
    return isinstance(record.get("content"), str) and isinstance(record.get("annotations"), list)


def read(found: Iterable[Record]) -> Iterator[ForeignText]:
    """Read all texts."""
    for where, value in found:
        if "examples" in value:
            items = objects(value["examples"], "examples", where)
            yield from read(Record(f"{where}, example {number}", item) for number, item in enumerate(items, 1))
            continue
        spans = [span_of(item, where) for item in objects(value.get("annotations"), "annotations", where)]
        text = ForeignText(where, text_of(value, ("content",), where), AnnotatorSpans("", spans))
        yield knowing(text, value, _READ)
