"""Label Studio asks for proposals, and what its users label is learned from."""

from __future__ import annotations

import json
from typing import Any

import pytest

from benches import TOKENS, Benched
from perceptag.server.limits import Limits

CONFIG = '<View><Labels name="ner" toName="doc"><Label value="LOC"/></Labels><Text name="doc" value="$body"/></View>'


def ask(bench: Benched, what: str, body: Any, who: str = "anna") -> Any:
    return bench("POST", f"/adapters/label-studio/{TOKENS[who]}/{what}", json.dumps(body).encode())


def event(text: str, spans: list[tuple[str, str]], action: str = "ANNOTATION_CREATED", **more: Any) -> dict[str, Any]:
    result = [
        {
            "id": "a1", "from_name": "ner", "to_name": "doc", "type": "labels",
            "value": {"start": text.index(words), "end": text.index(words) + len(words), "labels": [label]},
        }
        for words, label in spans
    ]  # fmt: skip
    return {"action": action, "task": {"id": 1, "data": {"body": text}}, "annotation": {"result": result, **more}}


def test_health_and_setup(bench: Benched) -> None:
    health = bench("GET", f"/adapters/label-studio/{TOKENS['carl']}/health")
    assert (health.status, health.json()["status"]) == (200, "UP")
    assert ask(bench, "setup", {"project": "1.2", "schema": CONFIG}).json() == {"model_version": "perceptag-none"}
    bench.label(1)
    version = bench.learned(1)
    told = ask(bench, "setup", {"schema": CONFIG}).json()["model_version"]
    assert told == f"perceptag-{version['id']}-{version['digest'][-8:]}"


def test_what_is_labelled_is_learned_and_proposed(bench: Benched) -> None:
    text = "Oslo is cold. Bergen is wet."
    assert ask(bench, "webhook", event(text, [("Oslo", "LOC"), ("Bergen", "LOC")])).json() == {"learned": 2}
    assert bench.learned(2)["sentences"] == 2
    assert bench.get("/sentences/9")["labels"][0] == "B-LOC"
    assert ask(bench, "webhook", event(text, [("Oslo", "LOC"), ("Bergen", "LOC")])).json() == {"learned": 0}
    changed = event(text, [("Oslo", "LOC")], "ANNOTATION_UPDATED")
    assert ask(bench, "webhook", changed).json() == {"learned": 1}
    bench.label(4)
    bench.learned(3)
    asked = {"tasks": [{"id": 7, "data": {"body": "Then Oslo is cold."}}], "label_config": CONFIG}
    (found,) = ask(bench, "predict", asked).json()["results"]
    regions = {region["value"]["text"]: region for region in found["result"]}
    assert regions["Oslo"]["value"] == {"start": 5, "end": 9, "text": "Oslo", "labels": ["LOC"]}
    assert (regions["Oslo"]["from_name"], regions["Oslo"]["to_name"]) == ("ner", "doc")


def test_other_events_and_cancelled_ones_are_not_learned_from(bench: Benched) -> None:
    assert ask(bench, "webhook", {"action": "TASKS_CREATED"}).json() == {"learned": 0}
    assert ask(bench, "webhook", event("Oslo.", [("Oslo", "LOC")], was_cancelled=True)).json() == {"learned": 0}
    assert ask(bench, "webhook", event("Oslo.", [("Osl", "LOC")])).json() == {"learned": 0}
    assert bench.get("")["counts"]["sentences"] == 8


@pytest.mark.parametrize(
    "body",
    [
        [], {}, {"tasks": 1}, {"tasks": [1]}, {"tasks": [{}]}, {"tasks": [{"data": {"a": 1}}]},
        {"tasks": [{"data": {"text": "x" * 1_000_001}}]}, {"tasks": [{}] * 1001},
        {"tasks": [], "label_config": "<"}, {"tasks": [], "label_config": "<View/>"},
        {"tasks": [], "label_config": '<View><Labels name="a" toName="b"/></View>'},
        {"tasks": [], "label_config": "<!DOCTYPE x []><x/>"},
    ],
)  # fmt: skip
def test_tasks_that_cannot_be(bench: Benched, body: Any) -> None:
    assert ask(bench, "predict", body).status in (413, 422)


def test_a_text_may_be_as_long_as_its_limit(bench: Benched) -> None:
    bench.service.limits = Limits(text=5)
    assert ask(bench, "webhook", event("Oslo.", [("Oslo", "LOC")])).json() == {"learned": 1}
    reply = ask(bench, "webhook", event("Oslo!!", [("Oslo", "LOC")]))
    assert (reply.status, reply.json()["limit"], reply.json()["found"]) == (413, "text", 6)


@pytest.mark.parametrize("change", [{"task": None}, {"annotation": {}}, {"annotation": {"result": 1}}])
def test_events_that_cannot_be(bench: Benched, change: dict[str, Any]) -> None:
    assert ask(bench, "webhook", {**event("Oslo.", []), **change}).status == 422


def test_roles(bench: Benched) -> None:
    assert ask(bench, "webhook", event("Oslo.", []), "carl").status == 403
    assert ask(bench, "predict", {"tasks": []}, "carl").status == 200
