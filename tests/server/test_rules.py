"""A server of pipelines with rules: as layers, with values, and joined with a model."""

from __future__ import annotations

from typing import Any

import pytest

from asked import Asked
from perceptag import Pipeline, Rules, Tagger
from rule_toys import PARIS

RULES = """
column = "found"

[[rule]]
name = "price"
label = "PRICE"
value = "money"
tokens = '"$" [digit]'

[lists]
currencies = { "$" = "USD" }
"""
WORDS = [["in", "Paris", "now"], ["Ann", "met", "Bob"], ["for", "$", "5"]] * 2
LABELS = [["O", "B-LOC", "O"], ["B-PER", "O", "B-PER"], ["O", "O", "O"]] * 2


@pytest.fixture(scope="module")
def ask(tmp_path_factory: pytest.TempPathFactory) -> Asked:
    tagger = Tagger("basic-ner", epochs=3, labels_column="ner").fit(WORDS, LABELS)
    path = tmp_path_factory.mktemp("ruled") / "ruled.pipeline"
    Pipeline([Rules.parse(RULES), tagger, Rules.parse(PARIS)]).save(path)
    return Asked({"ruled": str(path)})


def one(reply: Any) -> Any:
    assert reply.status == 200, reply.body
    return reply.json()


SENTENCE = ["in", "Paris", "for", "$", "5"]


def test_labels_spans_and_values(ask: Asked) -> None:
    found = one(ask.post("/v1/tag", sentences=[SENTENCE], want=["spans", "layers"]))["sentences"][0]
    assert found["labels"] == ["O", "B-PER", "O", "O", "O"]
    assert found["spans"] == [{"layer": "ner", "label": "PER", "start": 1, "end": 2, "text": "Paris"}]
    price = {"layer": "found", "label": "PRICE", "start": 3, "end": 5, "text": "$ 5", "value": "5 USD"}
    assert found["layers"]["found"] == {"labels": ["O", "O", "O", "B-PRICE", "I-PRICE"], "spans": [price]}
    own = one(ask.post("/v1/tag", sentences=[SENTENCE], layer="found", want=["spans"]))["sentences"][0]
    assert own["spans"] == [price]


def test_lists_and_margins_keep_to_the_rules(ask: Asked) -> None:
    found = one(ask.post("/v1/tag", sentences=[SENTENCE], want=["nbest", "margin"], n=3))["sentences"][0]
    assert [labelling["labels"][1] for labelling in found["nbest"]] == ["B-PER"] * 3
    assert len(found["margin"]) == 5


def test_explanations_name_rules(ask: Asked) -> None:
    joined = one(ask.post("/v1/explain", sentences=[SENTENCE]))
    assert joined["details"][1]["contributions"][0]["feature"] == "rule ships forces PER"
    alone = one(ask.post("/v1/explain", sentences=[SENTENCE], layer="found"))
    features = [[c["feature"] for c in detail["contributions"]] for detail in alone["details"]]
    assert features == [[], [], [], ["rule price forces PRICE"], ["rule price forces PRICE"]]


def test_lines_are_answered_as_they_come(ask: Asked) -> None:
    lines = b'{"tokens": ["in", "Paris"]}\n{"tokens": ["$", "5"]}\n'
    reply = ask("POST", "/v1/tag?model=ruled&layer=found", lines, kind="text/plain; format=jsonl")
    assert reply.status == 200, reply.body
    assert [line["found"] for line in reply.lines()] == [["O", "O"], ["B-PRICE", "I-PRICE"]]
