"""Blocks of lines that no document is cut by."""

from __future__ import annotations

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from perceptag.tagging.column_files import COLUMN_MARKS, CONLLU_MARKS, whole_documents
from perceptag.text import read_columns, read_conllu
from perceptag.text.documents import split_documents
from perceptag.text.lines import Block

ROW = "1\t{}" + "\t_" * 8
COLUMNS = ["a\nb", "c", "-DOCSTART-", "-DOCSTART- O", " -DOCSTART- x", "x-DOCSTART-", "c\n-DOCSTART-", "\n"]
CONLLU = [
    *(ROW.format("a"), "# newdoc\n" + ROW.format("b"), "# id\n#  newdoc id = x\n" + ROW.format("c")),
    *("# newdocs\n" + ROW.format("d"), ROW.format("e") + "\n# newdoc", "1-1\n# newdoc"),
]


def blocks_of(paragraphs: list[str], cuts: list[bool]) -> list[Block]:
    """Return paragraphs in blocks, which end where a cut is."""
    blocks, line, text = [], 1, ""
    for paragraph, cut in zip(paragraphs, cuts, strict=True):
        text += paragraph + "\n\n"
        if cut:
            blocks.append(Block("file", line, text))
            line, text = line + text.count("\n"), ""
    return [*blocks, Block("file", line, text)] if text else blocks


@pytest.mark.parametrize("name", ["columns", "conllu"])
@given(data=st.data())
def test_documents_of_blocks_are_those_of_the_file(name, data):
    words, marks = {"columns": (COLUMNS, COLUMN_MARKS), "conllu": (CONLLU[:4], CONLLU_MARKS)}[name]
    read = read_conllu if name == "conllu" else lambda text: read_columns(text, ["form"])
    paragraphs = data.draw(st.lists(st.sampled_from(words), max_size=8))
    cuts = data.draw(st.lists(st.booleans(), min_size=len(paragraphs), max_size=len(paragraphs)))
    blocks = blocks_of([p if name == "conllu" else p.replace(" O", "").replace(" x", "") for p in paragraphs], cuts)
    whole = "".join(block.text for block in blocks)
    found = list(whole_documents(blocks, marks))
    assert "".join(block.text for block in found) == whole
    assert all(block.line == 1 + whole[: whole.index(block.text)].count("\n") for block in found[:1])
    parts = [d for block in found for d in split_documents(read(io.StringIO(block.text)))]
    assert [[s.columns for s in d] for d in parts] == [
        [s.columns for s in d] for d in split_documents(read(io.StringIO(whole)))
    ]


def test_a_mark_that_is_no_first_line_holds_what_follows():
    blocks = blocks_of([CONLLU[4], CONLLU[0], CONLLU[1]], [True, True, True])
    assert [block.line for block in whole_documents(blocks, CONLLU_MARKS)] == [1, 6]
