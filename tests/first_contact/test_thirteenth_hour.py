"""Files next to those that are named, text that is UTF-8 already, records with objects, streams of texts."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from command_line import run, succeed
from perceptag import tables
from perceptag.client import Client
from perceptag.errors import FileWarning, SettingError
from perceptag.system.given_file import FileFacts, GivenFile
from perceptag.text.lines import read_text

GERMAN = "Jürgen B-PER\nwohnt O\nin O\nKöln B-LOC\n\n"
LATIN = ("--encoding", "latin-1")


def records(output: str) -> list[dict[str, object]]:
    return [json.loads(line) for line in output.splitlines()]


# --- brat ---


@pytest.mark.parametrize("text", ["Dear Anna,\n\n  I left.\n", "Anna B-PER\nleft O\n"])
def test_a_text_next_to_the_spans_is_not_replaced(tmp_path: Path, text: str) -> None:
    (tmp_path / "a.jsonl").write_text('{"tokens": ["Anna", "left"], "labels": ["B-PER", "O"]}\n')
    (tmp_path / "letter.txt").write_text(text)
    result = run("convert", tmp_path / "a.jsonl", tmp_path / "letter.ann")
    assert result.status == 2 and "letter.txt is there with another text" in result.err
    assert (tmp_path / "letter.txt").read_text() == text and not (tmp_path / "letter.ann").exists()
    succeed("convert", tmp_path / "a.jsonl", tmp_path / "letter.ann", "--overwrite")
    assert (tmp_path / "letter.txt").read_text() == "Anna left\n\n"
    succeed("convert", tmp_path / "a.jsonl", tmp_path / "letter.ann")  # the same text again


# --- encodings ---


def test_text_that_is_utf8_already_is_read_as_such(tmp_path: Path) -> None:
    file = tmp_path / "a.txt"
    file.write_text(GERMAN, "utf-8")
    with pytest.warns(FileWarning, match=r"a\.txt: the text is UTF-8, not latin-1"):
        assert read_text(GivenFile(str(file), FileFacts("latin-1"))) == GERMAN
    file.write_text(GERMAN, "latin-1")
    assert read_text(GivenFile(str(file), FileFacts("latin-1"))) == GERMAN


@pytest.mark.parametrize("encoding", ["latin-1", "cp1252", "iso-8859-2"])
def test_a_character_may_be_cut_by_a_border_of_pieces(tmp_path: Path, encoding: str) -> None:
    file = tmp_path / "a.txt"
    file.write_text("a" + "ü" * 200_000, "utf-8")
    with pytest.warns(FileWarning):
        assert read_text(GivenFile(str(file), FileFacts(encoding))).strip() == "a" + "ü" * 200_000


def test_gold_in_latin_1_is_compared_with_what_was_written_in_utf8(tmp_path: Path) -> None:
    (tmp_path / "gold.txt").write_text(GERMAN, "latin-1")
    (tmp_path / "pred.txt").write_text(GERMAN, "utf-8")
    result = succeed("eval", tmp_path / "gold.txt", tmp_path / "pred.txt", *LATIN)
    assert "correct: 2." in result.out
    assert result.err.count("pred.txt: the text is UTF-8, not latin-1") == 1


def test_parts_of_a_file_in_latin_1_are_utf8_and_it_is_said(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("".join(GERMAN.replace("Köln", f"Köln{n}") for n in range(20)), "latin-1")
    result = succeed("split", tmp_path / "a.txt", *LATIN)
    assert "the parts are written in UTF-8" in result.err
    model = tmp_path / "x.model"
    how = ("--no-dev", "-r", "basic-ner", "-m", model)
    assert "is UTF-8" in succeed("train", "--train", tmp_path / "a.train.txt", *LATIN, *how).err
    (tmp_path / "b.txt").write_text("Jürgen\nwohnt\n", "utf-8")
    assert succeed("tag", "-m", model, tmp_path / "b.txt").out == "Jürgen B-PER\nwohnt O\n\n"


@pytest.mark.parametrize(("encoding", "named"), [("latin-1", LATIN), ("utf-16", ())])
def test_a_file_keeps_its_encoding(tmp_path: Path, encoding: str, named: tuple[str, ...]) -> None:
    file = tmp_path / "a.txt"
    file.write_text(GERMAN * 4, encoding)
    model = tmp_path / "x.model"
    succeed("train", "--train", file, *named, "--no-dev", "-r", "basic-ner", "-m", model)
    result = run("tag", "-m", model, file, *named, "--in-place")
    assert result.status == 2 and "expected a file in UTF-8" in result.err
    assert file.read_text(encoding) == GERMAN * 4


# --- tables ---


def test_a_row_without_its_word_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("sentence_id,token\n1,Anna\n1,\n1,left\n")
    result = run("tag", "-m", "en", tmp_path / "a.csv")
    assert result.status == 2 and "a.csv:3: expected a word in column 'token', found none" in result.err


@pytest.mark.parametrize("header", ["text", '"Text"'])
def test_a_table_of_texts_alone(tmp_path: Path, header: str) -> None:
    (tmp_path / "a.csv").write_text(f'{header}\nAnna left Oslo\n"Bob, who ran"\n')
    found = records(succeed("tag", "-m", "en", tmp_path / "a.csv").out)
    assert [one["text"] for one in found] == ["Anna left Oslo", "Bob, who ran"]
    assert records(succeed("convert", tmp_path / "a.csv", "-", "--to", "jsonl").out)[1]["text"] == "Bob, who ran"


def test_a_column_without_a_name_is_kept(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text(",text\n17,Anna left Oslo\n")
    assert records(succeed("tag", "-m", "en", tmp_path / "a.csv").out)[0]["column1"] == "17"


def test_a_quotation_mark_that_is_never_closed_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text('id,text\n0,Eva sat down\n1,"Anna said ""x"" to Bob\n2,Eva ran away\n')
    result = run("tag", "-m", "en", tmp_path / "a.csv")
    assert result.status == 2 and "a.csv:3: expected a row, found a quotation mark that is not closed" in result.err


# --- records and streams ---


@pytest.mark.parametrize("more", [{"user": {"name": "x"}}, {"tags": ["x"]}, {"geo": {}, "hashtags": ["a", "b"]}])
def test_texts_with_objects_and_keywords_are_tagged(tmp_path: Path, more: dict[str, object]) -> None:
    (tmp_path / "a.jsonl").write_text(json.dumps({"id": 1, "text": "Anna left Oslo.", **more}) + "\n")
    for named in ((), ("--text", "text")):
        [found] = records(succeed("tag", "-m", "en", tmp_path / "a.jsonl", *named).out)
        assert found["tokens"] == ["Anna", "left", "Oslo", "."]


def test_tags_of_all_words_are_not_dropped(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text('{"text": "Anna left Oslo", "tags": ["B-PER", "O", "B-LOC"]}\n')
    result = run("tag", "-m", "en", tmp_path / "a.jsonl")
    assert result.status == 2 and "--text text" in result.err


@pytest.mark.parametrize(
    ("lines", "options"),
    [
        (['{"id": 1, "text": "Anna left."}', '{"id": 2, "text": "Bob ran."}'], ["--format", "jsonl"]),
        (['{"id": 1, "text": "Anna left."}', '{"id": 2, "text": "Bob ran."}'], []),
        (['{"msg": "Anna left.", "tags": ["a", "b"]}', '{"msg": "Bob ran."}'], ["--text", "msg"]),
        (['["Anna", "left"]', '["Bob", "ran"]'], ["--format", "jsonl"]),
        (['["Anna", "left"]', '["Bob", "ran"]'], []),
    ],
)
def test_a_stream_of_texts_or_tokens_is_answered_line_by_line(lines: list[str], options: list[str]) -> None:
    command = [sys.executable, "-m", "perceptag", "tag", "-m", "en", "--layer", "xpos", "--batch", "1", "-q", *options]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env={**os.environ}) as child:
        assert child.stdin and child.stdout
        for line, word in zip(lines, ("Anna", "Bob"), strict=True):
            child.stdin.write(f"{line}\n".encode())
            child.stdin.flush()
            assert json.loads(child.stdout.readline())["tokens"][0] == word  # while standard input is open
        child.stdin.close()
        assert child.stdout.read() == b""
    assert child.returncode == 0


def test_a_label_in_a_stream_of_texts_is_refused_with_its_line() -> None:
    lines = '{"text": "Anna left."}\n{"text": "Bob ran.", "entities": [[0, 3, "PER"]]}\n'
    command = [sys.executable, "-m", "perceptag", "tag", "-m", "en", "--format", "jsonl"]
    result = subprocess.run(command, input=lines, capture_output=True, text=True, check=False)
    assert result.returncode == 2 and "<stdin>:2: expected a text without labels" in result.stderr


def test_a_text_without_words_in_a_stream_is_noted() -> None:
    lines = '{"text": "Anna left."}\n{"text": " "}\n{"text": "Bob ran."}\n'
    command = [sys.executable, "-m", "perceptag", "tag", "-m", "en", "--format", "jsonl", "-q"]
    result = subprocess.run(command, input=lines, capture_output=True, text=True, check=False)
    assert [one["tokens"] for one in records(result.stdout)] == [["Anna", "left", "."], ["Bob", "ran", "."]]
    assert result.stderr == "note: <stdin>:2: left out: a text without words\n"


def test_a_client_wants_the_bytes_of_a_file() -> None:
    with pytest.raises(TypeError, match="expected the bytes of a file, found str"):
        Client("http://127.0.0.1:1").tag_file("a.txt")  # type: ignore[arg-type]


def test_a_table_without_tokens_says_how_texts_are_named() -> None:
    pa = pytest.importorskip("pyarrow")
    with pytest.raises(SettingError, match="or text=NAME for a column of texts; found id, body"):
        tables.tag("en", pa.table({"id": [1], "body": ["Anna left."]}))
