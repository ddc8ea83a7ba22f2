"""``perceptag annotate`` without a server: projects begun, filled, exported, copied and checked."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from command_line import run, succeed
from perceptag.project.project import Project

SPANS = "Rome B-LOC\nis O\n\nAnna B-PER\nSmith I-PER\n"
TAGS = "the DT\ndog NN\n"


@pytest.fixture
def files(tmp_path: Path) -> Path:
    (tmp_path / "spans.txt").write_text(SPANS)
    (tmp_path / "tags.txt").write_text(TAGS)
    (tmp_path / "words.txt").write_text("Oslo\nsleeps\n")
    (tmp_path / "running.txt").write_text("Peter lives in Paris. He likes it.\n")
    return tmp_path


def test_a_file_with_labels_begins_a_project_and_comes_back_as_it_was(files: Path) -> None:
    words = ("--import", files / "spans.txt", "--columns", "form,ner", "--label", "ner")
    done = succeed("annotate", files / "p.ptag", *words, "--export", files / "out.txt", "--status", "all")
    assert "2 sentences, 2 of them labelled" in done.err
    assert f"{files / 'out.txt'}: 2 sentences\n" in done.err  # what was written
    assert (files / "out.txt").read_text() == SPANS
    with Project.open(files / "p.ptag") as project:
        assert project.kind == "spans" and [label.name for label in project.labels()] == ["LOC", "PER"]


MISC = "1\tRome\t_\t_\t_\t_\t_\t_\t_\tLABEL=B-LOC\n2\tis\t_\t_\t_\t_\t_\t_\t_\tLABEL=O\n\n"
LINES = '{"tokens": ["Rome", "is"], "labels": ["B-LOC", "O"]}\n'


@pytest.mark.parametrize(("name", "content"), [("some.txt", SPANS), ("some.conllu", MISC), ("some.jsonl", LINES)])
@pytest.mark.parametrize("named", [(), ("--label", "label")])
def test_a_new_project_finds_the_labels_of_its_file_as_train_does(
    tmp_path: Path, name: str, content: str, named: tuple[str, ...]
) -> None:
    file, out = tmp_path / name, tmp_path / f"out.{name}"
    file.write_text(content)
    succeed("annotate", tmp_path / "p.ptag", "--import", file, *named, "--export", out)
    assert out.read_text() == content
    with Project.open(tmp_path / "p.ptag") as project:
        assert project.kind == "spans" and project.labels()[0].name == "LOC"


def test_the_same_command_a_second_time_imports_nothing_and_still_exports(files: Path) -> None:
    words = ("--import", files / "spans.txt", "--import", files / "spans.txt", "--export", files / "out.txt")
    first = succeed("annotate", files / "p.ptag", *words)
    known = f"{files / 'spans.txt'}: in the project already, so it is not imported again\n"
    assert "2 sentences, 2 of them labelled" in first.err and first.err.count(known) == 1
    second = succeed("annotate", files / "p.ptag", *words)
    assert second.err == known * 2 + f"{files / 'out.txt'}: 2 sentences\n"
    assert (files / "out.txt").read_text() == SPANS
    with Project.open(files / "p.ptag") as project:
        assert project.counts().sentences == 2


def test_more_files_and_labels_come_later(files: Path) -> None:
    begin = ("--labels", "PER,LOC", "--columns", "form", "--import", files / "words.txt")
    succeed("annotate", files / "p.ptag", *begin, "--export", files / "none.txt", "--status", "all")
    more = ("--labels", "ORG", "--import", files / "spans.txt", "--columns", "form,label", "--label", "label")
    succeed("annotate", files / "p.ptag", *more, "--export", files / "all.txt", "--status", "all")
    with Project.open(files / "p.ptag") as project:
        assert [label.name for label in project.labels()] == ["PER", "LOC", "ORG"]
        assert project.counts().sentences == 3


def test_a_copy_and_a_check(files: Path) -> None:
    project, copy = files / "p.ptag", files / "copy.ptag"
    succeed("annotate", project, "--labels", "A", "--import", files / "words.txt", "--export", files / "x.txt")
    succeed("annotate", project, "--backup", copy)
    assert succeed("annotate", copy, "--check").out == f"{copy}: no damage found\n"
    data = bytearray(copy.read_bytes())
    place = data.index(b"sleeps")
    data[place : place + 6] = b"SLEEPS"
    copy.write_bytes(bytes(data))
    assert run("annotate", copy, "--check").status in (1, 2)


def test_the_project_its_copy_and_imported_text_are_not_written_over(files: Path) -> None:
    project, text = files / "p.ptag", files / "running.txt"
    succeed("annotate", project, "--labels", "A", "--import", text, "--format", "text", "--export", files / "x.txt")
    succeed("annotate", files / "other.ptag", "--labels", "A", "--import", files / "words.txt", "--export", "-")
    before = {path: path.read_bytes() for path in files.iterdir() if path.name != "x.txt"}
    read, words = "is also an input; writing it would destroy it", files / "words.txt"
    for option, target, says in (
        ("--export", project, read),
        ("--export", files / "p.ptag.backup", read),
        ("--export", text, "expected a new file or a column file to replace, found plain text"),
        ("--backup", text, "expected a new file or a project to replace, found plain text"),
        ("--backup", words, "expected a new file or a project to replace, found a column file"),
        ("--backup", files / "other.ptag", "found that of another project"),
    ):
        done = run("annotate", project, option, target)
        assert done.status == 2 and str(target) in done.err and says in done.err, (option, target, done.err)
    done = run("annotate", project, "--export", text, "--overwrite")
    assert done.status == 2 and f"{text}: expected a file for the labels, found a file that was imported" in done.err
    assert {path: path.read_bytes() for path in before} == before
    succeed("annotate", project, "--export", files / "x.txt", "--status", "all")
    succeed("annotate", project, "--backup", files / "copy.ptag")
    succeed("annotate", project, "--backup", files / "copy.ptag")


@pytest.mark.parametrize(
    "words",
    [
        ["--labels", "A,A"],
        ["--labels", "A", "--import", "nothing.txt"],
        ["--labels", "A", "--model", "xx"],
        ["--labels", "A", "--model", "en:none"],
        ["--labels", "A", "--recipe", "xx"],
        ["--labels", "A", "--classes", "nothing"],
        ["--check"],
        ["--backup", "copy"],
        ["--import", "words.txt", "--columns", "form"],
    ],
)
def test_what_cannot_be_begins_no_project(files: Path, monkeypatch: pytest.MonkeyPatch, words: list[str]) -> None:
    monkeypatch.chdir(files)
    assert run("annotate", "p.ptag", *words).status == 2
    assert not (files / "p.ptag").exists() and not (files / "p.ptag.tokens").exists()


def test_only_a_server_needs_the_packages_of_one(files: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("httptools", "starlette", "uvicorn"):
        monkeypatch.setitem(sys.modules, name, None)  # it cannot be imported
    project = files / "p.ptag"
    succeed("annotate", project, "--labels", "A", "--import", files / "words.txt", "--export", files / "x.txt")
    succeed("annotate", project, "--backup", files / "copy.ptag")
    succeed("annotate", project, "--check")
    refused = run("annotate", project)
    assert refused.status == 2 and "annotate: the package 'httptools' is missing" in refused.err


# --- what a project keeps of its files ---


def exported(folder: Path, files: dict[str, str], name: str, *options: str) -> str:
    """Import files, export them, and return what was written."""
    for file, text in files.items():
        (folder / file).write_text(text)
    imports = [argument for file in files for argument in ("--import", str(folder / file))]
    succeed("annotate", folder / "p.ptag", *imports, *options, "--export", folder / name, "--status", "all")
    return (folder / name).read_text()


def test_comments_are_not_sentences_to_annotate(tmp_path: Path) -> None:
    text = "# id 7\nAnn B-PER\nsaw O\n\n# id 8\nRome B-LOC\n"
    assert exported(tmp_path, {"a.txt": text}, "back.txt", "--comment", "# id") == text


@pytest.mark.parametrize("ending", ["conllu", "txt", "parquet"])
def test_exports_are_those_of_convert_and_name_what_has_no_place(ending: str, tmp_path: Path) -> None:
    source = tmp_path / "a.jsonl"
    record = {"id": 7, "text": "Anna Berg left.Then ran.", "label": [[0, 9, "PER"]], "source": "a.pdf"}
    source.write_text(json.dumps(record) + "\n")
    told = succeed("annotate", tmp_path / "p.ptag", "--import", source, "--export", tmp_path / f"a.{ending}").err
    same = succeed("convert", source, tmp_path / f"b.{ending}").err
    note = next(line for line in told.splitlines() if "has no place for it" in line)
    assert "the key 'source'" in note and note in same
    if ending != "parquet":
        assert (tmp_path / f"a.{ending}").read_text() == (tmp_path / f"b.{ending}").read_text()


def test_running_text_is_recognised(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("Ada Lovelace met Bob in Rome. She is fine.\nWe met Ada in London.\n")
    (tmp_path / "words.txt").write_text("Ada B-PER\n\nBob B-PER\n\nRome O\n\n")
    (tmp_path / "many.txt").write_text("Ada a b c d e f g h B-PER\n" * 15 + "sings a b c d e f g O\n")
    begin = ("--labels", "PER", "--status", "all", "--export")
    done = succeed("annotate", tmp_path / "a.ptag", "--import", tmp_path / "notes.txt", *begin, tmp_path / "a.jsonl")
    assert "taken as running text" in done.err and '"Ada", "Lovelace"' in (tmp_path / "a.jsonl").read_text()
    succeed("annotate", tmp_path / "b.ptag", "--import", tmp_path / "words.txt", *begin, tmp_path / "b.txt")
    assert (tmp_path / "b.txt").read_text().startswith("Ada B-PER\n")
    refused = run("annotate", tmp_path / "c.ptag", "--import", tmp_path / "many.txt", *begin, tmp_path / "c.txt")
    assert refused.status == 2 and "many.txt:16: " in refused.err and "running text" not in refused.err
