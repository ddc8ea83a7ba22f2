"""Guidelines and descriptions of labels: versions, conflicts, who may write them."""

from __future__ import annotations

from pathlib import Path

import pytest

from benches import Benched
from perceptag.errors import ConflictError, SettingError
from perceptag.project.guidelines import Guidelines, LabelDescription
from perceptag.project.project import Project

PEOPLE = {"PER": {"description": "people", "examples": ["**Anna** left", " "]}, "LOC": {"description": " "}}


def test_every_version_is_kept_in_the_file(tmp_path: Path) -> None:
    path = tmp_path / "a.ptag"
    with Project.create(path, kind="spans", labels=["PER", "LOC"]) as project:
        assert project.guidelines() == Guidelines()
        project.write_guidelines("# One", PEOPLE, base=0, who="anna")
        project.write_guidelines("# Two", base=1, who="ben")
    with Project.open(path) as project:
        assert [(one.version, one.who) for one in project.guideline_history()] == [(1, "anna"), (2, "ben")]
        assert [project.guidelines(number).text for number in (1, 2)] == ["# One", "# Two"]
        assert project.guidelines(1).labels == {"PER": LabelDescription("people", ["**Anna** left"])}
        assert project.guidelines().labels == {}
        assert project.guidelines(0) == Guidelines()
        assert project.check() == []
        with pytest.raises(SettingError, match="version: expected 0 to 2, found 3"):
            project.guidelines(3)


def test_nothing_new_is_no_version_and_a_change_by_another_is_a_conflict(tmp_path: Path) -> None:
    with Project.create(tmp_path / "a.ptag", kind="tags", labels=["x"]) as project:
        first = project.write_guidelines("text", base=0, who="anna")
        assert project.write_guidelines("text", base=1, who="ben") == first
        with pytest.raises(ConflictError, match="guidelines: expected version 0, found version 1 by 'anna'"):
            project.write_guidelines("other", base=0, who="ben")
        assert project.guidelines().text == "text"


def test_admins_write_and_everyone_reads(bench: Benched) -> None:
    body = {"text": "# Names", "labels": {"PER": {"description": "people", "examples": []}}, "base_version": 0}
    for who in ("ben", "carl"):
        assert bench.ask("PUT", "/guidelines", body, who).status == 403
    assert bench.send("/guidelines", body, method="PUT")["version"] == 1
    found = bench.get("/guidelines", "carl")
    assert (found["text"], found["who"], found["labels"]["PER"]["description"]) == ("# Names", "anna", "people")
    assert bench.get("")["labels"][0]["description"] == "people"
    conflict = bench.ask("PUT", "/guidelines", {**body, "text": "mine"})
    assert conflict.status == 409 and "found version 1 by 'anna'" in conflict.json()["detail"]
    assert bench.ask("PUT", "/guidelines", {**body, "labels": {"PRE": {}}, "base_version": 1}).status == 422
    assert bench.ask("GET", "/guidelines?version=7").status == 404
    assert "did you mean GET /v1/project/guidelines?" in bench.ask("GET", "/guideline").json()["detail"]
    assert [one["version"] for one in bench.get("/guidelines")["versions"]] == [1]
