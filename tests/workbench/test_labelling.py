"""What people decide is kept: labels, skipping, flags, comments, undo; two people never overwrite each other."""

from __future__ import annotations

from typing import Any

from benches import GOLD, Benched


def put(bench: Benched, number: int, labels: list[str], base: int, key: str, who: str = "anna", **more: Any) -> Any:
    body = {"labels": labels, "base_revision": base, "key": key, **more}
    return bench.ask("PUT", f"/sentences/{number}/labels", body, who)


def test_labels_are_kept_and_learned_from(bench: Benched) -> None:
    assert bench.get("/sentences/1")["proposal"] is None
    assert bench.label(1) == {"revision": 1, "id": 1, "last_revision": 1}
    item = bench.get("/sentences/1")
    assert (item["labels"], item["status"], item["revision"], item["who"]) == (GOLD[1], "labelled", 1, "anna")
    assert bench.learned(1)["id"] == 1
    proposal = bench.get("/sentences/6")["proposal"]
    assert proposal["version"] == 1 and proposal["labels"][0] == "B-LOC" and len(proposal["nbest"]) > 1
    assert proposal["nbest"][0]["labels"] == proposal["labels"]
    assert proposal["spans"][0] == {"start": 0, "end": 1, "label": "LOC", "confidence": None}


def test_a_full_disk_is_told_as_such_and_the_same_change_is_taken_later(bench: Benched) -> None:
    writer = bench.project._database._writer
    (most,), (size,) = (writer.execute(f"PRAGMA {name}").fetchone() for name in ("max_page_count", "page_count"))
    writer.execute(f"PRAGMA max_page_count={size}")  # a disk that is full
    full, number = [], 0
    while not full and number < 2_000:
        number += 1
        reply = bench.ask("POST", "/sentences/1/comment", {"text": "x" * 9_000, "key": f"comment-{number}"})
        full = [reply] if reply.status != 200 else []
    assert (full[0].status, full[0].headers["retry-after"]) == (507, "10"), full[0].body
    assert "nothing was saved" in full[0].json()["detail"] and ".ptag" not in full[0].json()["detail"]
    writer.execute(f"PRAGMA max_page_count={most}")
    again = bench.ask("POST", "/sentences/1/comment", {"text": "x" * 9_000, "key": f"comment-{number}"})
    assert again.status == 200


def test_the_model_in_use_tags_and_explains(bench: Benched) -> None:
    assert bench.ask("GET", "/../models").status == 404
    for number in (1, 2, 3):
        bench.label(number)
    version = bench.learned(3)
    headers = {"authorization": "Bearer " + "c" * 43}
    models = bench("GET", "/v1/models", headers=headers).json()
    assert [model["name"] for model in models] == ["project"]
    assert models[0]["digest"].endswith(version["digest"])
    body = b'{"sentences": [["Rome", "is", "old"]], "want": ["spans", "nbest"], "n": 2}'
    found = bench("POST", "/v1/tag", body, headers).json()["sentences"][0]
    assert found["labels"] == bench.get("/sentences/6")["proposal"]["labels"]
    assert bench("POST", "/v1/explain", b'{"tokens": ["Rome", "is", "old"]}', headers).status == 200
    assert bench("POST", "/v1/models/project/reload", b"{}", headers).status == 403
    as_admin = {"authorization": "Bearer " + "a" * 43}
    assert bench("POST", "/v1/models/project/reload", b"{}", as_admin).status == 409


def test_a_sentence_that_somebody_changed_is_not_overwritten(bench: Benched) -> None:
    bench.label(1)
    reply = put(bench, 1, ["O"] * 5, 0, "key-of-ben", "ben")
    assert reply.status == 409
    assert reply.json()["current"]["labels"] == GOLD[1]
    assert reply.json()["current"]["who"] == "anna"
    assert bench.get("/sentences/1")["labels"] == GOLD[1]
    assert put(bench, 1, ["O"] * 5, 1, "key-of-ben", "ben").status == 200


def test_the_same_key_changes_nothing_and_gets_the_same_reply(bench: Benched) -> None:
    first = put(bench, 1, GOLD[1], 0, "same-key").json()
    assert put(bench, 1, GOLD[1], 0, "same-key").json() == first
    bench.label(1, ["O"] * 5)
    assert put(bench, 1, GOLD[1], 0, "same-key").json()["revision"] == first["revision"]
    assert bench.get("/sentences/1")["labels"] == ["O"] * 5
    assert put(bench, 2, GOLD[2], 0, "same-key").status == 422
    assert len(bench.get("/history")["revisions"]) == 2


def test_a_skipped_sentence_is_not_offered_until_it_is_taken_back(bench: Benched) -> None:
    revision = bench.send("/sentences/3/skip", {"base_revision": 0, "key": "skip-key-1"})["revision"]
    assert bench.get("/sentences/3")["status"] == "skipped"
    assert 3 not in {item["id"] for item in bench.get("/next?k=50&strategy=order")["sentences"]}
    assert bench.ask("POST", "/sentences/3/unskip", {"base_revision": 0, "key": "skip-key-2"}).status == 409
    bench.send("/sentences/3/unskip", {"base_revision": revision, "key": "skip-key-3"})
    assert 3 in {item["id"] for item in bench.get("/next?k=50&strategy=order")["sentences"]}


def test_flags_and_comments(bench: Benched) -> None:
    bench.send("/sentences/2/flag", {"on": True, "key": "flag-key-1"})
    assert bench.get("/sentences/2")["flagged"] is True
    assert [item["id"] for item in bench.get("/sentences?flagged=1")["sentences"]] == [2]
    bench.send("/sentences/2/flag", {"on": False, "key": "flag-key-2"})
    assert bench.get("/sentences?flagged=1")["total"] == 0
    bench.send("/sentences/2/comment", {"text": " <b>Is IBM one?</b> ", "key": "comment-1"}, "ben")
    (comment,) = bench.get("/sentences/2/comments")["comments"]
    assert (comment["who"], comment["text"]) == ("ben", "<b>Is IBM one?</b>")
    assert bench.get("/sentences/2")["comments"] == 1
    bench.send("/sentences/2/comment", {"text": "x" * 10_000, "key": "comment-2"})
    for text in ("", "  ", "x" * 10_001, 7):
        assert bench.ask("POST", "/sentences/2/comment", {"text": text, "key": "comment-3"}).status == 422


def test_undo_and_redo_by_person(bench: Benched) -> None:
    assert bench.ask("POST", "/undo", {"key": "undo-key-0"}).status == 409
    bench.label(1)
    bench.label(2, who="ben")
    undone = bench.send("/undo", {"key": "undo-key-1"})
    assert (undone["sentences"], bench.get("/sentences/1")["labels"]) == ([1], None)
    assert bench.send("/undo", {"key": "undo-key-1"})["sentences"] == [1]
    assert bench.get("/sentences/2")["labels"] == GOLD[2]
    assert bench.send("/redo", {"key": "undo-key-2"})["sentences"] == [1]
    assert bench.get("/sentences/1")["labels"] == GOLD[1]
    bench.label(1, ["O"] * 5, who="ben")
    reply = bench.ask("POST", "/undo", {"key": "undo-key-3"})
    assert reply.status == 409
    kinds = [revision["kind"] for revision in bench.get("/history?sentence=1")["revisions"]]
    assert kinds == ["label", "redo", "undo", "label"]


def test_undo_is_learned_too(bench: Benched) -> None:
    bench.label(1)
    digest = bench.learned(1)["digest"]
    bench.label(2)
    assert bench.learned(2)["digest"] != digest
    bench.send("/undo", {"key": "undo-key-1"})
    assert bench.learned(1)["digest"] == digest
