"""Tag column files and CoNLL-U in blocks of lines, without an object for each token.

    file ─▶ blocks of lines ─▶ plain?  yes: native places of words ─▶ type ids ─▶ labels ─▶ native lines
                                       no:  sentences, read, tagged and written as in every other format

Both ways write the same bytes, and report errors in the same words. Blocks do not split sentences, and not documents
either if the model looks at them.

A block of columns is plain if nothing in it needs the reader of `perceptag.text.columns`: no runs of blanks or blank
lines, no comments, no repeated document marks, no errors. One of CoNLL-U is plain if nothing is wrong with it;
`perceptag.text.conllu` reads the others, and reports the error.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, islice
from typing import IO, TYPE_CHECKING, Any, NamedTuple, TypeVar

from perceptag._core import ColumnText, ConlluText, SharedValues
from perceptag.errors import DataError
from perceptag.models.protocol import ReadyModel
from perceptag.system.output_files import bytes_writer, text_writer
from perceptag.tagging.job import Check, TagJob
from perceptag.text.columns import ColumnReader, ColumnWriter
from perceptag.text.conllu import (
    CONFIDENCE,
    CONLLU_COLUMNS,
    check_names,
    sentences_by_lines,
    sentences_of,
    write_conllu,
)
from perceptag.text.lines import Block, whole_paragraphs
from perceptag.text.sentence import Sentence

if TYPE_CHECKING:
    from concurrent.futures import Future

    from perceptag.arrays import Ints


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


def tag_columns(job: TagJob) -> int:
    """Tag a column file into a column file; return the number of tokens."""
    with job.open_target() as stream:
        tagging = _ColumnTagging(job, stream)
        tokens = tagging.run()
        tagging.put(tagging.reader.text_at_end().encode())
        return tokens


class _ColumnTagging(BlockTagging):
    marks = COLUMN_MARKS

    def __init__(self, job: TagJob, stream: IO[Any]) -> None:
        super().__init__(job, stream)
        self.reader = ColumnReader(job.columns, comment=job.read_as.comment)
        self.writer = ColumnWriter(text_writer(stream), job.separator)

    def checked_blocks(self) -> Iterator[Block]:
        """The blocks. The first one with a token shows what the columns are."""
        self.reader.begin(self.job.source)
        for block in self.blocks():
            self.reader.look_at(block)
            names, separator = self.reader.names, self.reader.separator
            if names and separator and not self.writer.names:
                self.writer.names = self.label.names(names)
                self.writer.separator = self.writer.separator or separator
                if self.check and self.label.name in names:
                    self.check(list(ColumnReader(names, separator, self.reader.comments.prefix).sentences(block)))
            yield block

    def tag_plain(self, block: Block) -> TaggedBlock | None:
        names, separator = self.reader.names, self.reader.separator
        if not names or separator != self.writer.separator or not set(self.ready.reader.given) <= set(names):
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


_NAMES = ("id", *CONLLU_COLUMNS)


def takes_conllu(ready: ReadyModel) -> bool:
    """Whether a model takes column text, and CoNLL-U has all columns that it reads."""
    return ready.takes_column_text and set(ready.reader.given) <= set(CONLLU_COLUMNS)


def tag_conllu(job: TagJob) -> int:
    """Tag a CoNLL-U file into a CoNLL-U file; return the number of tokens."""
    with job.open_target() as stream:
        check_names(job.columns)
        return _ConlluTagging(job, stream).run()


class _ConlluTagging(BlockTagging):
    marks = CONLLU_MARKS

    def checked_blocks(self) -> Iterator[Block]:
        blocks = self.blocks()
        return _checked(blocks, self.check, self.job.options.batch) if self.check else blocks

    def tag_plain(self, block: Block) -> TaggedBlock | None:
        text = ConlluText(block.text)
        is_plain = text.is_plain and CONFIDENCE not in block.text
        found = self.native_labels(text, _NAMES) if is_plain else None
        if found is None:
            return None
        return TaggedBlock(text.write_labels(*found, _NAMES.index(self.label.name)), len(text.begin) - 1, len(text))

    def read(self, block: Block) -> Iterator[Sentence]:
        from perceptag.tagging.old_results import without_old_results  # few files need it

        return (without_old_results(sentence, [self.label.name]) for sentence in sentences_by_lines(block))

    def write(self, sentences: list[Sentence]) -> None:
        write_conllu(sentences, self.stream)


def _checked(blocks: Iterator[Block], check: Check, tokens: int) -> Iterator[Block]:
    """The same blocks, after `check` has seen the first sentences, with at least `tokens` tokens."""
    first: list[Block] = []
    sentences: list[Sentence] = []
    size, values = 0, SharedValues()
    for block in blocks:
        first.append(block)
        for sentence in sentences_of(block, values):
            sentences.append(sentence)
            size += len(sentence)
            if size >= tokens:  # what comes next is read later, its errors too
                break
        if size >= tokens:
            break
    if sentences:
        check(sentences)
    yield from first
    yield from blocks


Group = TypeVar("Group")
Result = TypeVar("Result")


def batchwise(
    work: Callable[[Group], Result], groups: Iterable[Group], ahead: bool = True, workers: int = 1
) -> Iterator[tuple[Group, Result]]:
    """Do the work of each group in turn. With `ahead`, read and begin the next groups while native code is busy.

    The first group is done at once: a single one needs no thread.
    """
    rest = iter(groups)
    for group in islice(rest, 1) if ahead else rest:
        yield group, work(group)
    for second in islice(rest, 1):
        yield from _ahead(work, chain([second], rest), workers)


def _ahead(work: Callable[[Group], Result], groups: Iterable[Group], workers: int) -> Iterator[tuple[Group, Result]]:
    from concurrent.futures import ThreadPoolExecutor  # short texts need not wait for it

    with ThreadPoolExecutor(workers) as pool:
        waiting: deque[tuple[Group, Future[Result]]] = deque()
        for group in groups:
            waiting.append((group, pool.submit(work, group)))
            if len(waiting) > workers:
                yield _done(*waiting.popleft())
        while waiting:
            yield _done(*waiting.popleft())


def _done(group: Group, result: Future[Result]) -> tuple[Group, Result]:
    return group, result.result()
