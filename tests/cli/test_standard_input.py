"""What comes on standard input is recognised by its content, as a file is."""

from __future__ import annotations

from pathlib import Path

import pytest

from command_line import TOY, run, succeed
from perceptag.cli import text_lists
from perceptag.foreign import intake

DOCCANO = (
    b'{"text": "Anna met Bob.", "label": [[0, 4, "PER"], [9, 12, "PER"]]}\n{"text": "He met Anna.", "label": []}\n'
)
TABLE = "Word;Tag\nAnna;B-PER\nsings;O\nJürgen;B-PER\nsings;O\n"
CONLLU = b"1\tAnna\t_\tNOUN\t_\t_\t_\t_\t_\t_\n2\tsings\t_\tVERB\t_\t_\t_\t_\t_\t_\n\n"
GIVEN = {
    "an export": (DOCCANO, "<stdin>: doccano export, 2 texts"),
    "a table": (TABLE.encode(), "<stdin>: table with a header"),
}


@pytest.mark.parametrize("name", GIVEN)
def test_another_tools_file_trains_a_model(name: str, tmp_path: Path) -> None:
    data, said = GIVEN[name]
    tokenizer = ("--tokenizer", "en") if name == "an export" else ()
    result = succeed("train", "--train", "-", "-m", tmp_path / "m", "--recipe", "basic-ner", *tokenizer, stdin=data)
    assert said in result.err
    assert "labels from column 'label'" in result.err


@pytest.mark.parametrize("name", GIVEN)
def test_another_tools_file_is_checked(name: str) -> None:
    data, said = GIVEN[name]
    assert said in succeed("check", "-", stdin=data).err


def test_the_encoding_holds_for_what_is_recognised() -> None:
    data = TABLE.encode("latin-1")
    assert "ürgen" in succeed("convert", "-", "-", "--encoding", "latin-1", stdin=data).out
    refused = run("convert", "-", "-", stdin=data)
    assert refused.status != 0
    assert "<stdin>:4: invalid UTF-8: byte 0xFC" in refused.err
    assert "--encoding" in refused.err


def test_own_formats_are_still_read() -> None:
    assert succeed("convert", "-", "-", "--to", "columns", stdin=TOY.encode()).out.split() == TOY.split()
    assert succeed("convert", "-", "-", "--to", "columns", stdin=CONLLU).out.startswith("Anna")


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"<html>\n<p a='b'>x</p> y\n", "this looks like XML or HTML"),
        (b"<html><body><p>Hi there</p></body></html>\n", "this looks like XML or HTML"),  # two columns
        (b"PK\3\4\n\0\n", "this looks like a zip archive or a spreadsheet"),
    ],
)
def test_what_cannot_be_read_is_described(data: bytes, said: str) -> None:
    refused = run("check", "--stats", "-", stdin=data)
    assert refused.status != 0
    assert refused.err.startswith("perceptag: error: <stdin>")
    assert said in refused.err


@pytest.mark.parametrize(
    ("line", "is_json"),
    [
        ('["Anna", "sings", "."]', True),
        ('["Anna sings in Oslo.", "She has left."]', True),
        ('[{"text": "Anna sings."}]', True),
        ('{"tokens": ["Anna"]}', True),
        ('{"text": "Anna sings."}', True),
        ("[", True),
        ("[{", True),
        ("[1, 2]", False),
        ("[]", False),
        ("[Anna] sings", False),
    ],
)
def test_json_is_told_from_a_text_that_begins_with_a_bracket(
    line: str, is_json: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    begin = f"{line}\n".encode()
    monkeypatch.setattr(text_lists, "start_of_standard_input", lambda: begin)
    assert text_lists.is_json_stream() == is_json


def test_standard_input_that_cannot_be_a_table_is_left_to_its_reader(monkeypatch: pytest.MonkeyPatch) -> None:
    def read_all(path: str) -> None:
        raise AssertionError("a stream must be tagged as it comes")

    monkeypatch.setattr(intake, "table_header", read_all)
    for line in (b"Anna sings.\n", b"Anna;sings\n", b"Word\n", b""):
        monkeypatch.setattr(text_lists, "start_of_standard_input", lambda line=line: line)
        assert not text_lists.is_list("-")
