"""Labels that are numbers in any file, misc of CoNLL-U that is not a label, and documents of several files."""

import json
from pathlib import Path

import pytest

from command_line import run, succeed

NAMES = "O,B-PER,I-PER,B-LOC"
NUMBERED = {
    "a.csv": "sentence_id,token,ner_tag\n1,Anna,1\n1,left,0\n2,Oslo,3\n2,is,0\n",
    "a.txt": "Anna 1\nleft 0\n\nOslo 3\nis 0\n",
    "a.jsonl": '{"tokens": ["Anna", "left"], "ner_tags": ["1", "0"]}\n'
    '{"tokens": ["Oslo", "is"], "ner_tags": ["3", "0"]}\n',
    "a.json": '[{"tokens": ["Anna", "left"], "ner_tags": [1, 0]}, {"tokens": ["Oslo", "is"], "ner_tags": [3, 0]}]',
}


@pytest.fixture(params=NUMBERED)
def numbered(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    file: Path = tmp_path / request.param
    file.write_text(NUMBERED[request.param])
    return file


def test_numbers_get_names_in_every_format(numbered: Path, tmp_path: Path) -> None:
    out = succeed("convert", numbered, "-", "--to", "inline", "--label-names", NAMES).out
    assert out == "Anna/B-PER left/O\nOslo/B-LOC is/O\n"
    model = tmp_path / "a.model"
    told = succeed("train", "--train", numbered, "--label-names", NAMES, "--no-dev", "-m", model).err
    assert "spans of 2 types in IOB2" in told


@pytest.mark.parametrize("command", [["convert", "-", "--to", "inline"], ["train", "--no-dev", "-m", "no.model"]])
def test_numbers_beyond_the_names_are_refused(numbered: Path, command: list[str]) -> None:
    given = ["--train", numbered] if command[0] == "train" else [numbered]
    result = run(command[0], *given, *command[1:], "--label-names", "O,B-PER,I-PER")
    assert result.status == 2
    assert "expected numbers below 3" in result.err
    assert numbered.name in result.err


def test_other_labels_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "a.txt"
    file.write_text("Anna B-PER\nleft 0\nLufthansa B-ORG\n")
    result = run("convert", file, "-", "--to", "inline", "--label-names", NAMES)
    assert result.status == 2
    expected = "a.txt:3: --label-names: expected numbers, or names among them, in column 'label', found 'B-ORG'"
    assert expected in result.err


def test_the_column_that_is_meant_gets_the_names(tmp_path: Path) -> None:
    file, model = tmp_path / "a.txt", tmp_path / "a.model"
    file.write_text("Anna 1 NNP\nleft 0 VBD\n\n" * 3)
    options = ("--columns", "form,ner,pos", "--label", "ner", "--label-names", NAMES)
    succeed("train", "--train", file, *options, "--no-dev", "-m", model)
    assert "Anna B-PER NNP" in succeed("tag", "-m", model, "--columns", "form,pos", stdin=b"Anna NNP\nleft VBD\n").out


def test_annotating_refuses_numbers_that_it_would_keep(tmp_path: Path) -> None:
    file = tmp_path / "a.txt"
    file.write_text(NUMBERED["a.txt"])
    result = run("annotate", tmp_path / "a.ptag", "--import", file, "--label-names", NAMES, "--export", tmp_path / "b")
    assert result.status == 2
    assert "perceptag convert FILE sentences.jsonl --label-names" in result.err


# --- misc of CoNLL-U ---

TREEBANK = "".join(
    f"1\t{word}\t_\t_\tNNP\t_\t_\t_\t_\t_\n2\tran\t_\t_\tVBD\t_\t_\t_\t_\tSpaceAfter=No\n\n" for word in ("Ann", "Bob")
)


@pytest.mark.parametrize("ending", ["jsonl", "conllu"])
def test_tags_are_learned_and_not_misc(tmp_path: Path, ending: str) -> None:
    source, file = tmp_path / "a.conllu", tmp_path / f"b.{ending}"
    source.write_text(TREEBANK)
    succeed("convert", source, file)
    assert "2 labels from column 'xpos'" in succeed("train", "--train", file, "--no-dev", "-m", tmp_path / "m").err


def test_misc_in_the_last_column_is_refused(tmp_path: Path) -> None:
    source, file = tmp_path / "a.conllu", tmp_path / "b.txt"
    source.write_text(TREEBANK)
    succeed("convert", source, file)
    result = run("train", "--train", file, "--no-dev", "-m", tmp_path / "m")
    assert result.status == 2
    assert "expected labels, found misc of CoNLL-U, such as SpaceAfter=No" in result.err
    assert run("check", file).status == 1


# --- documents of several files ---


def exported(folder: Path, files: dict[str, str], name: str, *options: str) -> str:
    for file, text in files.items():
        (folder / file).write_text(text)
    imports = [argument for file in files for argument in ("--import", str(folder / file))]
    succeed("annotate", folder / "p.ptag", *imports, *options, "--export", folder / name, "--status", "all")
    return (folder / name).read_text()


def test_documents_of_several_texts_stay_apart(tmp_path: Path) -> None:
    texts = {"a.txt": "Anna left Oslo. She ran.\n", "b.txt": "Bob came. He sat.\n", "c.txt": "Eva slept.\n"}
    out = exported(tmp_path, texts, "out.jsonl", "--format", "text", "--labels", "PER")
    assert [json.loads(line)["document"] for line in out.splitlines()] == [0, 0, 1, 1, 2]


def test_names_of_documents_are_kept_where_they_differ(tmp_path: Path) -> None:
    line = '{"tokens": ["Anna"], "labels": ["B-PER"], "document": %s}\n'
    files = {"a.jsonl": line % '"x"' + line % 1, "b.jsonl": line % '"x"' + line % '"y"' + line % 1 + line % 2}
    out = exported(tmp_path, files, "out.jsonl")
    assert [json.loads(one)["document"] for one in out.splitlines()] == ["x", 1, "x-2", "y", 2, 3]


def test_names_of_documents_differ_in_conllu_too(tmp_path: Path) -> None:
    line = '{"tokens": ["Anna"], "labels": ["B-PER"], "document": "x"}\n'
    out = exported(tmp_path, {"a.jsonl": line, "b.jsonl": line.replace("Anna", "Bob")}, "out.conllu")
    assert [one for one in out.splitlines() if "newdoc" in one] == ["# newdoc id = x", "# newdoc id = x-2"]


@pytest.mark.parametrize("first", ["-DOCSTART- O\n\nAnna B-PER\n\nBob B-PER\n", "Eva B-PER\n\nUdo B-PER\n"])
def test_sentences_without_marks_are_documents_of_their_own_beside_others(tmp_path: Path, first: str) -> None:
    marked = "-DOCSTART- O\n\nAnna B-PER\n\nBob B-PER\n"
    second = "Eva B-PER\n\nUdo B-PER\n" if first == marked else marked
    out = exported(tmp_path, {"a.txt": first, "b.txt": second}, "out.txt")
    assert out.count("-DOCSTART-") == 3


def test_files_without_any_mark_are_written_as_they_are(tmp_path: Path) -> None:
    files = {"a.txt": "Eva B-PER\n\nUdo B-PER\n\n", "b.txt": "Ann B-PER\n"}
    assert exported(tmp_path, files, "out.txt") == "".join(files.values())
