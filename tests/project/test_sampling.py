"""The random order, and what comes next."""

from __future__ import annotations

from pathlib import Path

import pytest

from perceptag.project.project import Project
from projects import TEXT, make, put


@pytest.fixture
def project(tmp_path: Path):
    with make(tmp_path) as project:
        yield project
        assert project.check() == []


def by_rank(project: Project) -> list[int]:
    return [e.id for e in sorted(project.find()[1], key=lambda e: e.rank)]


def test_the_random_order_is_fixed_by_the_seed_and_the_file(tmp_path: Path) -> None:
    orders = []
    for seed, text in ((1, TEXT), (1, TEXT), (2, TEXT), (1, TEXT + b"\n")):
        (tmp_path / str(len(orders))).mkdir()
        path = tmp_path / str(len(orders)) / "p.ptag"
        with Project.create(path, kind="spans", seed=seed) as project:
            project.import_file(text, name="x", columns=["form", "pos"])
            orders.append([entry.rank for entry in project.find()[1]])
    assert orders[0] == orders[1]
    assert orders[0] != orders[2]
    assert orders[0] != orders[3]


def test_the_next_sentences(project: Project) -> None:
    order = by_rank(project)
    assert project.next_of("random", limit=9) == order
    assert project.next_of("random", exclude=order[:2]) == [order[2]]
    assert project.next_of("order", limit=2) == [1, 2]
    assert project.next_of("drafts") == []
    put(project, order[0], "PER", "a")
    project.skip(order[1], 0, "b", "anna")
    assert project.next_of("random") == [order[2]]
    assert project.next_of("random", exclude=order) == []


def test_only_the_beginning_of_the_random_order_is_a_sample(project: Project) -> None:
    order = by_rank(project)
    put(project, order[2], "PER", "a")  # chosen, while two before it are open
    assert [one.in_sample for one in project.log()] == [False]
    put(project, order[0], "PER", "b")
    assert {one.sentence_id: one.in_sample for one in project.log()} == {order[2]: False, order[0]: True}
    project.skip(order[1], 0, "c", "anna")
    assert {one.in_sample for one in project.log()} == {True}
    assert project.counts().random == 2


def test_the_sample_is_that_of_each_source(project: Project) -> None:
    for n, number in enumerate(by_rank(project)):
        put(project, number, "PER", f"k{n}")
    project.import_file(b"More\nwords\n", name="more.txt")
    assert project.counts().random == 5
    assert all(one.in_sample for one in project.log())


def test_the_log_has_what_training_needs(project: Project) -> None:
    put(project, 4, "PER", "a")
    put(project, 1, "PER", "b")
    put(project, 4, "LOC", "c")
    first, second = project.log()
    assert (first.sentence_id, first.tokens, first.columns) == (4, ["Peter", "left"], {"pos": ["NNP", "VBD"]})
    assert (first.labels, first.first_revision, first.revision) == (["B-LOC", "O"], 1, 3)
    assert second.sentence_id == 1
    assert project.log(2)[0].labels == ["B-PER", "O"]
    assert project.log(0) == []
    assert [one.labels[0] for one in project.log()] == ["B-LOC", "B-PER"]


def test_finding_sentences(project: Project) -> None:
    put(project, 1, "PER", "a")
    put(project, 3, "LOC", "b")
    project.flag(4, True, "c", "anna")

    def found(**wanted: object) -> list[int]:
        total, entries = project.find(**wanted)  # type: ignore[arg-type]
        assert total == len(entries)
        return [entry.id for entry in entries]

    assert found() == [1, 2, 3, 4, 5]
    assert found(status="labelled") == [1, 3]
    assert found(status="new", flagged=False) == [2, 5]
    assert found(flagged=True) == [4]
    assert found(label="LOC") == [3]
    assert found(label="ORG") == []
    assert found(text="rome SLEPT") == [3]
    assert found(text="left") == [1, 4]
    assert found(text='"') == []
    assert found(source=1, text="left", status="new") == [4]
    assert found(source=2) == []
    assert found(order="recent")[:2] == [3, 1]
    assert found(order="random") == by_rank(project)
    assert project.find(1, 2)[0] == 5
    assert [entry.id for entry in project.find(1, 2)[1]] == [2, 3]
