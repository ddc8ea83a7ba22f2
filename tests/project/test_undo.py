"""Undo and redo: by step, for each person, for ever."""

from __future__ import annotations

from pathlib import Path

import pytest

from perceptag.errors import ConflictError, SettingError
from perceptag.project.project import Project
from projects import make, put


@pytest.fixture
def project(tmp_path: Path):
    with make(tmp_path) as project:
        yield project
        assert project.check() == []


def marks(project: Project, sentence: int = 1) -> str:
    labels = project.sentence(sentence).labels
    return "" if labels is None else labels[0].removeprefix("B-")


def test_undo_is_there_after_the_project_was_closed(tmp_path: Path) -> None:
    with make(tmp_path) as project:
        put(project, 1, "PER", "a")
        path = project.path
    with Project.open(path) as again:
        undone = again.undo("anna", "b")
        assert undone is not None
        assert (undone.sentences, undone.what) == ([1], "label")
        assert again.sentence(1).status == "new"
    with Project.open(path) as again:
        assert again.redo("anna", "c") is not None
        assert again.sentence(1).status == "labelled"


def test_people_undo_their_own_steps(project: Project) -> None:
    put(project, 1, "PER", "a", who="anna")
    put(project, 2, "LOC", "b", who="ben")
    undone = project.undo("anna", "c")
    assert undone is not None
    assert undone.sentences == [1]
    assert project.undo("anna", "d") is None
    assert project.sentence(2).status == "labelled"


def test_what_somebody_else_changed_is_not_undone(project: Project) -> None:
    put(project, 1, "PER", "a", who="anna")
    put(project, 1, "LOC", "b", who="ben")
    with pytest.raises(
        ConflictError, match="undo: sentence 1: expected it as step 1 left it, found revision 2 by 'ben'"
    ):
        project.undo("anna", "c")
    assert marks(project) == "LOC"
    project.undo("ben", "d")
    assert project.undo("anna", "e") is not None
    put(project, 1, "LOC", "f", who="ben")
    with pytest.raises(ConflictError, match="redo: sentence 1"):
        project.redo("anna", "g")


def test_a_step_that_is_named_is_undone(project: Project) -> None:
    put(project, 1, "PER", "a", who="anna")
    put(project, 2, "PER", "b", who="anna")
    put(project, 2, "LOC", "c", who="ben")
    with pytest.raises(ConflictError):
        project.undo("anna", "d")
    undone = project.undo("anna", "e", step=1)
    assert undone is not None
    assert undone.sentences == [1]
    for step, who in ((1, "anna"), (3, "anna"), (99, "anna")):
        with pytest.raises(SettingError, match="step: expected a step of 'anna' that is not undone"):
            project.undo(who, f"f{step}", step=step)


def test_undo_with_the_same_key_happens_once(project: Project) -> None:
    put(project, 1, "PER", "a")
    put(project, 2, "PER", "b")
    first = project.undo("anna", "c")
    assert project.undo("anna", "c") == first
    assert project.sentence(1).status == "labelled"
    again = project.redo("anna", "d")
    assert project.redo("anna", "d") == again
    assert project.last_revision == 4
    assert [(r.kind, r.undoes) for r in project.history(2)] == [("redo", 2), ("undo", 2), ("label", 0)]


def test_a_step_that_somebody_changed_is_passed_over(project: Project) -> None:
    put(project, 1, "PER", "a", who="anna")
    put(project, 2, "PER", "b", who="anna")
    put(project, 2, "LOC", "c", who="ben")
    for _ in range(2):  # the same key again says the same again
        with pytest.raises(ConflictError, match="found revision 3 by 'ben'; the next undo passes over this step"):
            project.undo("anna", "d")
    undone = project.undo("anna", "e")
    assert undone is not None and undone.sentences == [1]
    assert project.undo("anna", "f") is None
    project.undo("ben", "g")
    undone = project.undo("anna", "h")
    assert undone is not None and undone.sentences == [2]
