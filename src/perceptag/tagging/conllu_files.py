"""Tag CoNLL-U files without an object for each token.

A block is plain if nothing is wrong with it; `perceptag.text.conllu` reads the others, and reports the error.
"""

from __future__ import annotations

from collections.abc import Iterator

from perceptag._core import ConlluText, SharedValues
from perceptag.models.protocol import ReadyModel
from perceptag.tagging.block_tagging import BlockTagging, TaggedBlock
from perceptag.tagging.job import Check, TagJob
from perceptag.text import open_output
from perceptag.text.conllu import CONLLU_COLUMNS, check_names, sentences_by_lines, sentences_of, write_conllu
from perceptag.text.lines import Block
from perceptag.text.sentence import Sentence
from perceptag.text.whole_documents import CONLLU_MARKS

_NAMES = ("id", *CONLLU_COLUMNS)


def takes_conllu(ready: ReadyModel) -> bool:
    """Whether a model takes column text, and CoNLL-U has all columns that it reads."""
    return ready.takes_column_text and set(ready.reader.given) <= set(CONLLU_COLUMNS)


def tag_conllu(job: TagJob) -> int:
    """Tag a CoNLL-U file into a CoNLL-U file; return the number of tokens."""
    with open_output(job.target) as stream:
        check_names(job.columns)
        return _ConlluTagging(job, stream).run()


class _ConlluTagging(BlockTagging):
    marks = CONLLU_MARKS

    def checked_blocks(self) -> Iterator[Block]:
        blocks = self.blocks()
        return _checked(blocks, self.check, self.job.options.batch) if self.check else blocks

    def tag_plain(self, block: Block) -> TaggedBlock | None:
        text = ConlluText(block.text)
        found = self.native_labels(text, _NAMES) if text.is_plain else None
        if found is None:
            return None
        return TaggedBlock(text.write_labels(*found, _NAMES.index(self.label.name)), len(text.begin) - 1, len(text))

    def read(self, block: Block) -> Iterator[Sentence]:
        return sentences_by_lines(block)

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
