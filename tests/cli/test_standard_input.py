"""What comes on standard input is recognised by its content, as a file is."""

from __future__ import annotations

from pathlib import Path

import pytest

from command_line import TOY, run, succeed

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
