"""LightTag exports: texts under ``content`` with annotations, alone or in a list ``examples``.

{"examples": [{"content": "Anna sings", "annotations": [{"start": 0, "end": 4, "tag": "PER", "value": "Anna"}]}]}
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from perceptag.foreign.json_records import Record
from perceptag.foreign.span_values import KEYS, span_of
from perceptag.foreign.texts import AnnotatorSpans, ForeignText, knowing, objects, text_of, unread_keys

NAME, TITLE = "lighttag", "LightTag export"
_READ = ("content", "annotations", "seen_by")  # the last one is the tool's own
_OF_SPANS = {*KEYS, "tag_id", "tagged_token_id", "annotated_by", "correct"}  # so are the last four


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
            beside = unread_keys("file", value, ("examples", "schema"))
            for text in read(Record(f"{where}, example {number}", item) for number, item in enumerate(items, 1)):
                text.left_out += beside
                yield text
            continue
        items = objects(value.get("annotations"), "annotations", where)
        spans = [span_of(item, where) for item in items]
        text = ForeignText(where, text_of(value, ("content",), where), AnnotatorSpans("", spans))
        text.left_out += unread_keys("annotations", items, _OF_SPANS)
        yield knowing(text, value, _READ)
