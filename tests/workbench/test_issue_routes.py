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


def test_issues_are_searched_for_when_labels_have_changed(bench: Benched) -> None:
    for number in GOLD:
        bench.label(number)
    bench.learned(len(GOLD))
    found = bench.get("/issues?kind=errors")
    assert "expected 20 labelled sentences" in found["reason"]
    assert (found["items"], found["weaker"], found["running"], found["stale"]) == ([], 0, False, False)
