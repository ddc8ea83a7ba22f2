"""Exports of Prodigy."""

from __future__ import annotations

import pytest

from foreign_toys import by_spaces, exported, read
from perceptag.errors import DataError
from perceptag.foreign.read_export import read_foreign

TEXT = "Anna Berg lives in Oslo ."
LABELS = ["B-PER", "I-PER", "O", "O", "B-LOC", "O"]
SPANS = [
    {"start": 0, "end": 9, "token_start": 0, "token_end": 1, "label": "PER"},
    {"start": 19, "end": 23, "token_start": 4, "token_end": 4, "label": "LOC"},
]


def record(**more: object) -> dict[str, object]:
    tokens = [{"text": p.text, "start": p.start, "end": p.end, "id": i} for i, p in enumerate(by_spaces(TEXT)[0])]
    hashes = {"_input_hash": -977724056, "_task_hash": -665543633}
    return {"text": TEXT, "tokens": tokens, "spans": SPANS, "answer": "accept"} | hashes | more


def test_prodigy_has_tokens_of_its_own():
    found = read_foreign(exported([record()]), "some.jsonl")  # without a tokeniser
    assert (found.tool, found.notes) == ("prodigy", [])
    assert found.sentences[0].labels == LABELS
    assert found.sentences[0].offsets[1] == (5, 9)


def test_a_text_with_tokens_is_one_sentence_and_white_space_is_not_a_token():
    text = "Anna left .\n\nBen came ."
    tokens = [{"text": p.text, "start": p.start, "end": p.end} for s in by_spaces(text) for p in s]
    tokens.insert(3, {"text": "\n\n", "start": 11, "end": 13})
    span = {"start": 13, "end": 16, "token_start": 4, "token_end": 4, "label": "PER"}
    found = read([record(text=text, tokens=tokens, spans=[span])])
    assert [s.tokens for s in found.sentences] == [["Anna", "left", ".", "Ben", "came", "."]]
    assert found.sentences[0].labels == ["O", "O", "O", "B-PER", "O", "O"]


@pytest.mark.parametrize("answer", ["reject", "ignore"])
def test_other_answers_give_no_labels(answer):
    found = read([record(answer=answer)])
    assert (found.sentences[0].labels, found.sentences[0].draft) == (None, None)
    assert found.notes == [f"some.jsonl:1: the answer is {answer}: imported without labels"]


def test_a_missing_answer_is_noted():
    plain = record()
    del plain["answer"]
    found = read([plain])
    assert found.sentences[0].labels == LABELS
    assert found.notes == ["some.jsonl:1: without an answer, and taken as accepted"]


def test_a_binary_answer_is_a_draft():
    found = read([record(spans=SPANS[:1], _is_binary=True)])
    assert found.sentences[0].labels is None
    assert found.sentences[0].draft == ["B-PER", "I-PER", None, None, None, None]


def test_another_annotator_is_a_second_reading():
    one, two = record(_annotator_id="names-anna"), record(_annotator_id="names-ben", spans=SPANS[:1])
    found = read([one, two, one])
    assert [s.labels for s in found.sentences] == [LABELS, LABELS]  # the same person twice: two sentences
    assert found.sentences[0].readings == [("names-ben", ["B-PER", "I-PER", "O", "O", "O", "O"])]


def test_who_ignores_a_text_is_not_its_first_reader():
    one, two = record(_annotator_id="anna", answer="ignore"), record(_annotator_id="ben")
    (sentence,) = read([one, two]).sentences
    assert (sentence.labels, sentence.who, sentence.readings) == (LABELS, "ben", [])


def test_spans_by_tokens_only():
    found = read([record(spans=[{"token_start": 4, "token_end": 4, "label": "LOC"}])])
    assert found.sentences[0].labels == ["O", "O", "O", "O", "B-LOC", "O"]


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ({"tokens": [{"text": "Otto", "start": 0, "end": 4}]}, "tokens: expected the text at 0 to 4, found 'Otto'"),
        ({"spans": [{"token_start": 4, "token_end": 9, "label": "X"}]}, "expected tokens from 0 to 5, found 4 to 9"),
        ({"spans": [{"start": 0, "end": 4}]}, "label: expected a name, found None"),
    ],
)
def test_wrong_records_are_refused(more, message):
    with pytest.raises(DataError) as error:
        read([record(), record(**more)])
    assert str(error.value).startswith("some.jsonl:2: ")
    assert message in str(error.value)
