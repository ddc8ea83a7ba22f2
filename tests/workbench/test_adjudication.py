"""Disagreements of people are listed, decided, and undone; agreement is counted before and after."""

from __future__ import annotations

import io
from typing import Any

import pytest

from benches import GOLD, Benched, keys
from perceptag.project.project import Project

NONE = ["O"] * 5
OTHER = ["B-PER", "O", "O", "O", "B-LOC"]


def disagreements(bench: Benched, kind: str = "people") -> Any:
    return bench.get(f"/disagreements?kind={kind}")


def numbers(bench: Benched, kind: str = "people") -> list[int]:
    return [item["id"] for item in disagreements(bench, kind)["items"]]


@pytest.fixture
def contested(bench: Benched) -> Benched:
    """Ben labelled sentences 1 and 2, Dora read both, and disagrees about the first."""
    for number in (1, 2):
        bench.label(number, who="ben")
    bench.label(1, OTHER, who="dora", reading=True)
    bench.label(2, who="dora", reading=True)
    return bench


def test_what_two_people_label_differently_is_listed_side_by_side(contested: Benched) -> None:
    found = disagreements(contested)
    [item] = found["items"]
    assert (found["total"], item["id"], item["decided"]) == (1, 1, None)
    assert [(side["who"], side["labels"]) for side in item["sides"]] == [("ben", GOLD[1]), ("dora", OTHER)]
    assert numbers(contested, "decided") == []


@pytest.mark.parametrize("labels", [GOLD[1], OTHER, NONE])
def test_a_decision_settles_and_is_undone(contested: Benched, labels: list[str]) -> None:
    bench = contested
    bench.label(1, labels, source="decided")
    assert numbers(bench) == []
    [item] = disagreements(bench, "decided")["items"]
    assert (item["decided"]["who"], item["decided"]["labels"]) == ("anna", labels)
    assert [(side["who"], side["labels"]) for side in item["sides"]] == [("ben", GOLD[1]), ("dora", OTHER)]
    assert bench.get("/sentences/1")["labels"] == labels
    bench.send("/undo", {"key": next(keys)})
    assert (numbers(bench), numbers(bench, "decided")) == ([1], [])
    assert bench.get("/sentences/1")["labels"] == GOLD[1]
    bench.send("/redo", {"key": next(keys)})
    assert (numbers(bench), numbers(bench, "decided")) == ([], [1])


def test_only_an_admin_decides(contested: Benched) -> None:
    body = {"labels": OTHER, "base_revision": contested.get("/sentences/1")["revision"], "key": next(keys)}
    assert contested.ask("PUT", "/sentences/1/labels", {**body, "source": "decided"}, "ben").status == 403
    assert contested.ask("PUT", "/sentences/1/labels", {**body, "source": "decided"}, "anna").status == 200


def test_agreement_before_and_after(contested: Benched) -> None:
    before = disagreements(contested)["agreement"]
    assert before["before"] == before["after"]
    assert (before["people"], before["sentences"]) == (["ben", "dora"], 2)
    # Ben has 4 spans, Dora has 4, and 3 are the same; 8 of 9 words have the same label.
    assert before["before"]["f1"] == pytest.approx(75)
    assert before["before"]["observed"] == pytest.approx(8 / 9)
    contested.label(1, source="decided")
    found = disagreements(contested)["agreement"]
    assert found["before"] == before["before"]
    assert found["after"] == {"kappa": 1.0, "f1": 100.0, "observed": 1.0}
    [person] = [one for one in found["labels"] if one["label"] == "PER"]
    assert (person["given"], person["both"], person["after"]["f1"]) == (4, 1, 100.0)
    assert [(one["who"], one["f1"]) for one in found["with_decided"]] == [("ben", 100.0), ("dora", 50.0)]


def test_decisions_are_in_the_file_and_in_exports(contested: Benched, tmp_path: Any) -> None:
    contested.label(1, OTHER, source="decided")
    project = contested.project
    copy = tmp_path / "copy.ptag"
    project.backup(copy)
    with Project.open(copy) as other:
        assert other.check() == []
        assert other.decided() == {1}
        target = io.BytesIO()
        other.export(target, format="columns")
    first = target.getvalue().decode().split("\n\n")[0].split("\n")
    assert [line.split()[-1] for line in first] == OTHER
