"""The project file: made, opened, locked, refused, copied and checked."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from perceptag.errors import ProjectError, SettingError
from perceptag.project import schema
from perceptag.project.project import Project
from perceptag.system.platform import open_files as files
from projects import make, put


def test_what_is_written_is_there_again(tmp_path: Path) -> None:
    with make(tmp_path) as project:
        project.set_setting("random_share", 0.2)
        project.add_label("ORG", "o")
        put(project, 1, "PER", "a")
        labels, before = project.labels(), project.entries([1, 2, 3])
    with Project.open(tmp_path / "p.ptag") as project:
        assert (project.kind, project.column, project.seed) == ("spans", "ner", 7)
        assert project.settings == {"random_share": 0.2}
        assert project.labels() == labels
        assert [(entry.name, entry.key) for entry in labels] == [("PER", "1"), ("LOC", "2"), ("ORG", "o")]
        assert project.entries([1, 2, 3]) == before


def test_only_its_owner_can_read_a_project_and_its_copies(tmp_path: Path) -> None:
    before = os.umask(0o022)
    try:
        with make(tmp_path) as project:
            put(project, 1, "PER", "a")
            project.backup(tmp_path / "copy.ptag")
            found = {path.name: path.stat().st_mode & 0o777 for path in tmp_path.iterdir() if path.is_file()}
        found[project.backup_path.name] = project.backup_path.stat().st_mode & 0o777
    finally:
        os.umask(before)
    assert len(found) >= 4 and set(found.values()) == {0o600}, found


def test_a_project_is_not_made_over_a_file(tmp_path: Path) -> None:
    (tmp_path / "p.ptag").write_bytes(b"precious")
    with pytest.raises(ProjectError, match="expected a new project, found a file of this name"):
        make(tmp_path)
    assert (tmp_path / "p.ptag").read_bytes() == b"precious"
    assert [p.name for p in tmp_path.iterdir()] == ["p.ptag"]


def test_bad_arguments_leave_no_file(tmp_path: Path) -> None:
    for arguments in (
        {"kind": "trees"}, {"kind": "spans", "labels": ["A B"]}, {"kind": "tags", "column": ""},
        {"kind": "spans", "labels": "PER"}, {"kind": "spans", "seed": -1}, {"kind": "spans", "settings": {"x": {1}}},
    ):  # fmt: skip
        with pytest.raises(SettingError):
            Project.create(tmp_path / "p.ptag", **arguments)  # type: ignore[arg-type]
    assert not list(tmp_path.iterdir())


def test_a_project_is_open_once(tmp_path: Path) -> None:
    with make(tmp_path):
        with pytest.raises(ProjectError, match=rf"not open elsewhere, found it open in process {os.getpid()}"):
            Project.open(tmp_path / "p.ptag")
        code = "import sys; from perceptag.project.project import Project; Project.open(sys.argv[1])"
        done = subprocess.run(
            [sys.executable, "-c", code, tmp_path / "p.ptag"], capture_output=True, text=True, check=False
        )
        assert f"found it open in process {os.getpid()}" in done.stderr
    Project.open(tmp_path / "p.ptag").close()


def test_the_lock_of_a_dead_process_does_not_matter(tmp_path: Path) -> None:
    make(tmp_path).close()
    code = (
        "import os, sys; from perceptag.project.project import Project;"
        "p = Project.open(sys.argv[1]); print('open', flush=True); os.kill(os.getpid(), 9)"
    )
    subprocess.run([sys.executable, "-c", code, tmp_path / "p.ptag"], capture_output=True, check=False)
    assert (tmp_path / "p.ptag.lock").exists()
    Project.open(tmp_path / "p.ptag").close()
    assert not (tmp_path / "p.ptag.lock").exists()


def test_other_files_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.ptag"
    with pytest.raises(ProjectError, match="expected a project file, found nothing"):
        Project.open(path)
    with pytest.raises(ProjectError, match="expected a project file, found a folder"):
        Project.open(tmp_path)
    path.touch()
    with pytest.raises(ProjectError, match="found an empty file"):
        Project.open(path)
    path.write_bytes(b"text " * 50)
    with pytest.raises(ProjectError, match="found another kind of file"):
        Project.open(path)
    path.unlink()
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE x (y)")
    connection.close()
    with pytest.raises(ProjectError, match="found another SQLite database"):
        Project.open(path)


def test_a_newer_version_is_refused(tmp_path: Path) -> None:
    make(tmp_path).close()
    connection = sqlite3.connect(tmp_path / "p.ptag")
    connection.execute(f"PRAGMA user_version={schema.VERSION + 1}")
    connection.close()
    with pytest.raises(ProjectError, match="expected a project file of version 1, found version 2"):
        Project.open(tmp_path / "p.ptag")


def test_network_file_systems_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    mounts = tmp_path / "mounts"
    mounts.write_text(f"/dev/sda / ext4 rw 0 0\nserver:/x {tmp_path} nfs4 rw 0 0\n")
    monkeypatch.setattr(files, "_MOUNTS", mounts)
    with pytest.raises(ProjectError, match=r"expected a local disk, found a network file system \(nfs4\)"):
        make(tmp_path)


def test_a_closed_project_says_so(tmp_path: Path) -> None:
    project = make(tmp_path)
    project.close()
    project.close()
    with pytest.raises(ProjectError, match="expected an open project, found a closed one"):
        project.sentence(1)
    with pytest.raises(ProjectError, match="expected an open project, found a closed one"):
        put(project, 1, "PER", "a")


def test_rows_are_only_added(tmp_path: Path) -> None:
    with make(tmp_path) as project:
        put(project, 1, "PER", "a")
    connection = sqlite3.connect(tmp_path / "p.ptag")
    for table in schema.KEPT:
        with pytest.raises(sqlite3.IntegrityError, match="rows are only added"):
            connection.execute(f"DELETE FROM {table}")
        column = connection.execute(f"SELECT * FROM {table}").description[0][0]
        with pytest.raises(sqlite3.IntegrityError, match="rows are only added"):
            connection.execute(f"UPDATE {table} SET {column} = 9")
    connection.close()


def put_back(connection: sqlite3.Connection, *guards: str) -> None:
    """Make guards again that were dropped."""
    for statement in schema.SCHEMA.split(";\n"):
        if any(f"TRIGGER {guard} " in statement for guard in guards):
            connection.execute(statement)


def test_tables_that_are_not_those_of_a_project_are_refused(tmp_path: Path) -> None:
    make(tmp_path).close()
    connection = sqlite3.connect(tmp_path / "p.ptag", isolation_level=None)
    connection.execute("CREATE TRIGGER spy AFTER INSERT ON revision BEGIN DELETE FROM words; END")
    connection.close()
    with pytest.raises(ProjectError, match="damaged: its tables are not those of a project"):
        Project.open(tmp_path / "p.ptag")


def test_a_changed_label_is_found_even_without_the_guards(tmp_path: Path) -> None:
    with make(tmp_path) as project:
        put(project, 1, "PER", "a")
        put(project, 2, "PER", "b")
    connection = sqlite3.connect(tmp_path / "p.ptag", isolation_level=None)
    connection.execute("DROP TRIGGER revision_is_not_updated")
    connection.execute("UPDATE revision SET labels = ? WHERE id = 1", (json.dumps(["O", "O", "O"]),))
    put_back(connection, "revision_is_not_updated")
    connection.close()
    with pytest.raises(ProjectError, match="the project file is damaged: revision 1: it is not as it was written"):
        Project.open(tmp_path / "p.ptag")


def test_check_finds_what_is_derived_wrongly_and_rebuild_mends_it(tmp_path: Path) -> None:
    with make(tmp_path) as project:
        put(project, 1, "PER", "a")
        assert project.check() == []
    connection = sqlite3.connect(tmp_path / "p.ptag", isolation_level=None)
    connection.execute("UPDATE current SET status = 'new' WHERE sentence = 1")
    connection.execute("UPDATE words SET folded = 'x' WHERE sentence = 2")
    connection.execute("DELETE FROM step")
    connection.close()
    with Project.open(tmp_path / "p.ptag") as project:
        assert project.check() == [
            "sentence 2: its text for searching is not that of its tokens",
            "sentence 1: its state is not that of its revisions",
            "the steps that can be undone are not those of the revisions",
        ]
        project.rebuild()
        assert project.check() == []
        assert project.sentence(1).status == "labelled"


def test_an_error_that_comes_from_damage_says_so(tmp_path: Path) -> None:
    with make(tmp_path) as project:
        put(project, 1, "PER", "a")
    connection = sqlite3.connect(tmp_path / "p.ptag", isolation_level=None)
    connection.execute("UPDATE current SET revision = 99 WHERE sentence = 1")
    connection.close()
    with Project.open(tmp_path / "p.ptag") as project:
        for use in (project.log, lambda: project.skip(1, 99, "b", "anna")):
            with pytest.raises(ProjectError, match="damaged: sentence 1: its state is not that of its revisions"):
                use()


def test_check_finds_changed_sentences_and_bytes(tmp_path: Path) -> None:
    make(tmp_path).close()
    connection = sqlite3.connect(tmp_path / "p.ptag", isolation_level=None)
    for table in ("sentence", "origin"):
        connection.execute(f"DROP TRIGGER {table}_is_not_updated")
    connection.execute("UPDATE sentence SET document = 9 WHERE id = 1")
    connection.execute("UPDATE origin SET raw = X'41' WHERE sentence = 2")
    put_back(connection, "sentence_is_not_updated", "origin_is_not_updated")
    connection.close()
    with Project.open(tmp_path / "p.ptag") as project:
        assert project.check() == [
            "source 1: its sentences are not the file that was imported",
            "sentence 1: it is not as it was written",
        ]


def test_a_backup_is_a_project(tmp_path: Path) -> None:
    with make(tmp_path) as project:
        put(project, 1, "PER", "a")
        project.backup(tmp_path / "copy.ptag")
        put(project, 2, "PER", "b")
        with pytest.raises(ProjectError, match="expected a file for the copy, found the project itself"):
            project.backup(tmp_path / "p.ptag")
        with pytest.raises(ProjectError, match="cannot read or write"):
            project.backup(tmp_path / "nowhere" / "copy.ptag")
    with Project.open(tmp_path / "copy.ptag") as copy:
        assert [entry.status for entry in copy.entries([1, 2])] == ["labelled", "new"]
        assert copy.check() == []


def test_a_backup_is_made_at_the_end_and_once_a_day(tmp_path: Path) -> None:
    project = make(tmp_path)
    assert not project.backup_path.exists()
    assert project.backup_if_due()
    assert not project.backup_if_due()
    os.utime(project.backup_path, (0, 0))
    assert project.backup_if_due()
    project.close()
    size = project.backup_path.stat().st_size
    with Project.open(project.path) as project:
        put(project, 1, "PER", "a")
    with Project.open(project.backup_path) as copy:
        assert copy.sentence(1).status == "labelled"
    assert size


def test_a_damaged_project_names_its_copy_only_if_there_is_one(tmp_path: Path) -> None:
    with make(tmp_path) as project:
        path, copy = project.path, project.backup_path
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE x (a)")
    message = f"{path}: the project file is damaged: its tables are not those of a project"
    with pytest.raises(ProjectError) as told:
        Project.open(path)
    assert str(told.value) == f"{message}; p.ptag.backup next to it is its last copy"
    copy.unlink()
    with pytest.raises(ProjectError) as told:
        Project.open(path)
    assert str(told.value) == message


def test_events_and_versions(tmp_path: Path) -> None:
    with make(tmp_path) as project:
        project.record("looked", "anna", {"score": 0.5})
        assert [(e.who, e.data) for e in project.events("looked")] == [("anna", {"score": 0.5})]
        made = [project.add_version(f"sha256:{n}", n, sentences=n) for n in (1, 2)]
        assert project.versions() == made
        assert [version.id for version in made] == [1, 2]
        with pytest.raises(SettingError, match="data: expected values that JSON can hold"):
            project.record("x", "anna", {1, 2})
        with pytest.raises(SettingError, match="data: expected values that JSON can hold"):
            project.set_setting("x", float("nan"))


def test_a_new_project_leaves_the_copy_of_a_lost_one(tmp_path: Path) -> None:
    with make(tmp_path) as project:
        put(project, 1, "PER", "a")
    (tmp_path / "p.ptag").unlink()
    copy = (tmp_path / "p.ptag.backup").read_bytes()
    with pytest.raises(ProjectError, match=r"found p\.ptag\.backup; .*copy p\.ptag\.backup to p\.ptag; .*move it away"):
        make(tmp_path)
    assert [p.name for p in tmp_path.iterdir()] == ["p.ptag.backup"]
    assert (tmp_path / "p.ptag.backup").read_bytes() == copy


def test_the_copy_of_another_project_is_not_written_over(tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    make(tmp_path / "other").close()
    project = make(tmp_path)
    copy = shutil.copy(tmp_path / "other" / "p.ptag.backup", project.backup_path).read_bytes()
    with pytest.raises(ProjectError, match=r"expected the copy of p\.ptag, found that of another project"):
        project.close()
    assert project.backup_path.read_bytes() == copy
    Project.open(tmp_path / "p.ptag").close()


def test_an_abandoned_project_leaves_nothing(tmp_path: Path) -> None:
    make(tmp_path).abandon()
    assert not list(tmp_path.iterdir())


def test_a_file_with_two_names_is_refused(tmp_path: Path) -> None:
    with make(tmp_path):
        os.link(tmp_path / "p.ptag", tmp_path / "q.ptag")
        with pytest.raises(ProjectError, match=r"q\.ptag: expected a file with one name, found one with 2"):
            Project.open(tmp_path / "q.ptag")
