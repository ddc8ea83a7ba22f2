"""Prodigy exports: JSON lines of ``db-out``.

    {"text": …, "tokens": [{"text": "Anna", "start": 0, "end": 4, "id": 0}], "answer": "accept", "_annotator_id": …,
     "spans": [{"start": 0, "end": 4, "token_start": 0, "token_end": 0, "label": "PER"}]}

answer      accept: the spans are right; reject, ignore: they are wrong or unknown, so the text stays unlabelled
_is_binary  the question was about one span: the rest of the text is open. Older versions do not write this key: there
            the spans of such a question have the score of the model, or the pattern, that has found them
spans       may have an answer each: those that were not accepted are left out, and the rest of the text is open
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from perceptag.errors import DataError, LostLabel, brief
from perceptag.foreign.json_records import Record
from perceptag.foreign.texts import (
    OPEN,
    PARTLY,
    WHOLE,
    AnnotatorSpans,
    CharacterSpan,
    ForeignText,
    ForeignToken,
    knowing,
    label,
    objects,
    offsets_of,
    text_of,
    unread_keys,
)
from perceptag.system.plural import plural

NAME, TITLE = "prodigy", "Prodigy export"
_ACCEPT = "accept"
_ANSWERS = (_ACCEPT, "reject", "ignore")
_BINARY_VIEW = "ner"  # the page on which spans cannot be changed
_FOUND_BY = frozenset(["rank", "score", "pattern"])  # keys of spans that a model or a pattern has found
_READ = ("text", "tokens", "spans", "answer", "relations", "label")  # keys with "_" are the tool's own
_OF_SPANS = {"start", "end", "token_start", "token_end", "label", "text", "answer", "id"}
_OF_TOKENS = {"text", "start", "end", "id", "ws", "disabled"}
_ANNOTATOR = ("_annotator_id", "_session_id")


def is_mine(record: dict[str, Any]) -> bool:
    """Return whether a record is from Prodigy."""
    spans = record.get("spans")
    has_spans = isinstance(spans, list) and all(isinstance(span, dict) for span in spans)
    return isinstance(record.get("text"), str) and (has_spans or "answer" in record or "_task_hash" in record)


def read(found: Iterable[Record]) -> Iterator[ForeignText]:
    """Read all texts; the same text by another annotator is another reading of it."""
    texts: list[ForeignText] = []
    by_input: dict[object, ForeignText] = {}
    for record in found:
        text, key = _text(record), record.value.get("_input_hash")
        same = by_input.get(key) if isinstance(key, int) else None
        if same and same.text == text.text and text.first.who not in ("", same.first.who):
            _add_reading(same, text)
            continue
        texts.append(text)
        by_input.setdefault(key if isinstance(key, int) else record.where, text)
    yield from texts


def _add_reading(same: ForeignText, text: ForeignText) -> None:
    """Add what another annotator says; if the first one has said nothing, the other one is the first."""
    if same.first.said == OPEN:
        same.first = text.first
    elif text.first.said != OPEN:
        same.others.append(text.first)
    same.notes += text.notes


def _text(record: Record) -> ForeignText:
    where, value = record
    text = text_of(value, ("text",), where)
    tokens = _tokens(value, text, where)
    items = objects(value.get("spans"), "spans", where)
    spans = [_span(item, tokens, where) for item in items if item.get("answer", _ACCEPT) == _ACCEPT]
    answer = value.get("answer", _ACCEPT)
    if answer not in _ANSWERS:
        raise DataError(f"answer: expected {', '.join(_ANSWERS)}, found {brief(answer)}", where)
    said = OPEN if answer != _ACCEPT else PARTLY if _is_binary(value, items) or len(spans) < len(items) else WHOLE
    who = next((str(value[key]) for key in _ANNOTATOR if value.get(key)), "")
    found = ForeignText(where, text, AnnotatorSpans(who, [] if said == OPEN else spans, said), tokens=tokens)
    if "answer" not in value:
        found.notes.append(f"{where}: without an answer, and taken as accepted")
    elif said == OPEN:
        found.notes.append(LostLabel(f"{where}: the answer is {answer}: imported without labels"))
    if said != OPEN and len(spans) < len(items):
        refused = plural(len(items) - len(spans), "span")
        found.notes.append(LostLabel(f"{where}: left out: {refused} whose own answer is not accept"))
    if value.get("relations"):
        found.notes.append(LostLabel(f"{where}: left out: relations ({len(value['relations'])})"))
    found.left_out += unread_keys("spans", items, _OF_SPANS) + unread_keys("tokens", value.get("tokens"), _OF_TOKENS)
    found.left_out += ["label"] if value.get("label") else []
    return knowing(found, {key: one for key, one in value.items() if not key.startswith("_")}, _READ)


def _is_binary(value: dict[str, Any], spans: Sequence[dict[str, Any]]) -> bool:
    """Return whether the question was about one span, and not about all of the text."""
    if "_is_binary" in value:
        return bool(value["_is_binary"])
    are_found = bool(spans) and all(not _FOUND_BY.isdisjoint(span) for span in spans)
    meta = value.get("meta")
    is_scored = isinstance(meta, dict) and not _FOUND_BY.isdisjoint(meta)
    return are_found and value.get("_view_id", _BINARY_VIEW if is_scored else "") == _BINARY_VIEW


def _tokens(value: dict[str, Any], text: str, where: str) -> list[ForeignToken] | None:
    """Return Prodigy's own tokens. Each must be in the text where it says."""
    if "tokens" not in value:
        return None
    pieces, last = [], 0
    for item in objects(value["tokens"], "tokens", where):
        start, end = offsets_of(item, where)
        if not last <= start < end <= len(text) or text[start:end] != item.get("text"):
            raise DataError(f"tokens: expected the text at {start} to {end}, found {brief(item.get('text'))}", where)
        pieces.append(ForeignToken(text[start:end], start, end))
        last = end
    return pieces


def _span(item: dict[str, Any], tokens: Sequence[ForeignToken] | None, where: str) -> CharacterSpan:
    """Return a span by its characters, or by its tokens if it has no characters."""
    name = label(item.get("label"), where)
    first, last = item.get("token_start"), item.get("token_end")
    if "start" not in item and isinstance(first, int) and isinstance(last, int) and tokens is not None:
        if not 0 <= first <= last < len(tokens):
            raise DataError(f"spans: expected tokens from 0 to {len(tokens) - 1}, found {first} to {last}", where)
        return CharacterSpan(tokens[first].start, tokens[last].end, name)
    shown = item.get("text") if isinstance(item.get("text"), str) else None
    start, end = offsets_of(item, where)
    return CharacterSpan(start, end, name, shown)
