"""Tagging of CoNLL-U files without an object for every token.

    file ─▶ blocks of lines ─▶ native places of words ─▶ type ids ─▶ labels ─▶ the same lines with labels

A block with a fault is read by `perceptag.text.conllu`, which says what is wrong where.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import IO, Any, NamedTuple

from perceptag._core import ConlluText, SharedValues
from perceptag.errors import DataError
from perceptag.models.protocol import ReadyModel
from perceptag.system.output_files import bytes_writer
from perceptag.text.batches import batchwise
from perceptag.text.conllu import CONLLU_COLUMNS, check_names, sentences_by_lines, sentences_of, write_conllu
from perceptag.text.format import Names
from perceptag.text.lines import Block, Source, whole_paragraphs
from perceptag.text.sentence import Sentence
from perceptag.text.whole_documents import CONLLU_MARKS, whole_documents

Check = Callable[[list[Sentence]], None]
_NAMES = ("id", *CONLLU_COLUMNS)


def takes_conllu(ready: ReadyModel) -> bool:
    """Whether a model can be used for `tag_conllu`: it takes column text, and all its columns are in the file."""
    return ready.takes_column_text and set(ready.reader.given) <= set(CONLLU_COLUMNS)


def tag_conllu(
    ready: ReadyModel,
    source: Source,
    columns: Names,
    stream: IO[Any],
    label: str,
    threads: int,
    check: Check | None,
    judged: int,
) -> int:
    """Tag a CoNLL-U file into a stream with a model that takes column text; return the number of tokens.

    `check` may refuse the first sentences, of at least `judged` tokens, before anything is written.
    """
    check_names(columns)
    blocks = whole_paragraphs(source)
    if ready.looks_at_documents():
        blocks = whole_documents(blocks, CONLLU_MARKS)
    if check:
        blocks = _checked(blocks, check, judged)
    put = bytes_writer(stream)
    tokens = 0
    for block, tagged in batchwise(partial(_tagged, ready, label), blocks, ahead=threads > 1, workers=threads):
        if tagged is None:
            tokens += _tag_sentences(ready, block, stream, label, threads)
        else:
            put(tagged.lines)
            tokens += tagged.tokens
        stream.flush()
    return tokens


class _Tagged(NamedTuple):
    """A block with its labels."""

    lines: bytes
    tokens: int


def _tagged(ready: ReadyModel, label: str, block: Block) -> _Tagged | None:
    """Tag a block in which nothing is wrong; any number of threads may do so."""
    text = ConlluText(block.text)
    if not text.is_plain:
        return None
    try:
        labels, numbers = ready.tag_column_text(text, _NAMES)
    except DataError:  # the other way names the line
        return None
    return _Tagged(text.write_labels(labels, numbers, _NAMES.index(label)), len(text))


def _tag_sentences(ready: ReadyModel, block: Block, stream: IO[Any], label: str, threads: int) -> int:
    """Tag a block with a fault, which is reported here; only one of more than 2 GB has none."""
    sentences = list(sentences_by_lines(block))
    for sentence, labels in zip(sentences, ready.tag(sentences, threads), strict=True):
        sentence.columns[label] = labels
    write_conllu(sentences, stream)
    return sum(map(len, sentences))


def _checked(blocks: Iterator[Block], check: Check, tokens: int) -> Iterator[Block]:
    """The same blocks, after `check` has seen the first sentences, of so many tokens."""
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
