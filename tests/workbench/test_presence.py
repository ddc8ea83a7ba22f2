"""People who have the same sentence in front hear of each other."""

from __future__ import annotations

import json
from typing import Any

import pytest

from benches import Benched


@pytest.fixture
def open_pages(bench: Benched) -> Any:
    for tab in ("a", "b", "c"):
        bench.bench.leases.enter(tab)
    return bench


def show(bench: Benched, number: int | None, who: str, tab: str) -> Any:
    body = {} if number is None else {"sentence": number}
    reply = bench.ask("POST", "/presence", body, who, perceptag_tab=tab)
    assert reply.status == 200, reply.body
    return reply.json()["others"]


def told(bench: Benched) -> list[Any]:
    texts = [text.decode() for _, text in bench.bench.events.after(0)]
    return [json.loads(text.partition("data: ")[2]) for text in texts if "event: presence" in text]


def test_the_second_person_at_a_sentence_and_the_first_hear_of_each_other(open_pages: Benched) -> None:
    bench = open_pages
    assert show(bench, 1, "anna", "a") == []
    assert told(bench) == []  # there is nothing to tell
    assert show(bench, 1, "ben", "b") == ["anna"]
    assert told(bench) == [{"id": 1, "who": ["anna", "ben"]}]
    assert show(bench, 2, "ben", "b") == []
    assert told(bench)[1:] == [{"id": 1, "who": ["anna"]}]


@pytest.mark.parametrize("how", ["closed", "stream ended"])
def test_a_tab_that_is_gone_is_at_no_sentence(open_pages: Benched, how: str) -> None:
    bench = open_pages
    show(bench, 1, "anna", "a")
    show(bench, 1, "ben", "b")
    if how == "closed":
        show(bench, None, "ben", "b")
    else:
        assert bench.bench.leases.leave("b")
        bench.bench.presence.leave("b")
    assert told(bench)[-1] == {"id": 1, "who": ["anna"]}
    assert show(bench, 1, "dora", "c") == ["anna"]


def test_a_client_without_a_stream_is_not_there(bench: Benched) -> None:
    """Nobody could say when it is gone."""
    assert (show(bench, 1, "anna", "a"), show(bench, 1, "ben", "b")) == ([], [])
    assert bench.ask("POST", "/presence", {"sentence": 99}).status == 404


def test_a_sentence_in_front_is_kept_for_the_tab(open_pages: Benched) -> None:
    show(open_pages, 1, "anna", "a")
    found = open_pages.get("/next?k=50&strategy=order", "ben", perceptag_tab="b")["sentences"]
    assert [item["id"] for item in found] == [2, 3, 4, 5, 6, 7, 8]
    show(open_pages, 1, "ben", "b")  # a second one does not take it away
    assert open_pages.bench.leases.own("a") == {1}


def test_a_labelled_sentence_in_front_can_be_read_by_others(open_pages: Benched) -> None:
    open_pages.label(1)
    show(open_pages, 1, "anna", "a")
    found = open_pages.get("/next?strategy=second", "ben", perceptag_tab="b")["sentences"]
    assert [item["id"] for item in found] == [1]
