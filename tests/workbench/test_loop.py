"""The loop when the learner cannot do what it is asked, or has nothing to learn from any more."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from asked import HOST, held
from benches import PEOPLE, Benched, InThisProcess, keys, new_project
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


def learner_errors(bench: Any) -> str:
    """Return what was said about the learner."""
    return "".join(text.decode() for _, text in bench.bench.events.after(0) if b"event: learner" in text)


def test_a_learner_that_cannot_be_started_is_said_and_tried_again(tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.setattr(Failing, "fails", True)
    project = new_project(tmp_path)
    bench = BenchedWith(project, Failing)
    error = wait_until(lambda: learner_errors(bench))
    assert "cannot be started" in error and "Cannot allocate memory" in error
    bench.label(1)
    monkeypatch.setattr(Failing, "fails", False)
    bench.label(2)
    assert bench.learned(2)["sentences"] == 2
    bench.close()


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
    last = bench.learned(3)["id"]
    for _ in range(3):
        found.append(len(bench.project.versions()))
        bench.close()
        bench = Benched(Project.open(tmp_path / "names.ptag"))
        assert bench.learned(3)["id"] == last
    bench.close()
    assert found == [last] * 3
