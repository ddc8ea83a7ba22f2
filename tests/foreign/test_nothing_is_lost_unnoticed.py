"""Whatever an export says is in the sentences that are read from it, or a note names it.

A mark is put into every object and every row of an export, one at a time, under a name that no reader knows.
"""

from __future__ import annotations

import copy
import csv
import io
import json
from collections.abc import Iterator
from typing import Any

import pytest

from exports_of_tools import NAMES, RECORDS, TABLES, TEXT, TOKENS
from foreign_toys import by_spaces
from perceptag.foreign.intake import recognise_bytes
from perceptag.foreign.read_export import as_jsonl
from perceptag.system.given_file import FileFacts

NAME, MARK = "zz_unknown", "zz says so"
WHOLE = {
    **RECORDS,
    "texts": {"text": TEXT, "user": {"name": "a"}},
    "label studio, minimal": {"id": 1, "text": TEXT, "annotator": 1, "annotation_id": 1, "label": [
        {"start": 0, "end": 4, "text": "Anna", "labels": ["PER"]}]},
    "prodigy with tokens": {"text": TEXT, "answer": "accept", "tokens": [
        {"text": w, "start": TEXT.index(w), "end": TEXT.index(w) + len(w), "id": n} for n, w in enumerate(TOKENS)],
        "spans": [{"start": 0, "end": 4, "label": "PER", "token_start": 0, "token_end": 0}]},
}  # fmt: skip
# Objects of the tools themselves, whose further keys say nothing about a text: an object of fields of an answer to one
# question, which only holds lists of answers.
BY_QUESTION = [("responses",)]


def objects_in(value: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """Yield the path of each object inside a value."""
    if isinstance(value, dict):
        yield path
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, one in items:
        yield from objects_in(one, (*path, key))


def marked(value: Any, path: tuple[str | int, ...]) -> Any:
    """Return a copy with the mark in the object at this path."""
    made = copy.deepcopy(value)
    at = made
    for step in path:
        at = at[step]
    at[NAME] = MARK
    return made


CASES = [(name, path) for name, record in WHOLE.items() for path in objects_in(record) if path not in BY_QUESTION]


def is_told(data: bytes, name: str) -> bool:
    found = recognise_bytes(data, name, FileFacts(label_names=NAMES))
    assert found is not None
    read = found.read(by_spaces, False)
    return MARK.encode() in as_jsonl(read.sentences) or any(NAME in note for note in read.notes)


@pytest.mark.parametrize(("name", "path"), CASES, ids=[f"{name}: {'.'.join(map(str, path))}" for name, path in CASES])
def test_a_key_that_no_reader_knows_is_kept_or_named(name: str, path: tuple[str | int, ...]) -> None:
    assert is_told(f"{json.dumps(marked(WHOLE[name], path))}\n".encode(), "a.jsonl")


def test_all_records_are_still_read_as_themselves() -> None:
    """Without the mark nothing is named, so that the test above sees the mark and nothing else."""
    for name, record in WHOLE.items():
        assert not is_told(f"{json.dumps(record)}\n".encode(), "a.jsonl"), name


@pytest.mark.parametrize("text", TABLES.values(), ids=TABLES)
def test_a_column_that_no_reader_knows_is_kept_or_named(text: str) -> None:
    separator = max(",;\t", key=text.partition("\n")[0].count)
    head, *rows = csv.reader(io.StringIO(text), delimiter=separator)
    out = io.StringIO()
    csv.writer(out, delimiter=separator).writerows([[*head, NAME], *([*row, MARK] for row in rows)])
    assert is_told(out.getvalue().encode(), "a.csv")


@pytest.mark.parametrize("name", ["form", "labels", "document"])
def test_a_column_with_a_name_that_sentences_use_is_named(name: str) -> None:
    found = recognise_bytes(f"Word,Tag,{name}\nAnna,B-PER,x1\nsings,O,x2\n".encode(), "a.csv")
    assert found is not None
    read = found.read(None, False)
    assert b"x2" in as_jsonl(read.sentences) or any(repr(name) in note for note in read.notes)
