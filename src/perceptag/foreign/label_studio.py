"""Label Studio exports: JSON, and JSON-MIN with one record per annotation.

    JSON      {"id": 7, "data": {"text": …}, "annotations": [{"completed_by": …, "was_cancelled": false, "result": [
                  {"type": "labels", "value": {"start": 0, "end": 5, "text": …, "labels": ["PER"]}}]}]}
    JSON-MIN  {"id": 7, "text": …, "label": [{"start": 0, "end": 5, "text": …, "labels": ["PER"]}], "annotator": 1,
               "annotation_id": 9, "created_at": "2026-…", "updated_at": "2026-…", "lead_time": 2.5}

Old versions say ``completions`` for ``annotations``. Old versions also count places in units of UTF-16, in which an
emoji counts twice; where the text of the spans shows that, their places are counted so here too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from perceptag.errors import DataError, LostLabel, brief
from perceptag.foreign.json_records import Record
from perceptag.foreign.texts import (
    OPEN,
    WHOLE,
    AnnotatorSpans,
    CharacterSpan,
    ForeignText,
    keys_of,
    knowing,
    label,
    name_of,
    objects,
    offsets_of,
    unread_keys,
)

NAME, TITLE = "label-studio", "Label Studio export"
_ANNOTATIONS = ("annotations", "completions")
IDS = ("annotator", "annotation_id")  # what shows that a record is from Label Studio
_OF_RESULTS = {"id", "from_name", "to_name", "type", "value", "origin"}
_OF_REGIONS = {"start", "end", "text", "labels"}
# Keys of tasks and of annotations that are read, noted elsewhere, or the tool's own: who, when, how many, which state.
_OF_BOTH = {"id", "created_at", "updated_at", "updated_by", "project"}
_OF_TASKS = _OF_BOTH | {
    *(*_ANNOTATIONS, "data", "meta", "predictions", "inner_id", "allow_skip", "overlap", "file_upload"),
    *("total_annotations", "cancelled_annotations", "total_predictions", "is_labeled", "is_skipped", "avg_lead_time"),
    *("comment_count", "unresolved_comment_count", "last_comment_updated_at", "comment_authors", "agreement"),
    *("storage_filename", "draft_exists", "precomputed_agreement"),
}
_OF_ANNOTATIONS = _OF_BOTH | {
    *("completed_by", "result", "was_cancelled", "skipped", "ground_truth", "lead_time", "draft_created_at", "task"),
    *("prediction", "result_count", "unique_id", "import_id", "last_action", "bulk_created", "parent_prediction"),
    *("parent_annotation", "last_created_by", "honeypot", "created_ago", "created_username", "task_id"),
    "model_version",
}
# What JSON-MIN adds to the data of a task.
_MIN = (*IDS, "created_at", "updated_at", "lead_time")


def is_mine(record: dict[str, Any]) -> bool:
    """Return whether a record is from Label Studio."""
    if isinstance(record.get("data"), dict) and any(key in record for key in _ANNOTATIONS):
        return True
    return any(_is_regions(value) for value in record.values()) or all(key in record for key in IDS)


def _is_regions(value: object) -> bool:
    """Return whether a value of JSON-MIN is a list of labelled regions of a text."""
    return (
        isinstance(value, list)
        and bool(value)
        and all(isinstance(v, dict) and {"start", "end", "labels"} <= v.keys() for v in value)
    )


def read(found: Iterable[Record]) -> Iterator[ForeignText]:
    """Read all texts; annotations of the same task in JSON-MIN are readings of one text."""
    tasks: dict[object, ForeignText] = {}
    for record in found:
        if isinstance(record.value.get("data"), dict):
            yield _task(record)
            continue
        text, number = _minimal(record), record.value.get("id")
        task = (number, text.text) if isinstance(number, (int, str)) else record.where
        if task in tasks:
            tasks[task].others.append(text.first)
            tasks[task].notes += text.notes
        else:
            tasks[task] = text
    yield from tasks.values()


# --- JSON ---


def _task(record: Record) -> ForeignText:
    where, value = record
    given: object = next((value[key] for key in _ANNOTATIONS if key in value), [])
    notes: list[str] = []
    readings, left_out = [], Counter[str]()
    unread = unread_keys("task", value, _OF_TASKS) + unread_keys("annotations", given, _OF_ANNOTATIONS)
    for annotation in objects(given, "annotations", where):
        if annotation.get("was_cancelled") or annotation.get("skipped"):
            continue
        regions = []
        for result in objects(annotation.get("result"), "result", where):
            region = result.get("value")
            if isinstance(region, dict) and "labels" in region:
                regions.append(region)
                unread += unread_keys("result", result, _OF_RESULTS) + unread_keys("result.value", region, _OF_REGIONS)
            else:
                left_out[str(result.get("type", "no type"))] += 1
        readings.append((name_of(annotation.get("completed_by")), regions))
    notes += [LostLabel(f"{where}: left out: {_times(n, 'result')} of type {kind}") for kind, n in left_out.items()]
    if value.get("predictions"):
        notes.append(LostLabel(f"{where}: left out: predictions of a model ({len(value['predictions'])})"))
    data = value["data"]
    key = _text_key(data, [region for _, regions in readings for region in regions], where)
    known = {"id": value.get("id"), "meta": value.get("meta"), **data}  # other keys are the tool's own
    found = _finished(where, data[key], readings, notes)
    found.left_out += unread
    return knowing(found, {name: one for name, one in known.items() if one not in (None, {})}, (key,))


# --- JSON-MIN ---


def _minimal(record: Record) -> ForeignText:
    where, value = record
    keys = [key for key, regions in value.items() if _is_regions(regions)]
    regions = [region for key in keys for region in value[key]]
    data = {key: v for key, v in value.items() if key not in (*keys, *_MIN)}
    text = _text_key(data, regions, where)
    said = bool(regions) or any(value.get(key) is not None for key in _MIN)  # null before the first look
    found = _finished(where, data[text], [(name_of(value.get("annotator")), regions)] if said else [], [])
    found.left_out += [name for key in keys for name in unread_keys(key, value[key], _OF_REGIONS)]
    return knowing(found, data, (text,))


# --- both ---


def _text_key(data: dict[str, Any], regions: Sequence[dict[str, Any]], where: str) -> str:
    """Return the key of the labelled text: ``text``, the only one, or the one with the words of the regions."""
    texts = {key: value for key, value in data.items() if isinstance(value, str)}
    if "text" in texts:
        return "text"
    words = [region["text"] for region in regions if isinstance(region.get("text"), str)]
    fitting = [key for key, text in texts.items() if words and all(word in text for word in words)]
    if len(fitting) == 1 or len(texts) == 1:
        return (fitting or list(texts))[0]
    raise DataError(f"data: expected one text, or one that is called 'text', found {keys_of(data)}", where)


def _finished(
    where: str, text: str, readings: Sequence[tuple[str, Sequence[dict[str, Any]]]], notes: list[str]
) -> ForeignText:
    made = [
        AnnotatorSpans(who, [s for region in regions for s in _spans(region, where)], WHOLE)
        for who, regions in readings
    ]
    for reading in made:
        if _needs_utf16(text, reading.spans):
            reading.spans = [_from_utf16(text, span) for span in reading.spans]
            notes.append(f"{where}: places are counted in units of UTF-16, and were read so")
    first, *others = made or [AnnotatorSpans("", [], OPEN)]
    return ForeignText(where, text, first, others, notes=notes)


def _spans(region: dict[str, Any], where: str) -> Iterator[CharacterSpan]:
    """Yield a span for each label of a region; without any, one with the label "", which is reported."""
    if "startOffset" in region or isinstance(region.get("start"), str):
        raise DataError(
            f"start: expected a number of characters, found a place in HTML, {brief(region['start'])}", where
        )
    start, end = offsets_of(region, where)
    given = region["labels"]
    if not isinstance(given, list):
        raise DataError(f"labels: expected a list of names, found {brief(given)}", where)
    shown = region.get("text") if isinstance(region.get("text"), str) else None
    for name in given or [""]:
        yield CharacterSpan(start, end, label(name, where) if name != "" else "", shown)


def _needs_utf16(text: str, spans: Sequence[CharacterSpan]) -> bool:
    """Return whether the words of the spans are not at their places, and are there if an emoji counts twice."""
    told = [span for span in spans if span.text]
    if not told or all(text[s.start : s.end] == s.text for s in told):
        return False
    moved = [_from_utf16(text, span) for span in told]
    return all(text[s.start : s.end] == s.text for s in moved)


def _from_utf16(text: str, span: CharacterSpan) -> CharacterSpan:
    units = text.encode("utf-16-le")
    start, end = (len(units[: 2 * max(0, n)].decode("utf-16-le", "ignore")) for n in (span.start, span.end))
    return replace(span, start=start, end=end)


def _times(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"
