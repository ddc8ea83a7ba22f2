"""Files in and out, and labels."""

from __future__ import annotations

from benches import SENTENCES, Benched
from perceptag.server.limits import Limits

COLUMNS = "Rome\tB-LOC\nis\tO\n\nOslo\tO\n"


def test_a_file_is_imported_and_exported_as_it_was(bench: Benched) -> None:
    body = {"name": "more.txt", "text": COLUMNS, "columns": ["form", "ner"], "label": "ner"}
    found = bench.send("/import", body)
    assert (found["sentences"], found["labelled"]) == (2, 2)
    assert bench.get("")["counts"]["sentences"] == len(SENTENCES) + 2
    reply = bench.ask("GET", f"/export?source={found['source_id']}&status=all")
    assert (reply.status, reply.body.decode()) == (200, COLUMNS)
    assert reply.headers["content-disposition"] == 'attachment; filename="names.txt"'
    assert reply.headers["cache-control"] == "no-store"
    assert bench.ask("POST", "/import", body).status == 422
    assert bench.send("/import", body | {"again": True})["sentences"] == 2


def test_imported_sentences_are_learned_from_and_offered(bench: Benched) -> None:
    bench.send("/import", {"name": "a.jsonl", "text": '{"tokens": ["Oslo", "sleeps"]}\n', "format": "jsonl"})
    assert 9 in [item["id"] for item in bench.get("/next?k=50&strategy=order")["sentences"]]
    bench.label(9, ["B-LOC", "O"])
    assert bench.learned(1)["sentences"] == 1


def test_labels_are_exported_in_other_formats(bench: Benched) -> None:
    bench.label(3)
    assert bench.ask("GET", "/export?format=columns").body.decode().split() == ["Paris", "B-LOC", "is", "O", "big", "O"]
    lines = bench.ask("GET", "/export?format=jsonl").lines()
    assert lines[0]["tokens"] == ["Paris", "is", "big"]
    assert bench.ask("GET", "/export?format=conllu").body.decode().startswith("1\tParis")
    for query in ("format=xml", "status=new", "source=x", "path=/etc/passwd"):
        assert bench.ask("GET", f"/export?{query}").status == 422


def test_a_large_file_is_refused_with_another_way_named(bench: Benched) -> None:
    bench.service.bodies.limits = Limits(body=1000)
    reply = bench.ask("POST", "/import", {"text": "a\n" * 1000})
    assert reply.status == 413 and "--import FILE" in reply.json()["detail"]


def test_labels_are_added_once(bench: Benched) -> None:
    found = bench.send("/labels", {"name": "MISC", "key": "m"})["labels"]
    assert [label["name"] for label in found] == ["PER", "ORG", "LOC", "MISC"] and found[3]["key"] == "m"
    assert bench.send("/labels", {"name": "MISC"})["labels"] == found
    bench.label(3, ["B-MISC", "O", "O"])
    for name in ("", "a b", "x" * 101, "a\n", 7, "\u200b", None):
        assert bench.ask("POST", "/labels", {"name": name}).status == 422
    for key in ("ab", 1):
        assert bench.ask("POST", "/labels", {"name": "NEW", "key": key}).status == 422
