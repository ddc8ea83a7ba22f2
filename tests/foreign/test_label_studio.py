"""Exports of Label Studio."""

from __future__ import annotations

import pytest

from foreign_toys import read
from perceptag.errors import DataError

TEXT = "Anna Berg lives in Oslo ."


def result(start: int, end: int, *labels: str, **more: object) -> dict[str, object]:
    value = {"start": start, "end": end, "text": TEXT[start:end], "labels": list(labels)} | more
    return {"id": "x1", "from_name": "label", "to_name": "text", "type": "labels", "origin": "manual", "value": value}


def task(*annotations: dict[str, object], **more: object) -> dict[str, object]:
    return {"id": 7, "data": {"text": TEXT}, "annotations": list(annotations), "predictions": []} | more


def annotation(*results: dict[str, object], **more: object) -> dict[str, object]:
    return {"id": 1001, "completed_by": 1, "result": list(results), "was_cancelled": False} | more


RIGHT = annotation(result(0, 9, "PER"), result(19, 23, "LOC"))
LABELS = ["B-PER", "I-PER", "O", "O", "B-LOC", "O"]


def test_old_exports_have_completions():
    old = {"id": 7, "data": {"text": TEXT}, "completions": [{"id": 1, "result": RIGHT["result"]}]}
    assert read([old], lines=False).sentences[0].labels == LABELS


def test_tasks_without_annotations_stay_without_labels():
    cancelled = annotation(result(0, 9, "PER"), was_cancelled=True)
    found = read([task(), task(cancelled), task(annotation())], lines=False).sentences
    assert [s.labels for s in found] == [None, None, ["O"] * 6]
    assert [s.draft for s in found] == [None, None, None]


def test_other_annotators_become_second_readings():
    second = annotation(result(0, 9, "ORG"), completed_by={"id": 2, "email": "ben@example.org"})
    found = read([task(RIGHT, second, RIGHT)], lines=False)
    assert found.sentences[0].labels == LABELS
    assert found.sentences[0].readings == [("ben@example.org", ["B-ORG", "I-ORG", "O", "O", "O", "O"])]
    assert found.notes == [
        "some.json, record 1: sentence 1: other labels by ben@example.org are kept as second readings"
    ]


def test_labels_of_the_first_annotator_that_fit_are_taken():
    first = annotation(result(0, 3, "PER"), completed_by="anna")
    second = annotation(result(0, 9, "PER"), completed_by="ben")
    found = read([task(first, second, RIGHT)], lines=False)
    (sentence,) = found.sentences
    assert (sentence.who, sentence.labels, sentence.draft) == ("ben", ["B-PER", "I-PER", "O", "O", "O", "O"], None)
    assert sentence.readings == [("1", LABELS)]
    assert found.notes == [
        "some.json, record 1: span 0 to 3, PER, 'Ann': ends inside the token 'Anna'; "
        "its sentence is left out of those by anna",
        "some.json, record 1: sentence 1: other labels by 1 are kept as second readings",
    ]


def test_what_is_not_a_label_is_left_out_and_noted():
    relation = {"type": "relation", "from_id": "a", "to_id": "b"}
    choice = {"type": "choices", "value": {"choices": ["good"]}}
    found = read([task(annotation(*RIGHT["result"], relation, choice, choice), predictions=[{}])], lines=False)
    assert found.sentences[0].labels == LABELS
    assert found.notes == [
        "some.json, record 1: left out: 1 result of type relation",
        "some.json, record 1: left out: 2 results of type choices",
        "some.json, record 1: left out: predictions of a model (1)",
    ]


def minimal(*regions: tuple[int, int, str], **more: object) -> dict[str, object]:
    listed = [{"start": a, "end": b, "text": TEXT[a:b], "labels": [y]} for a, b, y in regions]
    return {"text": TEXT, "id": 7, "annotator": 1, "annotation_id": 3} | ({"ner": listed} if regions else {}) | more


def test_json_min_has_a_record_for_each_annotator():
    found = read([minimal((0, 9, "PER")), minimal((0, 9, "ORG"), annotator=2)], lines=False)
    (sentence,) = found.sentences
    assert sentence.readings == [("2", ["B-ORG", "I-ORG", "O", "O", "O", "O"])]


def test_the_text_is_found_by_its_words():
    data = {"title": "On Oslo", "body": TEXT}
    assert read([task(RIGHT, data=data)], lines=False).sentences[0].tokens == TEXT.split()
    with pytest.raises(DataError, match="data: expected one text, or one that is called 'text', found 'title', 'body'"):
        read([task(data=data)], lines=False)


def test_places_in_units_of_utf16_are_understood():
    text = "💩 This is Oslo ."
    old = [{"start": 11, "end": 15, "text": "Oslo", "labels": ["LOC"]}]
    found = read([{"id": 1, "text": text, "label": old}], lines=False)
    assert found.sentences[0].labels == ["O", "O", "O", "B-LOC", "O"]
    assert found.notes == ["some.json, record 1: places are counted in units of UTF-16, and were read so"]


def test_words_at_another_place_are_a_fault():
    wrong = annotation(result(0, 9, "PER", text="Otto Lang"))
    found = read([task(wrong)], lines=False)
    assert (found.sentences[0].labels, found.sentences[0].draft) == (None, None)
    assert found.notes == [
        "some.json, record 1: span 0 to 9, PER, 'Anna Berg': the file says that it is 'Otto Lang'; "
        "its sentence is imported without labels"
    ]


def test_two_labels_of_one_span_overlap_and_none_is_a_fault():
    found = read([task(annotation(result(0, 9, "PER", "ORG"), result(19, 23)))], lines=False)
    assert found.sentences[0].labels is None
    assert [note.split(": ")[2].partition(";")[0] for note in found.notes] == [
        "overlaps 0 to 9, ORG",
        "overlaps 0 to 9, PER",
        "without a label",
    ]


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ({"start": "/p[1]/text()[1]", "end": "/p[1]", "labels": ["A"]}, "found a place in HTML, '/p"),
        ({"start": 0.5, "end": 3, "labels": ["A"]}, "start: expected a number of characters, found 0.5"),
        ({"start": 0, "end": 3, "labels": "A"}, "labels: expected a list of names, found 'A'"),
    ],
)
def test_wrong_regions_are_refused(value, message):
    with pytest.raises(DataError) as error:
        read([task(annotation({"type": "labels", "value": value}))], lines=False)
    assert str(error.value).startswith("some.json, record 1: ")
    assert message in str(error.value)
