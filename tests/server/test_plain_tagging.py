"""Requests that are tagged from bytes to bytes get the replies of the general way, byte for byte."""

from __future__ import annotations

import gc
import json
import random
import shutil
import weakref
from functools import cache
from pathlib import Path
from typing import Any
from unittest import mock

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from asked import model_paths
from perceptag._core import JsonText
from perceptag.errors import PerceptagError
from perceptag.server import json_lines, text_jobs
from perceptag.server.limits import Limits
from perceptag.server.plain_tagging import plain_lines, plain_model, plain_request
from perceptag.server.problems import HttpProblem, problem_of
from perceptag.server.served import ModelTable, ServedModels
from perceptag.server.text_jobs import TextJob, answer_job

USUAL = Limits()
SMALL = Limits(sentences=3, tokens=8, sentence_tokens=5, token_characters=6, reply=600, work=20_000)
NARROW = Limits(reply=300, work=1_000)
WORDS = (
    *(
        "The",
        "dog",
        "barks",
        ".",
        '"',
        "\\",
        "/",
        "a/b",
        "é",
        "Ärger",
        "中文",
        "😀",
        "a\tb",
        "x\ny",
        "\x7f",
        "\x85",
        "\u2028",
    ),
    *(
        "\x01",
        "\ufeff",
        "ﬁ",
        "İ",
        "Σ",
        "1999",
        "aaaaaaa",
        "ééééé",
        "O'Neil",
        "\x00",
        "",
        "\ud800",
        " ",
        "a b",
        "\U0010ffff",
    ),
)
PLAIN = (
    b'{"sentences":[["The","dog"]]}', b' { "sentences" : [ [ "The" , "dog" ] ,\r\n\t[ "Its" ] ] } \n',
    b'{"model":"pos","sentences":[["a"]],"layer":"pos"}', b'{"model":"","layer":"","sentences":[["a"]]}',
    b'{"\\u0073entences":[["\\u00e9\\"\\\\\\/\\b\\f\\n\\r\\t\\ud83d\\ude00\\uD83D\\uDE00\\u001f"]]}',
    '{"sentences":[["é","中文","😀","\x7f","a b"]]}'.encode(),
)  # fmt: skip
OTHER = (
    b"", b"{}", b"[]", b'{"sentences":[]}', b'{"sentences":[[]]}', b'{"sentences":[["a"],[]]}',
    b'{"sentences":[[""]]}', b'{"sentences":[["a"]]', b'{"sentences":[["a"]]}}', b'{"sentences":[["a"]]} x',
    b'{"sentences":[["a"]],}', b'{"sentences":[["a",]]}', b'{"sentences":[["a"],]}',
    b'{"sentences":[["a"]],"sentences":[["b"]]}', b'{"sentences":[["a"]],"model":"pos","model":"pos"}',
    b'{"sentences":[["a"]],"want":[]}', b'{"sentences":[["a"]],"n":NaN}', b'{"sentences":[["a"]],"model":null}',
    b'{"sentences":[["a"]],"model":"none"}', b'{"sentences":[["a"]],"layer":"none"}', b'{"sentences":[["a",1]]}',
    b'{"sentences":[["a",["b"]]]}', b"{\"sentences\":[['a']]}", b'{"sentences":[["a\nb"]]}',
    b'{"sentences":[["a\x00"]]}', b'{"sentences":[["\\u0000"]]}', b'{"sentences":[["\\ud800"]]}',
    b'{"sentences":[["\\ud800\\u0041"]]}', b'{"sentences":[["\\ud800x"]]}', b'{"sentences":[["\\udc00\\ud800"]]}',
    b'{"sentences":[["\\u12"]]}', b'{"sentences":[["\\u+123"]]}', b'{"sentences":[["\\u 123"]]}',
    b'{"sentences":[["\\x41"]]}', b'{"sentences":[["\\"]]}', b'{"sentences":[["\\', b'{"sentences":[["\\u00e',
    b'{"sentences":[["a', b'{"sentences":[["\xff"]]}', b'{"sentences":[["\xc0\xaf"]]}',
    b'{"sentences":[["\xed\xa0\x80"]]}', b'{"sentences":[["\xf4\x90\x80\x80"]]}', b'{"sentences":[["\xe4\xb8"]]}',
    b'\xef\xbb\xbf{"sentences":[["a"]]}', '{"sentences":[["a"]]}'.encode("utf-16"),
    b'{"sentences":[["a"]],\x0c"model":"pos"}', b'{"tokens":["a"]}', b'{"text":"a"}',
)  # fmt: skip


@cache
def models(limits: Limits = USUAL) -> ServedModels:
    return ServedModels(
        ModelTable({name: model_paths()[name] for name in ("pos", "text", "documents", "chunks")}), limits
    )


def answered(job: TextJob, among: ServedModels) -> Any:
    """The reply to a job, or what it is refused with."""
    try:
        return answer_job(job, among)
    except (HttpProblem, PerceptagError) as error:
        return (error if isinstance(error, HttpProblem) else problem_of(error)).to_dict()


def answered_generally(job: TextJob, among: ServedModels) -> Any:
    """The same without the short way."""
    with (
        mock.patch.object(text_jobs, "plain_request", return_value=None),
        mock.patch.object(json_lines, "plain_lines", return_value=None),
    ):
        return answered(job, among)


def check(job: TextJob, among: ServedModels) -> None:
    assert answered(job, among) == answered_generally(job, among)


def lines_job(body: bytes, **parameters: str) -> TextJob:
    return TextJob("lines", body, {"parameters": parameters, "first": 7, "is_last": True})


@pytest.mark.parametrize("body", PLAIN)
def test_plain_requests_take_the_short_way(body: bytes) -> None:
    assert plain_request(body, models()) is not None
    check(TextJob("tag", body), models())


@pytest.mark.parametrize("body", OTHER)
def test_other_requests_do_not(body: bytes) -> None:
    text = JsonText(body, by_lines=False)
    assert not text.is_plain or b"none" in body
    check(TextJob("tag", body), models())


def test_only_models_of_words_alone_take_it() -> None:
    table = models().table
    taken = {
        (served.name, layer): plain_model(served, layer) is not None for served in table for layer in served.pipelines
    }
    expected = {("pos", "pos"): True, ("chunks", "chunk"): True, ("text", "pos"): True}
    assert taken == {**expected, ("text", "ner"): False, ("documents", "ner"): False}


@pytest.mark.parametrize(
    ("lines", "is_plain"),
    [
        (b'["The","dog"]\n', True),
        (b' ["The", "dog"] \n\n \t\n{"tokens": ["It"]}', True),
        (b"", False),
        (b"\n \n", False),
        (b'["a"]\r\n["b"]\r\n', False),
        (b'["a"] ["b"]\n', False),
        (b'["a",\n"b"]\n', False),
        (b'{"tokens":["a"],"document":1}\n', False),
        (b'{"tokens":["a"],"tokens":["b"]}\n', False),
        (b'["a"]\n[]\n', False),
        (b'["a"]\n[""]\n', False),
        (b'["a"]\n["\\ud800"]\n', False),
        (b'["a"]\n["\\u0000"]\n', False),
        (b'["a"]\n["\xff"]\n', False),
        (b'["a"]\n7\n', False),
    ],
)
def test_lines_take_it_too(lines: bytes, is_plain: bool) -> None:
    served = models().table.find("pos")
    assert (plain_lines(lines, served, "", USUAL) is not None) == is_plain
    for parameters in ({}, {"model": "chunks"}, {"model": "text"}, {"model": "documents"}, {"want": "spans"}):
        check(lines_job(lines, **parameters), models())


SENTENCES = st.lists(st.lists(st.sampled_from(WORDS) | st.text(max_size=8), max_size=7), max_size=5)


def written(value: object, is_ascii: bool, is_wide: bool) -> bytes:
    text = json.dumps(value, ensure_ascii=is_ascii, separators=None if is_wide else (",", ":"))
    return text.encode("utf-8", "surrogatepass")


@settings(max_examples=150)
@given(
    SENTENCES,
    st.booleans(),
    st.booleans(),
    st.sampled_from(["pos", "chunks", "text"]),
    st.sampled_from([USUAL, SMALL, NARROW]),
)
def test_any_sentences_get_the_same_reply(
    sentences: list[list[str]], is_ascii: bool, is_wide: bool, model: str, limits: Limits
) -> None:
    body = {"sentences": sentences, "model": model, **({"layer": "pos"} if model == "text" else {})}
    check(TextJob("tag", written(body, is_ascii, is_wide)), models(limits))
    lines = b"\n".join(written(sentence, is_ascii, is_wide) for sentence in sentences)
    check(lines_job(lines, model=model, **({"layer": "pos"} if model == "text" else {})), models(limits))


@settings(max_examples=150)
@given(st.integers(0, 10**9))
def test_damaged_bodies_are_refused_in_the_same_words(seed: int) -> None:
    rng = random.Random(seed)
    body = bytearray(rng.choice(PLAIN))
    for _ in range(rng.randint(1, 3)):
        place = rng.randrange(len(body))
        match rng.randrange(3):
            case 0:
                body[place : place + 1] = rng.choice(
                    [b'"', b"\\", b",", b"[", b"]", b"{", b"}", b"\\u", b"\xe9", b"\x00", b" "]
                )
            case 1:
                del body[place : place + rng.randint(1, 4)]
            case _:
                body[place:place] = body[place : place + rng.randint(1, 9)]
        if not body:
            return
    check(TextJob("tag", bytes(body)), models())
    check(lines_job(bytes(body).replace(b'{"sentences":[', b"").replace(b"]}", b"")), models())


def test_a_model_that_is_replaced_is_gone_at_once(tmp_path: Path) -> None:
    paths = model_paths()
    path = shutil.copy(paths["pos"], tmp_path / "pos.model")
    table = ModelTable({"pos": path})
    answer_job(TextJob("tag", b'{"sentences":[["The","dog"]]}'), ServedModels(table, USUAL))
    old = weakref.ref(table.find("pos").ending_with("").top.ready)
    gc.disable()  # the memory of a model must not wait for a search for garbage
    try:
        shutil.copy(paths["chunks"], path)
        table.reload("pos")
        assert old() is None
    finally:
        gc.enable()
