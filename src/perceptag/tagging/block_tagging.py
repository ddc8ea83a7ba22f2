"""Tag a text file in blocks of lines: plain blocks in native code, others sentence by sentence.

    file ─▶ blocks of lines ─▶ plain?  yes: native places of words ─▶ type ids ─▶ labels ─▶ native lines
                                       no:  sentences, read, tagged and written as in every other format

Both ways write the same bytes, and report errors in the same words. Blocks do not split sentences, and not documents
either if the model looks at them.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from typing import IO, TYPE_CHECKING, Any, NamedTuple

from perceptag.errors import DataError
from perceptag.system.output_files import bytes_writer
from perceptag.tagging.batchwise import batchwise
from perceptag.tagging.job import TagJob
from perceptag.text.lines import Block, whole_paragraphs
from perceptag.text.sentence import Sentence
from perceptag.text.whole_documents import DocumentMarks, whole_documents

if TYPE_CHECKING:
    from perceptag._core import ColumnText
    from perceptag.numeric.arrays import Ints


class TaggedBlock(NamedTuple):
    """The lines of a plain block with their labels."""

    lines: bytes
    sentences: int
    tokens: int


class BlockTagging(ABC):
    """Tags the file of a job into a stream. The model must take column text."""

    marks: DocumentMarks  # which lines start documents

    def __init__(self, job: TagJob, stream: IO[Any]) -> None:
        self.job = job
        self.ready = job.ready
        self.label = job.labels
        self.check = job.check
        self.stream = stream
        self.put = bytes_writer(stream)

    def run(self) -> int:
        """Tag all blocks; return the number of tokens."""
        threads, tokens = self.job.options.threads, 0
        for block, tagged in batchwise(self.tag_plain, self.checked_blocks(), ahead=threads > 1, workers=threads):
            if tagged is not None and self.may_put(block):
                self.put(tagged.lines)
                self.count(block, tagged)
                tokens += tagged.tokens
            else:
                tokens += self._tag_sentences(block)
            self.stream.flush()
        return tokens

    def blocks(self) -> Iterator[Block]:
        """The blocks of the file."""
        blocks = whole_paragraphs(self.job.source)
        return whole_documents(blocks, self.marks) if self.ready.looks_at_documents() else blocks

    def _tag_sentences(self, block: Block) -> int:
        """Tag a block that is not plain; an error in it is reported here."""
        sentences = list(self.read(block))
        labels = self.ready.tag(sentences, self.job.options.threads)
        self.write(list(map(self.label.add, sentences, labels)))
        return sum(map(len, sentences))

    def native_labels(self, text: ColumnText, names: Sequence[str]) -> tuple[Sequence[str], Ints] | None:
        """Labels, and for each token the number of its label; None if something is wrong with the text."""
        try:
            return self.ready.tag_column_text(text, names)
        except DataError:  # the general way names the line
            return None

    @abstractmethod
    def checked_blocks(self) -> Iterator[Block]:
        """The blocks; those first sentences that `check` judges are shown to it before anything is written."""

    @abstractmethod
    def tag_plain(self, block: Block) -> TaggedBlock | None:
        """Tag a block if it is plain. Any number of threads may do so."""

    @abstractmethod
    def read(self, block: Block) -> Iterator[Sentence]:
        """The sentences of a block that is not plain."""

    @abstractmethod
    def write(self, sentences: list[Sentence]) -> None:
        """Write the labelled sentences of such a block."""

    def may_put(self, block: Block) -> bool:  # noqa: ARG002
        """Whether the lines of a plain block may follow those written so far."""
        return True

    def count(self, block: Block, tagged: TaggedBlock) -> None:  # noqa: B027
        """Take note of a plain block that was written."""
