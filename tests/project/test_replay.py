"""Whatever people do, in whatever order: the state is that of the revisions, repeated from the first."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from perceptag.errors import ConflictError
from perceptag.project.project import Project
from perceptag.project.records import chained, digest
from projects import labels_of, make
from reference import revisions as reference

LABELLED = b"Rome NNP B-LOC\nburned VBD O\n\nShe PRP _\nleft VBD O\n\nHe PRP O\nleft VBD O\n"

PEOPLE = st.sampled_from(["anna", "ben"])
SENTENCES = st.integers(1, 8)
MARKS = st.sampled_from(["PER", "LOC", "O"])
ACTIONS = st.lists(
    st.one_of(
        st.tuples(st.just("label"), PEOPLE, SENTENCES, MARKS),
        st.tuples(st.just("reading"), PEOPLE, SENTENCES, MARKS),
        st.tuples(st.sampled_from(["skip", "unskip", "flag", "unflag", "comment"]), PEOPLE, SENTENCES, MARKS),
        st.tuples(st.sampled_from(["undo", "redo", "undo", "redo"]), PEOPLE, SENTENCES, MARKS),
    ),
    max_size=25,
)


@pytest.fixture(scope="module")
def start(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("start")
    with make(folder) as project:
        project.import_file(LABELLED, name="labelled.txt", columns=["form", "pos", "ner"])
    return folder / "p.ptag"


@contextmanager
def copied(path: Path) -> Iterator[Project]:
    with TemporaryDirectory() as folder:
        copy = shutil.copy(path, Path(folder) / "p.ptag")
        with Project.open(copy) as project:
            yield project


def act(project: Project, action: tuple[str, str, int, str], keys: Iterator[int]) -> None:
    what, who, on, mark = action
    key = f"k{next(keys)}"
    base = project.sentence(on).revision
    match what:
        case "label" | "reading":
            labels = labels_of(project, on, mark)
            entry = project.sentence(on)
            if what == "reading" and (entry.status != "labelled" or entry.who == who):
                with pytest.raises(ConflictError):
                    project.label(on, labels, base=base, key=key, who=who, reading=True)
                return
            project.label(on, labels, base=base, key=key, who=who, reading=what == "reading")
        case "skip":
            project.skip(on, base, key, who)
        case "unskip":
            project.unskip(on, base, key, who)
        case "flag" | "unflag":
            project.flag(on, what == "flag", key, who)
        case "comment":
            project.comment(on, mark, key, who)
        case "undo" | "redo":
            undo_or_redo(project, what, who, key)


def undo_or_redo(project: Project, what: str, who: str, key: str) -> None:
    done, undone = reference.stacks(log_of(project), who)
    expected = (done if what == "undo" else undone)[-1:]
    before = project.last_revision
    try:
        found = (project.undo if what == "undo" else project.redo)(who, key)
    except ConflictError:
        assert expected
        assert project.last_revision == before
    else:
        last = found.step if found else 0
        assert not found or found.step in done + undone
        if what == "undo":
            assert all(step in project._passed for step in done if step > last)
        else:
            assert [found.step] == expected if found else not expected


def log_of(project: Project) -> list[reference.PlainRevision]:
    numbers = [entry.id for entry in project.find(limit=1000)[1]]
    found = [r for number in numbers for r in project.history(number, limit=1000)]
    return [
        reference.PlainRevision(r.id, r.sentence, r.who, r.kind, r.labels, r.draft, r.step, r.undoes)
        for r in sorted(found, key=lambda r: r.id)
    ]


def expected_log(
    project: Project, revisions: list[reference.PlainRevision]
) -> list[tuple[int, list[str] | None, bool]]:
    """What `Project.log` should return after these revisions."""
    states = reference.states(revisions)
    entries = project.find(limit=1000)[1]
    sample = reference.random_sample(
        [(e.id, e.source, e.rank, states.get(e.id, reference.SentenceState())) for e in entries]
    )
    first: dict[int, int] = {}
    for revision in revisions:
        if revision.kind in ("import", "label") and revision.labels is not None:
            first.setdefault(revision.sentence, revision.id)
    numbers = [n for n, state in states.items() if state.status == "labelled"]
    return [(n, states[n].labels, n in sample) for n in sorted(numbers, key=lambda n: first[n])]


def shown(project: Project, upto: int | None = None) -> list[tuple[int, list[str] | None, bool]]:
    return [(one.sentence_id, one.labels, one.in_sample) for one in project.log(upto)]


def check_counts(project: Project) -> None:
    counts, entries = project.counts(), project.find(limit=1000)[1]
    found = {status: sum(e.status == status for e in entries) for status in ("new", "labelled", "skipped")}
    assert (counts.left, counts.labelled, counts.skipped) == tuple(found.values())
    assert counts.sentences == len(entries)
    assert counts.flagged == sum(entry.flagged for entry in entries)
    assert counts.drafts == sum(entry.draft is not None and entry.status == "new" for entry in entries)
    assert counts.random == sum(one.in_sample for one in project.log())


@given(ACTIONS, st.integers(0, 30))
def test_the_state_is_that_of_the_revisions(start: Path, actions: list[tuple[str, str, int, str]], upto: int) -> None:
    with copied(start) as project:
        keys = count()
        for action in actions:
            act(project, action, keys)
        log = log_of(project)
        states = reference.states(log)
        for entry in project.find(limit=1000)[1]:
            state = states.get(entry.id, reference.SentenceState())
            assert (entry.status, entry.labels, entry.draft) == (state.status, state.labels, state.draft)
            assert (entry.flagged, entry.comments) == (state.flagged, state.comments)
        read = {n: state.readings for n, state in states.items() if state.readings and state.status == "labelled"}
        found: dict[int, list[object]] = {}
        for one in project.readings():
            found.setdefault(one.sentence_id, []).append((one.second, one.reading))
        assert found == read
        assert shown(project) == expected_log(project, log)
        check_counts(project)
        upto = max((r.id for r in log if r.step <= upto), default=0)  # steps are whole
        assert shown(project, upto) == expected_log(project, [r for r in log if r.id <= upto])
        assert project.check() == []
        before = project.find(limit=1000)
        project.rebuild()
        assert project.find(limit=1000) == before
        assert project.check() == []


@given(ACTIONS)
def test_undo_and_then_redo_change_nothing(start: Path, actions: list[tuple[str, str, int, str]]) -> None:
    with copied(start) as project:
        keys = count()
        for action in actions:
            act(project, action, keys)
        before = [(e.status, e.labels, e.draft, e.flagged) for e in project.find(limit=1000)[1]]
        try:
            undone = project.undo("anna", "undo")
        except ConflictError:
            return
        if undone is None:
            return  # an earlier step may be redone then, and may meet a change of another person
        redone = project.redo("anna", "redo")
        assert redone is not None
        assert (redone.step, redone.sentences) == (undone.step, undone.sentences)
        after = [(e.status, e.labels, e.draft, e.flagged) for e in project.find(limit=1000)[1]]
        assert after == before


def test_digests_of_rows_are_those_of_the_files_that_exist() -> None:
    row = (1, "a", None, ["B-PER", "O"])
    first = chained(b"", row)
    assert first.hex() == "f6279113c9c57936e221544d855bc6de"
    assert chained(first, row).hex() == "2ffd08814c17b54caa1dc5d4a22205b9"
    assert digest(row).hex() == "b42633cc0db93ca8"
