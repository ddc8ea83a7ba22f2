"""Labels that deserve a second look, with the numbers that sentences have in the project."""

from __future__ import annotations

import dataclasses

from loop_toys import examples, sentence
from perceptag.inspecting.suspects import Suspect
from perceptag.workbench.learning.label_issues import issues, worth_a_look


def nothing() -> None:
    pass


def test_a_spoilt_label_is_suspected():
    some = [dataclasses.replace(e, text=dataclasses.replace(e.text, id=e.text.id + 500)) for e in examples(60)]
    labels = ["B-PER" if y == "B-LOC" else y for y in sentence(40)[1]]
    some[39] = dataclasses.replace(some[39], labels=labels)
    calls = []
    found = issues(some, "errors", lambda: calls.append(1))
    assert found["items"][0]["id"] == 540
    assert found["items"][0]["labels"] == sentence(40)[1]
    assert calls


def test_other_kinds_have_numbers_of_the_project_too():
    some = examples(60)
    some[9] = dataclasses.replace(some[9], labels=["I-LOC" if y == "B-LOC" else y for y in some[9].labels])
    some[1] = dataclasses.replace(some[1], labels=["B-LCO" if y == "B-LOC" else y for y in some[1].labels])
    assert [item["id"] for item in issues(some, "scheme", nothing)["items"]] == [10]
    assert issues(some, "labels", nothing)["items"][0]["places"] == [{"id": 2, "token": some[1].labels.index("B-LCO")}]
    sides = issues(some, "inconsistent", nothing)["items"][0]["sides"]
    assert {use["id"] for side in sides for use in side["examples"]} <= set(range(1, 61))


def test_too_few_sentences_are_a_reason_and_not_an_error():
    found = issues(examples(5), "errors", nothing)
    assert found["items"] == [] and "expected 20 labelled sentences" in found["reason"]


def doubt(sentence: int, confidence: float | None) -> Suspect:
    return Suspect(sentence, 0, 1, "other", (), (), ("O",), 1.0, confidence)


def test_few_sentences_have_few_doubts_and_weak_ones_are_left_out():
    unknown = [doubt(n, None) for n in range(37)]
    assert worth_a_look(unknown, 40) == unknown[:5]
    assert worth_a_look(unknown, 200) == unknown[:25]
    strong, weak = doubt(1, 0.8), doubt(2, 0.1)
    assert worth_a_look([strong, weak], 40) == [strong]
    found = issues(examples(30), "errors", nothing)
    assert found["weaker"] >= 0 and len(found["items"]) <= 5
