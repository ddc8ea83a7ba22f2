"""The same words everywhere: shown, changed in one step, taken back in one step."""

from __future__ import annotations

from typing import Any

import pytest

from benches import GOLD, Benched


def preview(bench: Benched, words: list[str], label: str, **more: Any) -> list[dict[str, Any]]:
    found = bench.send("/mark-all", {"words": words, "label": label, "preview": True, **more})
    assert found["total"] == len(found["matches"])
    matches: list[dict[str, Any]] = found["matches"]
    return matches


def targets(matches: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [{name: match[name] for name in ("id", "start", "revision")} for match in matches]


def test_words_are_shown_with_what_is_said_of_them(bench: Benched) -> None:
    bench.label(2)
    bench.label(5, ["O", "O", "O"])
    bench.learned(2)
    found = preview(bench, ["IBM"], "ORG", scope="all")
    assert [(m["id"], m["start"], m["end"], m["status"], m["label_now"]) for m in found] == [
        (5, 2, 3, "labelled", "O"),
        (8, 0, 1, "new", None),
    ]
    assert found[1]["label_proposed"] == "ORG"
    assert [m["id"] for m in preview(bench, ["IBM"], "ORG")] == [8]
    assert [m["id"] for m in preview(bench, ["ibm"], "ORG")] == []
    assert [m["id"] for m in preview(bench, ["ibm"], "ORG", scope="labelled", ignore_case=True)] == [5]


def test_one_step_makes_drafts_and_labels_and_is_undone_at_once(bench: Benched) -> None:
    bench.label(5, ["O", "O", "O"])
    found = preview(bench, ["IBM"], "ORG", scope="all")
    body = {"words": ["IBM"], "label": "ORG", "targets": targets(found), "key": "mark-key-1"}
    done = bench.send("/mark-all", body)
    assert (done["changed"], done["conflicts"]) == (3, [])
    assert bench.send("/mark-all", body)["step"] == done["step"]
    assert bench.get("/sentences/5")["labels"] == ["O", "O", "B-ORG"]
    item = bench.get("/sentences/2")
    assert (item["labels"], item["draft"], item["status"]) == (None, [None, None, None, "B-ORG"], "new")
    bench.learned(1)
    assert bench.get("/sentences/2")["proposal"]["labels"][3] == "B-ORG"
    assert {i["id"] for i in bench.get("/next?strategy=drafts")["sentences"]} == {2, 8}
    assert preview(bench, ["IBM"], "ORG", scope="all") == []
    assert set(bench.send("/undo", {"key": "undo-key-1"})["sentences"]) == {2, 5, 8}
    assert bench.get("/sentences/5")["labels"] == ["O", "O", "O"]
    assert bench.get("/sentences/2")["draft"] is None


def test_what_somebody_changed_in_between_is_left(bench: Benched) -> None:
    found = preview(bench, ["Paris"], "LOC")
    bench.label(3, ["O", "O", "O"], who="ben")
    body = {"words": ["Paris"], "label": "LOC", "targets": targets(found), "key": "mark-key-1"}
    done = bench.send("/mark-all", body)
    assert (done["changed"], done["conflicts"]) == (1, [3])
    assert bench.get("/sentences/3")["labels"] == ["O", "O", "O"]
    wrong = [{"id": 1, "start": 0, "revision": 0}]
    assert bench.send("/mark-all", body | {"targets": wrong, "key": "mark-key-2"})["conflicts"] == [1]


@pytest.mark.parametrize(
    "change",
    [
        {"words": []}, {"words": ["a"] * 51}, {"words": [""]}, {"words": [1]}, {"words": "IBM"}, {"label": "CAT"},
        {"label": "x" * 101}, {"scope": "some"}, {"ignore_case": 1}, {"targets": [{}]}, {"targets": [{"id": 1}]},
        {"targets": [{"id": 1, "start": -1, "revision": 0}]}, {"targets": [{"id": "1", "start": 0, "revision": 0}]},
        {"targets": [{"id": 1, "start": 0, "revision": 0}] * 1001}, {"key": "x", "targets": []},
        {"targets": [{"id": 99, "start": 0, "revision": 0}]}, {"words": ["\ud800"]},
    ],
)  # fmt: skip
def test_what_cannot_be_marked(bench: Benched, change: dict[str, Any]) -> None:
    body = {"words": ["IBM"], "label": "ORG", "key": "mark-key-1"} | change
    assert bench.ask("POST", "/mark-all", body).status == 422
    assert bench.get("")["last_revision"] == 0


def test_the_same_key_has_the_same_reply(bench: Benched) -> None:
    bench.label(6)
    wanted = [{"id": 6, "start": 0, "revision": 0}, {"id": 1, "start": 4, "revision": 0}]
    body = {"words": ["Rome"], "label": "ORG", "targets": wanted, "key": "mark-key-1"}
    done = bench.send("/mark-all", body)
    assert (done["changed"], done["conflicts"]) == (1, [6])
    assert bench.send("/mark-all", body) == done
    assert bench.ask("POST", "/mark-all", body | {"targets": wanted[:1]}).status == 422


def test_skipped_sentences_are_left_out(bench: Benched) -> None:
    revision = bench.label(3)["revision"]
    revision = bench.send("/sentences/3/skip", {"base_revision": revision, "key": "skip-key-1"})["revision"]
    assert [m["id"] for m in preview(bench, ["Paris"], "ORG", scope="all")] == [7]
    wanted = [{"id": 3, "start": 0, "revision": revision}]
    body = {"words": ["Paris"], "label": "ORG", "targets": wanted, "key": "mark-key-1"}
    assert bench.send("/mark-all", body)["conflicts"] == [3]
    item = bench.get("/sentences/3")
    assert (item["labels"], item["draft"]) == (GOLD[3], None)
