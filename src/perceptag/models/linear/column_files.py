"""Tagging of column files whose lines are plain, without an object for every token.

    file ─▶ blocks of lines ─▶ plain?  yes: native places of fields ─▶ type ids ─▶ labels ─▶ native lines
                                       no:  sentences, tagged and written as in every other format

A block that is not plain (runs of blanks, marks of documents, anything wrong) is read and written by
`perceptag.text.columns`, so that both ways give the same bytes and the same messages.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import IO, Any

from perceptag._core import ColumnText
from perceptag.models.linear.tagger import LinearTagger
from perceptag.models.protocol import Compiled
from perceptag.system.writing import bytes_writer, text_writer
from perceptag.text import Sentence
from perceptag.text.batches import batchwise
from perceptag.text.columns import ColumnReader, ColumnWriter, Names
from perceptag.text.lines import Block, whole_paragraphs

AddLabels = Callable[[Sentence, list[str]], Sentence]


def is_possible(compiled: Compiled) -> bool:
    """Whether a model can be used on lines of text: it looks at columns of the file alone."""
    return (
        isinstance(compiled, LinearTagger)
        and compiled.linear.closed is None
        and not compiled.whole_documents
        and not any(c in compiled.computed for c in compiled.columns)
        and compiled.label_writer.is_by_table
        and not any(set(name) & set(" \t\n\r\0\ufeff") for name in compiled.label_writer.names)
    )


def tag_columns(
    compiled: Compiled, source: str, columns: Names, stream: IO[Any], label: str, add_labels: AddLabels, threads: int
) -> int:
    """Tag a column file into a stream, as far as `is_possible`; return the number of tokens."""
    assert isinstance(compiled, LinearTagger)
    tagging = _Tagging(compiled, ColumnReader(columns), stream, label, add_labels, threads)
    blocks = map(tagging.look_at, whole_paragraphs(source))
    done = batchwise(tagging.tag_plain, blocks, ahead=threads > 1, workers=threads)
    return sum(tagging.write(block, tagged) for block, tagged in done)


@dataclass(frozen=True, slots=True)
class _Tagged:
    """A plain block with its labels."""

    lines: bytes
    sentences: int
    tokens: int


class _Tagging:
    def __init__(
        self,
        compiled: LinearTagger,
        reader: ColumnReader,
        stream: IO[Any],
        label: str,
        add_labels: AddLabels,
        threads: int,
    ) -> None:
        self.compiled = compiled
        self.reader = reader
        self.stream = stream
        self.put = bytes_writer(stream)
        self.writer = ColumnWriter(text_writer(stream))
        self.label = label
        self.add_labels = add_labels
        self.threads = threads

    def look_at(self, block: Block) -> Block:
        """Find out what the columns are, and with which the labels are written."""
        self.reader.look_at(block)
        names = self.reader.names
        if names and not self.writer.names:
            self.writer.names = list(self.add_labels(Sentence({name: [] for name in names}), []).columns)
            self.writer.separator = self.reader.separator
        return block

    def tag_plain(self, block: Block) -> _Tagged | None:
        """Tag a block if it is plain; any number of threads may do so."""
        names = self.reader.names
        if not names or not set(self.compiled.columns) <= set(names):
            return None
        text = ColumnText(block.text, self.reader.separator, len(names))
        if not text.is_plain:
            return None
        outer, begin = self.compiled.label_writer, text.begin
        labels = outer.numbers(self.compiled.linear.tag_text(text, names), begin)
        lines = text.write(outer.names, labels, self.writer.names.index(self.label), self.label in names)
        return _Tagged(lines, len(begin) - 1, len(text))

    def write(self, block: Block, tagged: _Tagged | None) -> int:
        """Write the next block, whichever way it must go; return the number of tokens."""
        has_mark = not self.writer.count and "\ufeff" in block.text  # as the first byte it would not be read back
        if tagged is None or has_mark or self.reader.waiting:
            return self._tag_sentences(block)
        self.put(tagged.lines)
        self.stream.flush()
        self.writer.count += tagged.sentences
        return tagged.tokens

    def _tag_sentences(self, block: Block) -> int:
        sentences = list(self.reader.sentences(block))
        for sentence, labels in zip(sentences, self.compiled.tag(sentences, self.threads), strict=True):
            self.writer.write(self.add_labels(sentence, labels))
        self.stream.flush()
        return sum(map(len, sentences))
