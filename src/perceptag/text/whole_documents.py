"""Split a file into blocks without splitting a document."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from perceptag.text.lines import Block


class DocumentMarks(NamedTuple):
    """Document marks of a format."""

    word: str  # in every mark
    line: re.Pattern[str]  # finds every mark, and perhaps more
    paragraph: re.Pattern[str]  # fits a paragraph that certainly begins a document


COLUMN_MARKS = DocumentMarks(
    "-DOCSTART-", re.compile(r"^[ \t]*-DOCSTART-", re.MULTILINE), re.compile(r"[ \t]*-DOCSTART-(?=[ \t\n])")
)
CONLLU_MARKS = DocumentMarks(
    "newdoc", re.compile(r"^#[ \t]*newdoc", re.MULTILINE), re.compile(r"(?:#[^\n]*\n)*?#[ \t]*newdoc(?=[ \t\n])")
)


def whole_documents(blocks: Iterable[Block], marks: DocumentMarks) -> Iterator[Block]:
    """Regroup lines into blocks that end at document ends. Before the first mark every sentence is a document.

    >>> blocks = [Block("f", 1, "a\\n\\n-DOCSTART-\\n\\nb\\n\\n"), Block("f", 7, "c\\n\\n-DOCSTART-\\n\\nd\\n")]
    >>> [(block.line, block.text.count("\\n")) for block in whole_documents(blocks, COLUMN_MARKS)]
    [(1, 2), (3, 6), (9, 3)]
    """
    held: list[Block] = []  # of a document whose end has not been read yet
    for block in blocks:
        if not held and (marks.word not in block.text or not marks.line.search(block.text)):
            yield block
            continue
        cut = _last_start(block.text, marks)
        if cut < 0:
            held.append(block)
            continue
        before = block.text[:cut]
        if held or before:
            yield _joined([*held, block._replace(text=before)])
        held = [Block(block.source, block.line + before.count("\n"), block.text[cut:])]
    if held:
        yield _joined(held)


def _joined(blocks: list[Block]) -> Block:
    return blocks[0]._replace(text="".join(block.text for block in blocks))


def _last_start(text: str, marks: DocumentMarks) -> int:
    """Return the start of the last paragraph that surely begins a document; -1 if there is none."""
    at = text.rfind(marks.word)  # much faster than a search for the whole pattern
    while at >= 0:
        border = text.rfind("\n\n", 0, at)
        start = border + 2 if border >= 0 else 0
        if marks.paragraph.match(text, start):
            return start
        at = text.rfind(marks.word, 0, at)
    return -1
