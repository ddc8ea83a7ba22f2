"""Labels, drafts, skipping, flags, comments and readings; keys and conflicts."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from perceptag.errors import ConflictError, DataError, PerceptagError, SettingError
from perceptag.project.project import Project
from perceptag.project.records import Entry
from projects import labels_of, make, put


@pytest.fixture
def project(tmp_path: Path):
    with make(tmp_path) as project:
        yield project
        assert project.check() == []


def test_a_label_is_there_at_once(project: Project) -> None:
    made = project.label(
        1, ["B-PER", "O", "B-LOC"], base=0, key="a", who="anna", seconds=2.5, actions=3, source="nbest:2", model="v1",
        proposal=["O", "O", "O"],
    )  # fmt: skip
    entry = project.sentence(1)
    assert (entry.status, entry.labels, entry.revision, entry.who) == ("labelled", ["B-PER", "O", "B-LOC"], 1, "anna")
    assert project.history(1) == [made]
    assert (made.seconds, made.actions, made.source, made.model) == (2.5, 3, "nbest:2", "v1")
    assert (made.proposal, made.base, made.step, made.kind, made.key) == (["O", "O", "O"], 0, 1, "label", "a")
    assert project.last_revision == 1


@pytest.mark.parametrize(
    ("labels", "message"),
    [
        (["O"], "expected one for each of 3 tokens, found 1"),
        ("OOO", "expected one for each of 3 tokens, found 3"),
        (None, "expected one for each of 3 tokens, found None"),
        (["O", "O", 3], "token 2: labels: expected a string, found 3"),
        (["O", "O", "B-PRE"], r"expected a label of the project \(LOC, PER; did you mean 'PER'\?\), found 'PRE'"),
        (["O", "O", "E-PER"], "expected O, B-… or I-…, found 'E-PER'"),
        (["O", "I-PER", "O"], "token 1: labels: expected IOB2, found a mistake: I-PER follows O"),
        (["B-LOC", "I-PER", "O"], "I-PER follows B-LOC"),
        ([None, "O", "O"], "expected a label for each token, found None"),
    ],
)
def test_labels_that_a_sentence_cannot_have(project: Project, labels: object, message: str) -> None:
    with pytest.raises(PerceptagError, match=message):
        project.label(1, labels, base=0, key="a", who="anna")  # type: ignore[arg-type]
    assert project.last_revision == 0


@pytest.mark.parametrize("number", [0, 6, -1, True, "1", None, 1 << 70])
def test_sentences_that_do_not_exist(project: Project, number: object) -> None:
    with pytest.raises(SettingError, match="expected the number of a sentence of the project"):
        project.label(number, ["O"], base=0, key="a", who="anna")  # type: ignore[arg-type]
    with pytest.raises(SettingError, match="expected the number of a sentence of the project"):
        project.sentence(number)  # type: ignore[arg-type]
    with pytest.raises(SettingError, match="expected the number of a sentence of the project"):
        project.flag(number, True, "b", "anna")  # type: ignore[arg-type]


def test_text_that_no_file_holds_is_refused(project: Project) -> None:
    for text, message in (("\ud800", "lone surrogate U\\+D800"), ("a\0", "NUL"), ("x" * 10_001, "at most 10000")):
        with pytest.raises(DataError, match=message):
            project.comment(1, text, "a", "anna")
    with pytest.raises(SettingError, match="who: expected a string"):
        project.comment(1, "x", "a", 3)  # type: ignore[arg-type]


def test_an_old_base_is_a_conflict(project: Project) -> None:
    put(project, 1, "PER", "a")
    message = "sentence 1: expected revision 0, found revision 1 by 'anna'"
    with pytest.raises(ConflictError, match=message) as caught:
        project.label(1, ["O", "O", "O"], base=0, key="b", who="ben")
    assert isinstance(caught.value.entry, Entry)
    assert caught.value.entry == project.sentence(1)
    with pytest.raises(ConflictError):
        project.skip(1, 0, "c", "ben")
    assert project.last_revision == 1


def test_the_same_key_writes_once(project: Project) -> None:
    labels = ["B-PER", "O", "O"]
    first = project.label(1, labels, base=0, key="a", who="anna")
    assert project.label(1, labels, base=0, key="a", who="anna") == first
    skipped = project.skip(2, 0, "b", "anna")
    assert project.skip(2, 0, "b", "anna") == skipped
    flagged = project.flag(2, True, "c", "anna")
    assert project.flag(2, True, "c", "anna") == flagged
    said = project.comment(2, "why?", "d", "anna")
    assert project.comment(2, "why?", "d", "anna") == said
    read = project.label(1, labels, base=1, key="f", who="ben", reading=True)
    assert project.label(1, labels, base=1, key="f", who="ben", reading=True) == read
    assert project.last_revision == 5


def test_a_key_is_for_one_change(project: Project) -> None:
    put(project, 1, "PER", "a")
    for change in (
        lambda: put(project, 2, "PER", "a"),
        lambda: project.label(1, ["O", "O", "O"], base=1, key="a", who="ben"),
        lambda: project.flag(1, True, "a", "anna"),
        lambda: project.undo("anna", "a"),
    ):
        with pytest.raises(SettingError, match="key: expected a new one for each change"):
            change()
    assert project.last_revision == 1


def test_flags_and_comments_do_not_disturb_labels(project: Project) -> None:
    project.flag(1, True, "a", "ben")
    project.comment(1, "odd", "b", "ben")
    project.comment(1, "indeed", "c", "anna")
    put(project, 1, "PER", "d")
    entry = project.sentence(1)
    assert (entry.flagged, entry.comments, entry.revision) == (True, 2, 4)
    assert [(c.who, c.text) for c in project.comments(1)] == [("ben", "odd"), ("anna", "indeed")]
    project.flag(1, False, "e", "ben")
    assert not project.sentence(1).flagged


def test_a_reading_does_not_change_the_labels(project: Project) -> None:
    put(project, 1, "PER", "a")
    assert project.next_of("second", who="anna") == []
    assert project.next_of("second", who="ben") == [1]
    project.label(1, ["O", "O", "B-LOC"], base=0, key="b", who="ben", reading=True)
    assert project.sentence(1).labels == ["B-PER", "O", "O"]
    assert project.next_of("second", who="ben") == []
    (found,) = project.readings()
    assert (found.first, found.labels) == ("anna", ["B-PER", "O", "O"])
    assert (found.second, found.reading) == ("ben", ["O", "O", "B-LOC"])
    project.undo("ben", "c")
    assert project.readings() == []
    assert project.next_of("second", who="ben") == [1]
    project.redo("ben", "d")
    assert len(project.readings()) == 1


def test_of_two_writers_one_wins(project: Project) -> None:
    ready, won, lost = threading.Barrier(8), [], []

    def write(name: str) -> None:
        labels = labels_of(project, 1)
        ready.wait()
        try:
            won.append(project.label(1, labels, base=0, key=name, who=name).who)
        except ConflictError as error:
            lost.append(error.entry)

    threads = [threading.Thread(target=write, args=(f"w{n}",)) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(won) == 1
    assert len(lost) == 7
    assert {entry.who for entry in lost} == set(won)


def test_a_key_does_not_come_again_with_something_else(project: Project) -> None:
    put(project, 1, "PER", "a")
    project.label(1, ["O", "O", "O"], base=1, key="b", who="ben", reading=True)
    project.comment(2, "why?", "c", "anna")
    for change in (
        lambda: project.label(1, ["O", "O", "O"], base=0, key="a", who="anna"),
        lambda: project.label(1, ["B-PER", "O", "O"], base=1, key="b", who="ben", reading=True),
        lambda: project.comment(2, "because", "c", "anna"),
    ):
        with pytest.raises(SettingError, match="key: expected a new one for each change"):
            change()
    assert project.sentence(1).labels == ["B-PER", "O", "O"]
    assert project.last_revision == 3


def test_only_what_somebody_else_labelled_is_read_again(project: Project) -> None:
    put(project, 1, "PER", "a", who="anna")
    for number, who, found in ((1, "anna", "those of 'anna'"), (2, "ben", "none")):
        with pytest.raises(ConflictError, match=f"sentence {number}: expected labels of another .*found {found}"):
            project.label(number, labels_of(project, number), base=0, key="b", who=who, reading=True)
    assert project.readings() == []
