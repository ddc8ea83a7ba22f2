"""Tagging of column files whose lines are plain, without an object for every token.

    file ─▶ blocks of lines ─▶ plain?  yes: native places of fields ─▶ type ids ─▶ labels ─▶ native lines
                                       no:  sentences, tagged and written as in every other format

A block that is not plain (runs of blanks, several marks of documents in a row, anything wrong) is read and written by
`perceptag.text.columns`, so that both ways give the same bytes and the same messages. For models that look at documents
no document is cut.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import IO, Any, NamedTuple

from perceptag._core import ColumnText
from perceptag.errors import DataError
from perceptag.models.protocol import ReadyModel
from perceptag.system.output_files import bytes_writer, text_writer
from perceptag.text.batches import batchwise
from perceptag.text.columns import ColumnReader, ColumnWriter
from perceptag.text.format import Names
from perceptag.text.label_column import LabelColumn
from perceptag.text.lines import Block, Source, whole_paragraphs
from perceptag.text.sentence import Sentence
from perceptag.text.whole_documents import COLUMN_MARKS, whole_documents

Check = Callable[[list[Sentence]], None]


def tag_columns(
    ready: ReadyModel,
    source: Source,
    columns: Names,
    stream: IO[Any],
    label: LabelColumn,
    threads: int,
    check: Check | None = None,
    comment: str = "",
) -> int:
    """Tag a column file into a stream with a model that takes column text; return the number of tokens.

    `check` may refuse the sentences of the first block that has any, before anything is written.
    """
    tagging = _Tagging(ready, ColumnReader(columns, comment=comment), stream, label, threads, check)
    done = batchwise(tagging.tag_plain, tagging.blocks(source), ahead=threads > 1, workers=threads)
    tokens = sum(tagging.write(block, tagged) for block, tagged in done)
    tagging.put(tagging.reader.text_at_end().encode())
    return tokens


class _Tagged(NamedTuple):
    """A plain block with its labels."""

    lines: bytes
    sentences: int
    tokens: int


class _Tagging:
    def __init__(
        self,
        ready: ReadyModel,
        reader: ColumnReader,
        stream: IO[Any],
        label: LabelColumn,
        threads: int,
        check: Check | None,
    ) -> None:
        self.ready = ready
        self.reader = reader
        self.stream = stream
        self.put = bytes_writer(stream)
        self.writer = ColumnWriter(text_writer(stream))
        self.label = label
        self.threads = threads
        self.check = check

    def blocks(self, source: Source) -> Iterator[Block]:
        """The blocks of a file; the first block with a token shows what the columns are."""
        self.reader.begin(source)
        blocks = whole_paragraphs(source)
        for block in whole_documents(blocks, COLUMN_MARKS) if self.ready.looks_at_documents() else blocks:
            self.reader.look_at(block)
            names, separator = self.reader.names, self.reader.separator
            if names and separator and not self.writer.names:
                self.writer.names = self.label.names(names)
                self.writer.separator = separator
                self._check_first(block)
            yield block

    def _check_first(self, block: Block) -> None:
        """Show the first block with a token to `check`, if the labels replace what stands there."""
        if self.check and self.label.name in self.reader.names:
            names, separator = self.reader.names, self.reader.separator
            self.check(list(ColumnReader(names, separator, self.reader.comments.prefix).sentences(block)))

    def tag_plain(self, block: Block) -> _Tagged | None:
        """Tag a block if it is plain; any number of threads may do so."""
        names, separator = self.reader.names, self.reader.separator
        if not names or not separator or not set(self.ready.reader.given) <= set(names):
            return None
        if block.text.startswith("\n") or "\n\n\n" in block.text:  # runs of blank lines, which stay
            return None
        if self.reader.comments.may_be_in(block.text):
            return None
        text = ColumnText(block.text, separator, len(names))
        if not text.is_plain:
            return None
        try:
            labels, numbers = self.ready.tag_column_text(text, names)
        except DataError:  # the other way names the line
            return None
        place, is_there = self.writer.names.index(self.label.name), self.label.name in names
        return _Tagged(text.write(labels, numbers, place, is_there), len(text.begin) - 1, len(text))

    def write(self, block: Block, tagged: _Tagged | None) -> int:
        """Write the next block, plain or not; return the number of tokens."""
        has_mark = not self.writer.count and "\ufeff" in block.text  # as the first byte it would not be read back
        if tagged is None or has_mark or self.reader.is_between or self.reader.is_apart(block):
            return self._tag_sentences(block)
        self.put(tagged.lines)
        self.stream.flush()
        self.reader.skip(block)
        self.writer.count += tagged.sentences
        return tagged.tokens

    def _tag_sentences(self, block: Block) -> int:
        sentences = list(self.reader.sentences(block))
        for sentence, labels in zip(sentences, self.ready.tag(sentences, self.threads), strict=True):
            self.writer.write(self.label.add(sentence, labels))
        self.stream.flush()
        return sum(map(len, sentences))
