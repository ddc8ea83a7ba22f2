"""Tag column files without an object for each token.

A block is plain if nothing in it needs the reader of `perceptag.text.columns`: no runs of blanks or blank lines, no
comments, no repeated document marks, no errors.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import IO, Any

from perceptag._core import ColumnText
from perceptag.system.output_files import text_writer
from perceptag.tagging.block_tagging import BlockTagging, TaggedBlock
from perceptag.tagging.job import TagJob
from perceptag.text import open_output
from perceptag.text.columns import ColumnReader, ColumnWriter
from perceptag.text.lines import Block
from perceptag.text.sentence import Sentence
from perceptag.text.whole_documents import COLUMN_MARKS


def tag_columns(job: TagJob) -> int:
    """Tag a column file into a column file; return the number of tokens."""
    with open_output(job.target) as stream:
        tagging = _ColumnTagging(job, stream)
        tokens = tagging.run()
        tagging.put(tagging.reader.text_at_end().encode())
        return tokens


class _ColumnTagging(BlockTagging):
    marks = COLUMN_MARKS

    def __init__(self, job: TagJob, stream: IO[Any]) -> None:
        super().__init__(job, stream)
        self.reader = ColumnReader(job.columns, comment=job.read_as.comment)
        self.writer = ColumnWriter(text_writer(stream))

    def checked_blocks(self) -> Iterator[Block]:
        """The blocks. The first one with a token shows what the columns are."""
        self.reader.begin(self.job.source)
        for block in self.blocks():
            self.reader.look_at(block)
            names, separator = self.reader.names, self.reader.separator
            if names and separator and not self.writer.names:
                self.writer.names = self.label.names(names)
                self.writer.separator = separator
                if self.check and self.label.name in names:
                    self.check(list(ColumnReader(names, separator, self.reader.comments.prefix).sentences(block)))
            yield block

    def tag_plain(self, block: Block) -> TaggedBlock | None:
        names, separator = self.reader.names, self.reader.separator
        if not names or not separator or not set(self.ready.reader.given) <= set(names):
            return None
        if block.text.startswith("\n") or "\n\n\n" in block.text:  # runs of blank lines, which stay
            return None
        if self.reader.comments.may_be_in(block.text):
            return None
        text = ColumnText(block.text, separator, len(names))
        found = self.native_labels(text, names) if text.is_plain else None
        if found is None:
            return None
        place, is_there = self.writer.names.index(self.label.name), self.label.name in names
        return TaggedBlock(text.write(*found, place, is_there), len(text.begin) - 1, len(text))

    def may_put(self, block: Block) -> bool:
        has_mark = not self.writer.count and "\ufeff" in block.text  # as the first byte it would not be read back
        return not (has_mark or self.reader.is_between or self.reader.is_apart(block))

    def count(self, block: Block, tagged: TaggedBlock) -> None:
        self.reader.skip(block)
        self.writer.count += tagged.sentences

    def read(self, block: Block) -> Iterator[Sentence]:
        return self.reader.sentences(block)

    def write(self, sentences: list[Sentence]) -> None:
        for sentence in sentences:
            self.writer.write(sentence)
