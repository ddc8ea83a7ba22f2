"""Issues: the newest are kept, one search at a time, and none before there is a model."""

from __future__ import annotations

from benches import GOLD, Benched
from perceptag.workbench.findings import FoundIssues


def test_newer_issues_replace_older_ones() -> None:
    found = FoundIssues()
    assert found.get("labels") == (None, -1)
    for items, upto, expected in (("a", 3, "a"), ("b", 2, "a"), ("c", 3, "c"), ("d", 4, "d")):
        found.put({"labels": {"items": items}}, upto)
        assert found.get("labels")[0] == {"items": expected}
    assert found.get("errors") == (None, -1)


def test_one_search_of_a_kind_runs_at_a_time() -> None:
    found = FoundIssues()
    assert found.begin("labels") and found.begin("errors")
    assert not found.begin("labels") and found.is_running("labels")
    found.end("labels")
    assert not found.is_running("labels") and found.is_running("errors")
    assert found.begin("labels")


def test_nothing_is_searched_for_before_there_is_a_model(bench: Benched) -> None:
    asked: list[str] = []
    bench.bench.loop.ask = lambda what, **_: asked.append(what)  # type: ignore[method-assign, assignment, return-value]
    assert bench.get("/issues?kind=labels") == {
        "kind": "labels", "items": [], "total": 0, "weaker": 0, "reason": None, "version": None, "stale": True,
        "running": False,
    }  # fmt: skip
    assert asked == []


def test_issues_are_searched_for_when_labels_have_changed(bench: Benched) -> None:
    for number in GOLD:
        bench.label(number)
    bench.learned(len(GOLD))
    found = bench.get("/issues?kind=errors")
    assert "expected 20 labelled sentences" in found["reason"]
    assert (found["items"], found["weaker"], found["running"], found["stale"]) == ([], 0, False, False)
