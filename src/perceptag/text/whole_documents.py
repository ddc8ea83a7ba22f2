"""Blocks of lines that no document is cut by, for those who read files without making sentences."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from perceptag.text.lines import Block


@dataclass(frozen=True, slots=True)
class DocumentMarks:
    """How the documents of a format begin."""

    anywhere: re.Pattern[str]  # finds every mark, and perhaps more
    at_paragraph: re.Pattern[str]  # finds paragraphs that certainly begin a document, where they begin


COLUMN_MARKS = DocumentMarks(
    re.compile(r"^[ \t]*-DOCSTART-", re.MULTILINE), re.compile(r"(?:\A|(?<=\n\n))[ \t]*-DOCSTART-(?=[ \t\n])")
)
CONLLU_MARKS = DocumentMarks(
    re.compile(r"^#[ \t]*newdoc", re.MULTILINE),
    re.compile(r"(?:\A|(?<=\n\n))(?=(?:#[^\n]*\n)*?#[ \t]*newdoc(?:[ \t\n]))"),
)


def whole_documents(blocks: Iterable[Block], marks: DocumentMarks) -> Iterator[Block]:
    """Yield the same lines in blocks that end where a document ends. Before the first mark every sentence is one.

    >>> blocks = [Block("f", 1, "a\\n\\n-DOCSTART-\\n\\nb\\n\\n"), Block("f", 7, "c\\n\\n-DOCSTART-\\n\\nd\\n")]
    >>> [(block.line, block.text.count("\\n")) for block in whole_documents(blocks, COLUMN_MARKS)]
    [(1, 2), (3, 6), (9, 3)]
    """
    held: list[Block] = []  # of a document whose end has not been read yet
    for block in blocks:
        if not held and not marks.anywhere.search(block.text):
            yield block
            continue
        cuts = [found.start() for found in marks.at_paragraph.finditer(block.text)]
        if not cuts:
            held.append(block)
            continue
        before = block.text[: cuts[-1]]
        if held or before:
            yield _joined([*held, block._replace(text=before)])
        held = [Block(block.source, block.line + before.count("\n"), block.text[cuts[-1] :])]
    if held:
        yield _joined(held)


def _joined(blocks: list[Block]) -> Block:
    return blocks[0]._replace(text="".join(block.text for block in blocks))
