"""``/v1/tag``: what the server says is what the Python API says."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from asked import LINES, asked, chunk_tagger, model_paths
from perceptag import Pipeline, SettingError
from perceptag.server import line_stream
from perceptag.server.problems import problem_of
from pipelines import TEXT, corpus, document_tagger, ner_tagger, over_documents, pos_tagger, whole

WORD = st.text(st.characters(blacklist_categories=["Cs"], blacklist_characters="\0"), min_size=1, max_size=12)
WORDS = st.one_of(WORD, st.sampled_from(["Angela", "Merkel", "the", "London", "visited", "."]))
SENTENCES = st.lists(st.lists(WORDS, max_size=8), max_size=5)


@settings(max_examples=60, deadline=None)
@given(SENTENCES)
def test_labels_of_any_tokens_are_those_of_the_tagger(sentences: list[list[str]]) -> None:
    found = asked().tag(model="pos", sentences=sentences)
    assert [s["labels"] for s in found] == pos_tagger().predict(sentences)
    assert [s["tokens"] for s in found] == sentences


@settings(max_examples=30, deadline=None)
@given(SENTENCES.filter(all), st.integers(1, 5))
def test_lists_margins_and_confidence_are_those_of_the_tagger(sentences: list[list[str]], n: int) -> None:
    found = asked().tag(model="pos", sentences=sentences, want=["nbest", "margin", "confidence"], n=n)
    tagger = pos_tagger()
    lists = [[(best["labels"], best["score"]) for best in s["nbest"]] for s in found]
    assert lists == tagger.predict_nbest(sentences, n)
    assert [s["confidence"] for s in found] == tagger.predict_confidence(sentences)
    assert [s["margin"] for s in found] == [m.tokens for m in tagger.ready_model.margins(_sentences(sentences))]


def _sentences(lists: list[list[str]]) -> Any:
    from perceptag.text.inputs import as_sentences

    return as_sentences(lists)


@settings(max_examples=30, deadline=None)
@given(st.lists(st.lists(st.tuples(WORDS, st.sampled_from(["NNP", "VBD", "?"])), max_size=6), max_size=4))
def test_rows_with_columns_and_their_spans(pairs: list[list[tuple[str, str]]]) -> None:
    rows = [[{"form": form, "pos": pos} for form, pos in sentence] for sentence in pairs]
    found = asked().tag(model="ner", rows=rows, want=["spans", "confidence"])
    filled = [row for row in rows if row]
    expected = iter(ner_tagger().predict_confident_spans(filled))
    for row, sentence in zip(rows, found, strict=True):
        spans = next(expected) if row else []
        words = [token["form"] for token in row]
        assert sentence["spans"] == [
            {
                "layer": "ner",
                "label": s.label,
                "start": s.start,
                "end": s.end,
                "text": " ".join(words[s.start : s.end]).strip(),
            }
            | {"confidence": c}
            for s, c in spans
        ]


@settings(max_examples=40, deadline=None)
@given(st.lists(st.sampled_from([*"abc .,'\n", "Angela ", "didn't ", "é", "\u200b", "😀", "\n\n"]), max_size=30))
def test_text_is_cut_and_labelled_as_by_the_pipeline(pieces: list[str]) -> None:
    text = "".join(pieces)
    found = asked().tag(model="text", text=text, want=["layers"])
    document = whole()(text, confidence=False)
    assert [s["labels"] for s in found] == [[w.labels["ner"] for w in s.words] for s in document]
    assert [s["layers"]["pos"]["labels"] for s in found] == [[w.labels["pos"] for w in s.words] for s in document]
    assert [s["offsets"] for s in found] == [[[w.start, w.end] for w in s.words] for s in document]


def test_a_reply_names_the_model_and_what_found_the_tokens() -> None:
    reply = asked().post("/v1/tag", model="text", text=TEXT, want=["spans"])
    body = reply.json()
    assert body["model"]["digest"] == reply.headers["perceptag-model"]
    assert body["tokenizer"] == "own"
    assert body["layer"] == "ner"
    assert reply.headers["cache-control"] == "no-store"
    without = [s.to_dict() for s in whole()(TEXT, confidence=False).sentences[0].spans]
    assert body["sentences"][0]["spans"] == without
    sure = asked().tag(model="text", text=TEXT, want=["spans", "confidence"])
    assert sure[0]["spans"] == [s.to_dict() for s in whole()(TEXT).sentences[0].spans]


def test_a_layer_below_the_last_can_be_asked() -> None:
    found = asked().tag(model="text", text=TEXT, layer="pos", want=["confidence"])
    words = whole()(TEXT, confidence=True).sentences[0].words
    assert found[0]["labels"] == [w.labels["pos"] for w in words]
    assert found[0]["confidence"] == [w.confidence["pos"] for w in words]  # type: ignore[index]
    reply = asked().post("/v1/tag", model="text", text=TEXT, layer="chunk")
    assert (reply.status, reply.json()["detail"]) == (422, "layer: expected one of pos, ner; found 'chunk'")


def test_text_for_a_model_without_a_tokeniser() -> None:
    body = asked().post("/v1/tag", model="pos", text="The dog  barks.\nIt  sleeps").json()
    assert [s["tokens"] for s in body["sentences"]] == [["The", "dog", "barks."], ["It", "sleeps"]]
    assert [s["offsets"] for s in body["sentences"]] == [[[0, 3], [4, 7], [9, 15]], [[16, 18], [20, 26]]]
    assert body["tokenizer"] == "white-space"
    assert "no tokeniser" in body["notes"][0]
    other = asked().post("/v1/tag", model="pos", text="The dog barks. It sleeps.", tokenizer="text").json()
    assert [s["tokens"][-1] for s in other["sentences"]] == [".", "."]
    assert (other["tokenizer"], other["notes"]) == ("text", [])


def test_lines_as_sentences() -> None:
    found = asked().tag(model="text", text="He came. She left.\n\nIt is 10.", split="lines")
    assert [" ".join(s["tokens"]) for s in found] == ["He came . She left .", "It is 10 ."]
    assert found[1]["offsets"][0] == [20, 22]


def test_documents_are_where_the_request_says() -> None:
    sentences = [s.columns["form"] for s in corpus("dev", "form")][:12]
    whole_one = corpus("dev", "form")[:12]
    for i, sentence in enumerate(whole_one):
        sentence.starts_document = i in (0, 7)
    found = asked().tag(model="documents", sentences=sentences, documents=[0, 7])
    assert [s["labels"] for s in found] == document_tagger().predict(whole_one)
    reply = asked().post("/v1/tag", model="documents", sentences=sentences, documents=[12])
    assert reply.json()["detail"] == "documents: expected numbers of sentences, below 12, found 12"


def test_labels_that_are_given_stay_and_the_rest_follows() -> None:
    sentence = ["London", "visited", "the", "council"]
    marks = [["NNP", None, "NN", None]]
    found = asked().tag(model="pos", sentences=[sentence], given=marks)
    assert [s["labels"] for s in found] == pos_tagger().predict([sentence], given=marks)
    reply = asked().post("/v1/tag", model="pos", sentences=[sentence], given=[["NNP", None, "NM", None]])
    assert reply.status == 422
    assert reply.json()["where"] == {"sentence": 0, "token": 2}
    reply = asked().post("/v1/tag", model="pos", sentences=[sentence], given=marks, want=["margin"])
    assert reply.status == 422


def test_what_is_not_sure_enough_is_withheld() -> None:
    sentences = [s.columns["form"] for s in corpus("dev", "form")][:30]
    rows = [[{"form": f, "pos": "NNP"} for f in sentence] for sentence in sentences]
    every = asked().tag(model="ner", rows=rows, want=["spans", "confidence"])
    some = asked().tag(model="ner", rows=rows, want=["spans", "confidence"], min_confidence=0.9)
    kept = [[s for s in found["spans"] if s["confidence"] >= 0.9] for found in every]
    assert [found["spans"] for found in some] == kept
    assert kept != [found["spans"] for found in every]


@settings(max_examples=25, deadline=None)
@given(SENTENCES, st.integers(1, 60))
def test_json_lines_are_the_same_however_they_come(sentences: list[list[str]], size: int) -> None:
    data = "".join(f"{json.dumps(s, ensure_ascii=False)}\n" for s in sentences).encode()
    parts = [data[i : i + size] for i in range(0, len(data), size)] or [b""]
    reply = asked()("POST", "/v1/tag?model=pos&want=nbest&n=2", parts, kind=LINES)
    assert reply.status == 200, reply.body
    assert reply.lines() == asked().tag(model="pos", sentences=sentences, want=["nbest"], n=2)


def test_lines_that_have_waited_are_answered_before_the_batch_is_full(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(line_stream, "PATIENCE", -1.0)
    lines = [b'["The", "dog"]\n', b'["A", "cat"]\n', b"{"]
    reply = asked()("POST", "/v1/tag?model=pos", lines, kind=LINES)
    assert reply.status == 200, "the first lines are answered, so the mistake comes too late for a status"
    assert [found.get("tokens") for found in reply.lines()] == [["The", "dog"], ["A", "cat"], None]


def test_a_parameter_given_twice_is_refused() -> None:
    for kind in (LINES, "text/plain; format=columns"):
        reply = asked()("POST", "/v1/tag?model=pos&model=ner", b"", kind=kind)
        assert (reply.status, reply.json()["detail"]) == (422, "parameters: expected model once, found it 2 times")


@pytest.mark.parametrize("path", ["/v1/tag", "/v1/explain", "/v1/order"])
def test_a_json_request_says_everything_in_its_body(path: str) -> None:
    """A model in the address would be overlooked, and another one would answer."""
    reply = asked()("POST", f"{path}?model=ner", b'{"sentences": [["Anna"]]}', kind="application/json")
    expected = "parameters: expected them as keys of the JSON body, found in the address: model"
    assert (reply.status, reply.json()["detail"]) == (422, expected)


def test_json_lines_of_many_batches_keep_their_order_and_documents() -> None:
    data = corpus("train", "form")
    number, lines = 0, []
    for sentence in data:
        number += sentence.starts_document
        lines.append(json.dumps({"tokens": sentence.columns["form"], "document": number}))
    lines = lines * (2500 // len(lines) + 1)
    reply = asked()("POST", "/v1/tag?model=documents", "\n".join(lines).encode(), kind=LINES)
    expected = document_tagger().predict(data)
    assert [found["labels"] for found in reply.lines()] == (expected * (2500 // len(data) + 1))


def test_a_mistake_after_many_lines_is_the_last_line() -> None:
    lines = ['["The", "dog"]'] * 1500 + ['["The", 7]']
    reply = asked()("POST", "/v1/tag?model=pos", "\n".join(lines).encode(), kind=LINES)
    assert reply.status == 200
    *good, last = reply.lines()
    assert len(good) == 1500
    assert last["error"]["where"] == {"line": 1501}
    assert last["error"]["detail"].startswith("body:1501: ")
    early = asked()("POST", "/v1/tag?model=pos", b'["The"]\n{', kind=LINES)
    assert (early.status, early.json()["where"]) == (422, {"line": 2})


def test_the_default_is_the_first_model() -> None:
    sentence = [["The", "dog"]]
    assert asked().tag(sentences=sentence) == asked().tag(model="text", sentences=sentence)
    labels = Pipeline.load(model_paths()["text"]).tag(sentence)[0].columns["ner"]
    assert asked().tag(sentences=sentence)[0]["labels"] == labels


@pytest.mark.parametrize(
    ("body", "status", "detail"),
    [
        ({}, 422, "body: expected one of sentences, rows, text; found none of them"),
        ({"text": "a", "sentences": []}, 422, "found sentences and text"),
        ({"sentences": [["a"]], "model": "no"}, 404, "model: expected one of text, documents, pos, "),
        ({"sentences": [["a"]], "wants": []}, 422, "did you mean 'want'?"),
        ({"sentences": [["a"]], "want": ["span"]}, 422, "want: expected a list of some of spans, confidence,"),
        ({"sentences": [["a"]], "want": [["spans"]]}, 422, "want: expected a list of some of spans, confidence,"),
        ({"sentences": [["a"]], "n": True}, 422, "n: expected a number from 1 on, found True"),
        ({"sentences": [["a"]], "n": 101}, 422, "nbest: expected at most 100, found 101"),
        ({"sentences": [["a"]], "min_confidence": 2}, 422, "min_confidence: expected a number from 0 to 1"),
        ({"sentences": [["a"], "b"]}, 422, "sentences: expected a list, found 'b'"),
        ({"sentences": [["a", ["b"]]]}, 422, "sentences: expected a string, found ['b']"),
        ({"sentences": [["a", "\ud800"]]}, 422, "lone surrogate"),
        ({"sentences": [["a", "b\0"]]}, 422, "NUL"),
        ({"text": "a\0"}, 422, "NUL"),
        ({"model": "ner", "text": "a"}, 422, "expected rows with the columns form, pos"),
        ({"model": "ner", "rows": [[{"form": "a"}]]}, 422, "expected rows with the columns form, pos"),
        ({"model": "pos", "sentences": [["a"]], "want": ["spans"]}, 409, "spans: the labels of layer 'pos'"),
        ({"model": "chunks", "sentences": [["a"]], "want": ["confidence"]}, 409, "'chunk' is not calibrated"),
        ({"model": "pos", "text": "a", "tokenizer": "guided"}, 409, "tokenizer: expected a model that has"),
        ({"sentences": [["a"]], "given": [["O"], ["O"]]}, 422, "expected 1 label lists"),
    ],
)
def test_bad_requests_are_told_why(body: dict[str, Any], status: int, detail: str) -> None:
    reply = asked().post("/v1/tag", **body)
    assert reply.headers["content-type"] == "application/problem+json"
    assert (reply.status, detail in reply.json()["detail"]) == (status, True), reply.body
    assert reply.json()["status"] == status


def test_options_in_messages_become_parameters_and_commands_stay() -> None:
    said = problem_of(SettingError("--n: found 0; use perceptag train --train A --model B (or --n 1)")).detail
    assert said == "n: found 0; use perceptag train --train A --model B (or n 1)"
    assert problem_of(SettingError("'perceptag tag --model en', or --layer")).detail.endswith("--model en', or layer")


def test_spans_of_a_model_without_calibration() -> None:
    sentences = [s.columns["form"] for s in corpus("dev", "form")][:5]
    found = asked().tag(model="chunks", sentences=sentences, want=["spans"])
    expected = chunk_tagger().predict_spans(sentences)
    assert [[(s["start"], s["end"], s["label"]) for s in f["spans"]] for f in found] == [
        [(s.start, s.end, s.label) for s in spans] for spans in expected
    ]
    assert over_documents().names == ["ner"]
