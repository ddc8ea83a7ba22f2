"""The loop when the learner cannot do what it is asked, or has nothing to learn from any more."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from asked import HOST, held
from benches import PEOPLE, Benched, InThisProcess, keys, new_project
from perceptag.errors import ModelError
from perceptag.project.project import Project
from perceptag.server.access import Access
from perceptag.server.limits import Limits
from perceptag.server.routes import make_app
from perceptag.server.served import ModelTable
from perceptag.server.service import Service
from perceptag.workbench.routes import make_bench
from waiting import wait_until


class Failing(InThisProcess):
    """A learner that cannot be started at first."""

    fails = True

    def __init__(self, *arguments: Any) -> None:
        if Failing.fails:
            raise OSError(12, "Cannot allocate memory")
        super().__init__(*arguments)


class BenchedWith(Benched):
    """A workbench with another learner."""

    def __init__(self, project: Project, learner: Any) -> None:
        self.project = project
        self.service = Service(ModelTable({}), Access(frozenset({HOST}), holders=held(PEOPLE)), Limits(), cores=2)
        self.bench = make_bench(project, self.service, learner)
        self.app = make_app(self.service)


def test_a_learner_that_cannot_be_started_is_said_and_tried_again(tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.setattr(Failing, "fails", True)
    project = new_project(tmp_path)
    project.add_version("sha256:0", 1, recipe="project")
    bench = BenchedWith(project, Failing)
    reply = bench.ask("GET", "/versions/1/model")
    assert reply.status == 409 and b"cannot be started" in reply.body and b"Cannot allocate memory" in reply.body
    bench.label(1)
    monkeypatch.setattr(Failing, "fails", False)
    bench.label(2)
    assert bench.learned(2)["sentences"] == 2
    bench.close()
    with pytest.raises(ModelError, match="the server is stopping"):
        bench.bench.loop.ask("issues", kind="errors").result(1)


def test_closing_works_without_a_learner(tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.setattr(Failing, "fails", True)
    bench = BenchedWith(new_project(tmp_path), Failing)
    bench.label(1)
    bench.close()
    with Project.open(tmp_path / "names.ptag") as project:
        assert project.sentence(1).labels is not None


def test_a_model_of_labels_that_were_all_undone_is_dropped(bench: Benched) -> None:
    for number in (1, 2, 3):
        bench.label(number)
    bench.learned(3)
    while bench.project.counts().labelled:
        bench.send("/undo", {"key": next(keys)})
    wait_until(lambda: bench.get("")["version"] is None)
    assert bench.get("/sentences/4")["proposal"] is None
    assert bench.bench.loop.table.names == [] and bench.bench.loop.ranked_pool() == []
    assert bench.get("/next?strategy=uncertain&k=2")["sentences"]
    bench.label(2)
    assert bench.learned(1)["sentences"] == 1


def test_starting_again_adds_no_versions(tmp_path: Path) -> None:
    bench, found = Benched(new_project(tmp_path)), []
    for number in (1, 2, 3):
        bench.label(number)
    bench.learned(3)
    slow = bench.project.add_version("sha256:slow", bench.project.last_revision, recipe="auto", sentences=3)
    for _ in range(3):
        found.append(len(bench.project.versions()))
        bench.close()
        bench = Benched(Project.open(tmp_path / "names.ptag"))
        assert bench.learned(3)["id"] == slow.id - 1
    bench.close()
    assert found == [slow.id] * 3
