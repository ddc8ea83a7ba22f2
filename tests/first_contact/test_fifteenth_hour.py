"""Labels such as 0 for O, dev data without spans, exports that are not replaced, texts of a stream in CoNLL-U."""

from __future__ import annotations

import io
import json
import select
import subprocess
import sys
from pathlib import Path

import pytest

from command_line import run, succeed
from perceptag.text import read, read_columns


@pytest.mark.parametrize("outside", ["0", "o", "OTHER", "none"])
def test_another_word_for_o_is_noted_and_rewritten(outside: str, tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text(f"Anna B-PER\nMiller I-PER\nsings {outside}\n. {outside}\n\n" * 3)
    expected = f"the label '{outside}' seems to stand for tokens outside of spans, but only 'O' does"
    assert expected in succeed("check", path).out.replace("\n", " ")
    refused = run("train", "--train", path, "-r", "basic-ner", "-m", tmp_path / "a.model")
    assert refused.status == 2 and expected in refused.err
    succeed("convert", path, tmp_path / "b.txt", "--iob")
    assert (tmp_path / "b.txt").read_text() == "Anna B-PER\nMiller I-PER\nsings O\n. O\n\n" * 3


def test_tags_that_are_called_other_are_tags(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("Anna NN\nsings VB\n. OTHER\n\n" * 3)
    assert "outside of spans" not in succeed("check", tmp_path / "a.txt").out


def test_dev_data_without_spans_is_noted(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("Anna B-PER\nsings O\n\n" * 5)
    (tmp_path / "b.txt").write_text("It O\nrains O\n\n")
    how = ("-r", "basic-ner", "-m", tmp_path / "a.model")
    result = succeed("train", "--train", tmp_path / "a.txt", "--dev", tmp_path / "b.txt", *how)
    assert "b.txt: no spans in 1 sentence of dev data: dev F1 is always 0" in result.err


def test_an_export_is_not_replaced_by_sentences(tmp_path: Path) -> None:
    export = '{"id": 7, "text": "Anna sings.", "label": [[0, 4, "PER"]]}\n'
    (tmp_path / "a.jsonl").write_text(export)
    (tmp_path / "b.txt").write_text("Anna B-PER\n\n")
    result = run("convert", tmp_path / "b.txt", tmp_path / "a.jsonl")
    assert result.status == 2 and "expected a new file or JSON lines of sentences to replace" in result.err
    assert (tmp_path / "a.jsonl").read_text() == export
    succeed("convert", tmp_path / "b.txt", tmp_path / "c.jsonl")
    succeed("convert", tmp_path / "b.txt", tmp_path / "c.jsonl")  # sentences are replaced by sentences


def test_files_are_read_in_an_encoding(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes("Jörg B-PER\n\n".encode("latin-1"))
    assert read(path, encoding="latin-1")[0].tokens == next(read_columns(path, encoding="cp1252")).tokens == ["Jörg"]
    assert next(read_columns(io.StringIO("Jörg B-PER\n\n"), encoding="latin-1")).tokens == ["Jörg"]  # is text already


def test_a_text_of_a_stream_is_answered_in_conllu_before_the_next_one_comes(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("Anna B-PER\nsings O\n. O\n\n" * 5)
    succeed("train", "--train", tmp_path / "a.txt", "-r", "ner", "--set", "epochs=1", "-m", tmp_path / "a.model")
    how = ["-m", str(tmp_path / "a.model"), "--tokenizer", "en", "--batch", "1", "--to", "conllu"]
    command = [sys.executable, "-m", "perceptag", "tag", *how]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin and process.stdout
        process.stdin.write(json.dumps({"text": "Anna sings.She sings."}).encode() + b"\n")
        process.stdin.flush()
        assert select.select([process.stdout], [], [], 60)[0], "the first text is not answered"
        first = process.stdout.readline()
        process.stdin.close()
        rest = process.stdout.read().decode()
    assert first == b"# newdoc\n" and process.returncode == 0
    assert "# text = Anna sings." in rest
