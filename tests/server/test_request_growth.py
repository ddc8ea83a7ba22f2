"""A request costs what its length says, whatever is in it, and a costly one does not hold up the others."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from asked import LINES, Asked, folder, model_paths
from perceptag import Pipeline, Tagger
from perceptag.rules.rules import Rules
from perceptag.server.limits import Limits
from pipelines import corpus
from running import Running, running
from steps import ALLOWED, growth
from text_toys import shipped_tokenizer

pytestmark = pytest.mark.every

TOKENS = 250
ENDPOINTS: dict[str, dict[str, Any]] = {
    "/v1/tag": {"want": ["spans"]},
    "/v1/tag, margins": {"want": ["margin"]},
    "/v1/tag, lists": {"want": ["nbest"], "n": 3},
}


@cache
def names_in_text() -> str:
    """The file of a pipeline for running text whose model compares all mentions of a document, as `en` does."""
    tagger = Tagger("ner", epochs=1, labels_column="ner").fit(corpus("train", "form", "ner")[:100])
    path = folder() / "names.model"
    Pipeline([shipped_tokenizer(), tagger]).save(path)
    return str(path)


@cache
def rules_in_text() -> str:
    """The file of a pipeline whose names are found under rules, and whose last layer is one of rules."""
    tagger = Tagger("basic-ner", epochs=1, labels_column="ner").fit(corpus("train", "form", "ner")[:100])
    joined = Rules.parse('column = "ner"\n[[rule]]\nlabel = "LOC"\nsay = "suggest"\nphrases = ["a", "0 0"]\n')
    alone = Rules.parse('column = "values"\n[[rule]]\nlabel = "RUN"\ntokens = \'"0"+ "a"* "|"?\'\n')
    path = folder() / "rules.model"
    Pipeline([shipped_tokenizer(), tagger, joined, alone]).save(path)
    return str(path)


@cache
def server_in_process() -> Asked:
    return Asked({**model_paths(), "names": names_in_text(), "rules": rules_in_text()}, Limits())


def ordinary(n: int) -> str:
    """The first n tokens of the shipped corpus, as running text."""
    return " ".join([word for sentence in corpus("train", "form") for word in sentence.tokens][:n])


REPEATED = {
    "one digit": lambda n: "0 " * n,
    "one letter": lambda n: "a " * n,
    "dots": lambda n: ". " * n,
    "cells": lambda n: "| 0 " * (n // 2),
}


@pytest.mark.parametrize("model", ["names", "text", "documents"])
@pytest.mark.parametrize("endpoint", ENDPOINTS)
@pytest.mark.parametrize("text", REPEATED)
def test_steps_of_requests_grow_linearly(text: str, endpoint: str, model: str) -> None:
    def ask(content: str) -> None:
        path, _, _ = endpoint.partition(",")
        reply = server_in_process().post(path, model=model, text=content, **ENDPOINTS[endpoint])
        assert reply.status == 200, reply.body

    assert growth(ask, REPEATED[text], TOKENS) <= ALLOWED


@pytest.mark.parametrize(
    ("layer", "want"), [("values", "spans"), ("ner", "spans"), ("ner", "margin"), ("ner", "nbest")]
)
@pytest.mark.parametrize("text", REPEATED)
def test_steps_of_rules_grow_linearly(text: str, layer: str, want: str) -> None:
    def ask(content: str) -> None:
        more = {"n": 3} if want == "nbest" else {}
        reply = server_in_process().post("/v1/tag", model="rules", layer=layer, text=content, want=[want], **more)
        assert reply.status == 200, reply.body

    assert growth(ask, REPEATED[text], TOKENS) <= ALLOWED


def test_explaining_a_text_whose_square_is_above_the_limit_is_refused_before_it_begins() -> None:
    reply = server_in_process().post("/v1/explain", model="guided", tokens=["Germany"] * 1_000, token=3)
    assert (reply.status, reply.json()["limit"]) == (422, "work")


@pytest.mark.parametrize("content", ["one long sentence", "many sentences"])
@pytest.mark.parametrize("way", ["stream", "what if"])
def test_steps_of_streams_and_of_given_labels_grow_linearly(way: str, content: str) -> None:
    def sentences(n: int) -> list[list[str]]:
        return [["Germany"] * n] if content == "one long sentence" else [["Germany", "won"]] * (n // 2)

    def ask(given: list[list[str]]) -> None:
        if way == "stream":
            lines = "".join(json.dumps({"tokens": tokens}) + "\n" for tokens in given).encode()
            reply = server_in_process()("POST", "/v1/tag?model=pos", lines, kind=LINES)
        else:
            held = [["NNP", *[None] * (len(tokens) - 1)] for tokens in given]
            reply = server_in_process().post("/v1/tag", model="pos", sentences=given, given=held)
        assert reply.status == 200, reply.body

    assert growth(ask, sentences, TOKENS) <= ALLOWED


# --- in a process of its own ---


@pytest.fixture(scope="module")
def server() -> Iterator[Running]:
    with running({"names": names_in_text()}) as one:
        yield one


def processor_time(server: Running) -> int:
    """How many clock ticks of the processor a server has used so far."""
    fields = Path(f"/proc/{server.process.pid}/stat").read_text().rpartition(")")[2].split()
    return int(fields[11]) + int(fields[12])


@pytest.mark.skipif(sys.platform != "linux", reason="the processor time of another process is read from /proc")
def test_a_kilobyte_of_one_word_takes_no_more_processor_time_than_ordinary_text(server: Running) -> None:
    def used(content: str) -> int:
        """The time of 75 requests. They are given up after a minute, which is thousands of times as much as usual."""
        body = json.dumps({"model": "names", "text": content}).encode()
        before, requests = processor_time(server), 0
        while requests < 75 and processor_time(server) - before < 60 * os.sysconf("SC_CLK_TCK"):
            assert server.ask("POST", "/v1/tag", body)[0] == 200
            requests += 1
        assert requests == 75, f"{requests} requests took a minute"
        return processor_time(server) - before

    used("Angela met Bob.")
    usual = used(ordinary(TOKENS))
    assert usual > 5
    for make in REPEATED.values():
        assert len(make(TOKENS)) <= 1024
        assert used(make(TOKENS)) <= 2 * usual
