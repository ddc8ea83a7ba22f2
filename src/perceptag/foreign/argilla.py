"""Argilla exports: records of version 1 (token classification) and of version 2 (a question for spans).

    1  {"text": …, "tokens": ["Anna", …], "annotation": [{"label": "PER", "start": 0, "end": 4}], "status": "Validated"}
    2  {"fields": {"text": …}, "responses": {"ner": [{"value": [{"label": "PER", "start": 0, "end": 4}],
        "status": "submitted", "user_id": …}]}, "suggestions": {…}}

Predictions and suggestions are not labels that a person has given: a text that has nothing else stays unlabelled.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from perceptag.errors import DataError, LostLabel
from perceptag.foreign.json_records import Record
from perceptag.foreign.span_values import KEYS, span_of
from perceptag.foreign.texts import (
    OPEN,
    AnnotatorSpans,
    ForeignText,
    ForeignToken,
    keys_of,
    knowing,
    name_of,
    text_of,
    unread_keys,
)

NAME, TITLE = "argilla", "Argilla export"
_READ = ("text", "tokens", "annotation", "fields", "responses")
# Keys of the tool: who, when, in which state, and what it has computed.
_OWN = {
    *("annotation_agent", "prediction_agent", "status", "event_timestamp", "metrics", "search_keywords", "vectors"),
    *("_server_id", "inserted_at", "updated_at"),
}
_OF_ANSWERS = {"value", "status", "user_id", "id", "inserted_at", "updated_at"}
_MODELS = ("prediction", "suggestions")  # what models say


def is_mine(record: dict[str, Any]) -> bool:
    """Return whether a record is from Argilla."""
    if isinstance(record.get("fields"), dict):
        return isinstance(record.get("responses"), (dict, list))
    return isinstance(record.get("text"), str) and "annotation" in record and "prediction" in record


def read(found: Iterable[Record]) -> Iterator[ForeignText]:
    """Read all records."""
    for where, value in found:
        yield _second(where, value) if isinstance(value.get("fields"), dict) else _first(where, value)


def _first(where: str, value: dict[str, Any]) -> ForeignText:
    text = text_of(value, ("text",), where)
    spans = [span_of(item, where) for item in value.get("annotation") or ()]
    is_open = value.get("annotation") is None or value.get("status") == "Discarded"
    reading = AnnotatorSpans(name_of(value.get("annotation_agent")), [] if is_open else spans)
    found = ForeignText(where, text, reading, tokens=_places(value.get("tokens") or (), text, where) or None)
    if is_open:
        reading.said = OPEN
        found.notes.append(LostLabel(f"{where}: discarded or without an annotation: imported without labels"))
    found.left_out += unread_keys("annotation", value.get("annotation"), KEYS)
    return _knowing(found, value)


def _places(tokens: Sequence[Any], text: str, where: str) -> list[ForeignToken]:
    """Return the tokens with their places, which the file does not say."""
    made, end = [], 0
    for token in tokens:
        start = text.find(token, end) if isinstance(token, str) and token else -1
        if start < 0:
            raise DataError(f"tokens: expected the words of the text in their order, found {token!r}", where)
        end = start + len(token)
        made.append(ForeignToken(token, start, end))
    return made


def _second(where: str, value: dict[str, Any]) -> ForeignText:
    texts = {key: text for key, text in value["fields"].items() if isinstance(text, str)}
    if not texts or ("text" not in texts and len(texts) > 1):
        raise DataError(f"fields: expected one text, or one that is called 'text', found {keys_of(texts)}", where)
    readings = [AnnotatorSpans(who, [span_of(item, where) for item in items]) for who, items in _answers(value)]
    first, *others = readings or [AnnotatorSpans("", [], OPEN)]
    key = "text" if "text" in texts else next(iter(texts))
    text = ForeignText(where, texts[key], first, others)
    if not readings:
        text.notes.append(LostLabel(f"{where}: without a submitted answer: imported without labels"))
    text.left_out += _unread_answers(value["responses"])
    return _knowing(knowing(text, value["fields"], (key,)), value)


def _knowing(text: ForeignText, value: dict[str, Any]) -> ForeignText:
    """Give a text what its record says about it, without what is the tool's own."""
    known = {key: one for key, one in value.items() if key not in _OWN and one not in (None, {})}
    text.left_out += [key for key in _MODELS if known.get(key)]
    return knowing(text, known, (*_READ, *_MODELS))


def _unread_answers(given: Any) -> list[str]:
    """Return the questions that are not about spans, and keys of answers and of spans that are not read."""
    unread: list[str] = []
    for question, answers in given.items() if isinstance(given, dict) else [("responses", given)]:
        unread += unread_keys(question, answers, _OF_ANSWERS)
        for answer in answers or ():
            items = answer.get("value") if isinstance(answer, dict) else None
            unread += unread_keys(question, items, KEYS) if _are_spans(items) else [question]
    return unread


def _answers(value: dict[str, Any]) -> Iterator[tuple[str, list[Any]]]:
    """Yield who has submitted which spans; answers to other kinds of questions are not lists of spans."""
    given = value["responses"]
    several = [answer for some in given.values() for answer in some or ()] if isinstance(given, dict) else given
    for answer in (answer for answer in several if isinstance(answer, dict)):
        items = answer.get("value")
        if _are_spans(items) and answer.get("status", "submitted") == "submitted":
            yield name_of(answer.get("user_id")), items or []


def _are_spans(items: object) -> bool:
    return isinstance(items, list) and all(isinstance(item, dict) and "start" in item for item in items)
