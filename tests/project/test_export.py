"""Export: some of the sentences, other formats, several files."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from perceptag.errors import ProjectError
from perceptag.project.project import Project
from projects import exported, make, put

MARKED = b"-DOCSTART- -X- O\n\na NN B-PER\n\nb NN O\n\n-DOCSTART- -X- O\n\nc NN O\n\nd NN B-LOC\n"


def test_labelled_sentences_keep_their_documents(tmp_path: Path) -> None:
    with make(tmp_path, MARKED, columns=["form", "pos", "ner"]) as project:
        for n in (1, 3):
            project.skip(n, project.sentence(n).revision, f"k{n}", "anna")
        expected = b"-DOCSTART- O O\n\nb NN O\n\n-DOCSTART- O O\n\nd NN B-LOC\n\n"
        assert exported(project, status="labelled") == expected
        assert exported(project) == MARKED


def test_other_formats(tmp_path: Path) -> None:
    with make(tmp_path) as project:
        put(project, 1, "PER", "a")
        (record,) = map(json.loads, exported(project, format="jsonl", status="labelled").splitlines())
        assert record == {"tokens": ["Anna", "left", "Rome"], "pos": ["NNP", "VBD", "NNP"], "ner": ["B-PER", "O", "O"]}
        first = exported(project, format="conllu", status="labelled").split(b"\n")[0]
        assert first == b"1\tAnna\t_\t_\tNNP" + b"\t_" * 4 + b"\tNER=B-PER"
        every = exported(project, format="jsonl").splitlines()
        assert "ner" not in json.loads(every[1])
        assert exported(project, format="inline", status="labelled") == b"Anna/B-PER left/O Rome/O\n"


def test_json_in_columns(tmp_path: Path) -> None:
    with Project.create(tmp_path / "t.ptag", kind="tags", labels=["A"], seed=1) as project:
        project.import_file(b'["a", "b"]\n{"tokens": ["c"], "labels": ["A"], "id": 3}\n', name="x.jsonl")
        assert exported(project) == b"a _\nb _\n\nc A\n\n"
    with make(tmp_path, b"") as project:
        project.import_file(b'{"tokens": ["a"], "pos": ["NN"]}\n{"tokens": ["b"]}\n', name="x.jsonl")
        notes: list[str] = []
        assert exported(project, note=notes.append) == b"a _\n\nb _\n\n"
        assert notes == ["left out: pos (not in all sentences of x.jsonl)"]


def test_an_earlier_export_is_replaced_but_not_the_project(tmp_path: Path) -> None:
    with make(tmp_path) as project:
        project.export(tmp_path / "x.jsonl", status="all")
        before = (tmp_path / "x.jsonl").read_bytes()
        put(project, 1, "PER", "a")
        project.export(tmp_path / "x.jsonl", status="all")
        assert (tmp_path / "x.jsonl").read_bytes() != before
        (tmp_path / "link.jsonl").symlink_to(tmp_path / "p.ptag")
        with pytest.raises(ProjectError, match="found the project itself, or its copy"):
            project.export(tmp_path / "link.jsonl")


@pytest.mark.parametrize(
    ("format_", "text"),
    [
        ("conllu", "# newdoc id = a\n1\tx" + "\t_" * 8 + "\n\n"),
        ("jsonl", '{"tokens": ["x"], "document": "a"}\n'),
    ],
)
def test_documents_of_several_files_with_one_name_get_numbers(format_: str, text: str, tmp_path: Path) -> None:
    with make(tmp_path, b"") as project:
        for number in range(3):
            project.import_file(text.encode(), name=f"{number}.{format_}", again=True)
        written = exported(project, format="jsonl", status="all").splitlines()
        assert [json.loads(line)["document"] for line in written] == ["a", "a-2", "a-3"]


def test_several_files(tmp_path: Path) -> None:
    with make(tmp_path, b"a NN B-PER\nb NN I-PER", columns=["form", "pos", "ner"]) as project:
        project.import_file(b"c NN B-PER\n", name="b", columns=["form", "pos", "ner"])
        assert exported(project) == b"a NN B-PER\nb NN I-PER\n\nc NN B-PER\n"
        project.import_file(b"d NN S-LOC\n", name="c", columns=["form", "pos", "ner"])
        assert exported(project).endswith(b"c NN B-PER\n\nd NN B-LOC\n\n")
        assert exported(project, source=3) == b"d NN S-LOC\n"
        project.import_file(b"e B-LOC\n", name="d", columns=["form", "ner"])
        notes: list[str] = []
        assert exported(project, note=notes.append) == b"a B-PER\nb I-PER\n\nc B-PER\n\nd B-LOC\n\ne B-LOC\n\n"
        assert notes == ["left out: pos (not in all sentences of d)"]


def test_conllu_columns_and_misc(tmp_path: Path) -> None:
    words = [b"1\tDe\t_\tADP\t_\t_\t_\t_\t_\tX=1", b"2\tle\t_\tDET\t_\t_\t_\t_\t_\t_"]
    text = b"\n".join([b"# sent_id = 1", b"1-2\tDu" + b"\t_" * 8, *words, b"\n"])
    with Project.create(tmp_path / "t.ptag", kind="tags", column="upos", seed=1) as project:
        project.import_file(text, name="x.conllu")
        project.label(1, ["DET", "DET"], base=1, key="a", who="anna")
        assert exported(project, format="conllu") == text.replace(b"\tADP\t", b"\tDET\t")
    with make(tmp_path, b"") as project:
        project.import_file(text, name="x.conllu")
        assert project.sentence(1).columns == {"upos": ["ADP", "DET"], "misc": ["X=1", "_"]}
        put(project, 1, "PER", "a")
        after = exported(project, format="conllu")
        project.import_file(after, name="after.conllu")
        assert project.sentence(2).labels == ["B-PER", "O"]
        assert project.sentence(2).columns == project.sentence(1).columns  # a model must not see the labels
        assert after == text.replace(b"X=1", b"X=1|NER=B-PER").replace(
            b"DET\t_\t_\t_\t_\t_\t_", b"DET\t_\t_\t_\t_\t_\tNER=O"
        )
