"""What comes on standard input is recognised by its content, as a file is."""

from __future__ import annotations

from pathlib import Path

import pytest

from command_line import succeed

DOCCANO = (
    b'{"text": "Anna met Bob.", "label": [[0, 4, "PER"], [9, 12, "PER"]]}\n{"text": "He met Anna.", "label": []}\n'
)
TABLE = "Word;Tag\nAnna;B-PER\nsings;O\nJürgen;B-PER\nsings;O\n"
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
