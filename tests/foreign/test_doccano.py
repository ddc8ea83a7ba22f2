"""Exports of doccano."""

from __future__ import annotations

import pytest

from foreign_toys import read
from perceptag.errors import DataError

TEXT = "Anna Berg lives in Oslo ."
LABELS = ["B-PER", "I-PER", "O", "O", "B-LOC", "O"]
OLD = [[0, 9, "PER"], [19, 23, "LOC"]]
NEW = [
    {"id": 1, "label": "PER", "start_offset": 0, "end_offset": 9},
    {"id": 2, "label": "LOC", "start_offset": 19, "end_offset": 23},
]


def test_a_text_without_spans_may_not_have_been_seen():
    found = read([{"text": TEXT, "label": []}])
    assert (found.sentences[0].labels, found.sentences[0].draft) == (None, None)
    assert found.notes == ["some.jsonl:1: without spans: doccano does not say whether anybody has looked at it"]


def test_comments_are_kept_and_relations_noted():
    relations = [{"id": 1, "from_id": 1, "to_id": 2, "type": "lives in"}]
    found = read(
        [{"text": TEXT, "entities": NEW, "relations": relations, "Comments": ["really?", {"text": "yes"}, " "]}]
    )
    assert found.sentences[0].comments == [("", "really?"), ("", "yes")]
    assert found.notes == ["some.jsonl:1: left out: relations (1)"]


@pytest.mark.parametrize(
    ("record", "message"),
    [
        ({"text": TEXT, "label": ["good"]}, "expected spans, such as [0, 5, \"PER\"], found 'good'"),
        ({"text": TEXT, "label": [[0, 5, 3]]}, "label: expected a name, found the number 3"),
        ({"text": TEXT, "label": [["0", 5, "PER"]]}, "start: expected a number of characters, found '0'"),
        ({"label": [[0, 5, "PER"]]}, "expected a text 'text' or 'data', found 'label'"),
    ],
)
def test_wrong_records_are_refused(record, message):
    with pytest.raises(DataError) as error:
        read([{"text": TEXT, "label": OLD}, record])
    assert str(error.value).startswith("some.jsonl:2: ")
    assert message in str(error.value)
