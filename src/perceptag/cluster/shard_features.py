"""Write the files of a shard, and number the features that occur in it.

The gazetteer of a shard has the chunks of all shards. A training document must not see the phrases that are chunks in
that document alone, so documents have numbers: those that they have in all of the data.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
import numpy.typing as npt

from perceptag import _core
from perceptag.arrays import Ints
from perceptag.cluster.part_data import Flags, IndexedColumn, PartData
from perceptag.cluster.shard_data import ShardData, ShardWriter
from perceptag.cluster.shard_labels import Parts, inner_labels, of_piece
from perceptag.cluster.sources import Source
from perceptag.cluster.units import Shard, ShardPiece
from perceptag.features.encoder import Encoder
from perceptag.features.gazetteer import COLUMNS, SEVERAL, Chunks, Gazetteer
from perceptag.features.tag_dictionary import ClosedWords
from perceptag.labels.label_set import LabelSet
from perceptag.labels.schemes import spans
from perceptag.models.document.features import JOINING

FORM = "form"
BLOCK = 1 << 16  # tokens whose feature rows are in memory at once


@dataclass(frozen=True, slots=True)
class Numbering:
    """How everything is numbered: what turns the parts of a shard into its files."""

    encoder: Encoder
    label_set: LabelSet
    closed: ClosedWords | None
    unit: str
    dictionary: _core.TagDictionary | None = None  # of the closed words
    lists: Gazetteer | None = None  # if they were learned from the data
    words: str = FORM  # the column that they are matched with
    has_documents: bool = False  # whether the learner sees documents and their words

    def marks(self, shard: Shard) -> dict[str, Callable[[PartData, ShardPiece], IndexedColumn]]:
        """What gives each column of marks of the lists for each piece of a shard, one after the other."""
        if self.lists is None:
            return {}
        return {name: partial(mark_piece, self.lists, name, self.words, Documents(shard)) for name in COLUMNS}


@dataclass(frozen=True, slots=True)
class ShardFeatures:
    """The features of a shard."""

    lists: list[tuple[Ints, Ints]]  # values and rows of each template
    supports: list[SupportArrays]  # by order, with the rows of the shard
    transitions: dict[int, npt.NDArray[np.uint64]]  # how often each occurs, by order
    active: int


def write_shard(folder: Path, shard: Shard, parts: Parts, source: Source, numbering: Numbering) -> None:
    """Put the tokens of a shard into numbers, part by part."""
    encoder, closed = numbering.encoder, numbering.closed
    writer = ShardWriter(folder, len(encoder.columns), closed is not None, numbering.has_documents)
    numbers = {name: i for i, name in enumerate(numbering.label_set.names)}
    marked, document_words = numbering.marks(shard), WordsOfDocuments(shard)
    lengths, starts = [np.zeros(0, np.int32)], [np.zeros(0, np.bool_)]
    for piece in shard.pieces:
        data = parts(piece.part)
        a, b = data.begin[piece.first], data.begin[piece.last]
        for c, name in enumerate(encoder.columns):
            column = marked[name](data, piece) if name in marked else of_piece(data.columns[name], data, piece)
            writer.add(f"ids-{c}", np.asarray(encoder.lexicons[name].numbers([column.values]))[column.ids])
        labels = inner_labels(data, piece, numbering.label_set, source)
        writer.add("labels", np.array([numbers[str(y)] for y in labels.values], np.int32)[labels.ids])
        if closed is not None:
            entries = np.asarray(closed.find([data.columns[FORM].values]))
            writer.add("closed", entries[data.columns[FORM].ids[a:b]])
        if numbering.has_documents:
            for name, values in document_words.numbers(data, piece, numbering.words).items():
                writer.add(name, values)
        lengths.append(np.diff(data.begin[piece.first : piece.last + 1]))
        starts.append(data.starts_of(piece.first, piece.last, piece.starts))
    tokens, begins = np.concatenate(lengths), _document_begins(np.concatenate(starts))
    if numbering.unit == "document" and len(tokens):
        tokens = np.add.reduceat(tokens, begins).astype(np.int32)
        begins = np.arange(len(tokens))
    writer.close(tokens, begins)


def _document_begins(starts: Flags) -> npt.NDArray[np.intp]:
    """The numbers of the sentences with which documents begin: each before the first mark is a document."""
    return np.flatnonzero(starts | ~np.logical_or.accumulate(starts))


def survey_features(data: ShardData, encoder: Encoder, labels: int) -> ShardFeatures:
    """Find all features of a shard, block by block, and count what goes with them."""
    index, tables = encoder.new_index(), encoder.tables()
    supports = [SupportSum() for _ in range(3)]
    transitions = {y: np.zeros(_core.combinations(y, labels), np.uint64) for y in sorted(encoder.plain_orders)}
    active = 0
    for first, last in data.blocks(BLOCK):
        ids, begin, gold, closed = data.block(first, last)
        corpus = _core.encode_new(index, tables, ids, begin, gold, closed)
        for order, support in enumerate(supports):
            support.add(_core.count_support(corpus, order, index.rows(order), labels))
        for order in transitions:
            transitions[order] += _core.count_transitions(corpus, order, labels)
        active = max(active, corpus.active)
    lists = [index.list(i) for i in range(len(encoder.templates))]
    return ShardFeatures(lists, [to_arrays(support.total()) for support in supports], transitions, active)


def most_active(data: ShardData, encoder: Encoder) -> int:
    """The largest number of features at one token, after rare ones have been dropped."""
    index, tables, active = encoder.frozen_index, encoder.tables(), 0
    for first, last in data.blocks(BLOCK):
        active = max(active, _core.encode(index, tables, *data.block(first, last)).active)
    return active


def columns_to_read(columns: Sequence[str], words: Sequence[str], learns_lists: bool) -> tuple[str, ...]:
    """The columns that templates look at, and those of the words. Lists that are learned mark phrases later."""
    read = [name for name in columns if not (learns_lists and name in COLUMNS)]
    return tuple(dict.fromkeys([*read, *words]))


_Counts = npt.NDArray[np.uint32]
SupportArrays = tuple[_Counts, _Counts, _Counts]  # which can be sent to another process


class SupportSum:
    """The sum of some supports.

    Supports are joined only with others of about the same size, so each count is moved a few times at most.
    """

    def __init__(self) -> None:
        self._parts: list[_core.Support] = []

    def add(self, support: _core.Support) -> None:
        """Add a support."""
        self._parts.append(support)
        while len(self._parts) > 1 and len(self._parts[-2].codes) < 2 * len(self._parts[-1].codes):
            last = [self._parts.pop(), self._parts.pop()]
            self._parts.append(_core.sum_support(last))

    def total(self) -> _core.Support:
        """The sum."""
        if len(self._parts) != 1:
            self._parts = [_core.sum_support(self._parts)]
        return self._parts[0]


def to_arrays(support: _core.Support) -> SupportArrays:
    """The arrays that a support can be made from again."""
    return support.begin, support.codes, support.counts


class Documents:
    """Numbers the documents of a shard, piece by piece."""

    def __init__(self, shard: Shard) -> None:
        self._next = shard.first_unit
        self._marked = False  # whether there was a mark in this shard

    def numbers(self, starts: Flags) -> list[int]:
        """The number of the document of each sentence of the next piece."""
        begins = starts | ~(np.logical_or.accumulate(starts) | self._marked)
        found: list[int] = (self._next - 1 + np.cumsum(begins)).tolist()
        self._next += int(begins.sum())
        self._marked = self._marked or bool(starts.any())
        return found


class WordsOfDocuments:
    """Numbers the words of each document of a shard, piece by piece, as `number_words` does."""

    def __init__(self, shard: Shard) -> None:
        self._documents = Documents(shard)
        self._document = -1
        self._known: dict[str, int] = {}

    def numbers(self, data: PartData, piece: ShardPiece, words: str) -> dict[str, Ints]:
        """The number of each word in its document, and whether it joins mentions."""
        found, joins = list[int](), list[bool]()
        of = self._documents.numbers(data.starts_of(piece.first, piece.last, piece.starts))
        for document, tokens in zip(of, sentences_of(data, piece, words), strict=True):
            if document != self._document:
                self._document, self._known = document, {}
            found += [self._known.setdefault(word, len(self._known)) for word in tokens]
            joins += [word in JOINING for word in tokens]
        return {"words": np.array(found, np.int32), "joins": np.array(joins, np.int32)}


def find_chunks(shard: Shard, parts: Parts, source: Source, label_set: LabelSet, words: str) -> Chunks:
    """The chunks of a shard, each with its document, or `SEVERAL`."""
    documents, chunks = Documents(shard), Chunks()
    for piece in shard.pieces:
        data = parts(piece.part)
        labels = inner_labels(data, piece, label_set, source)
        begin = data.begin[piece.first : piece.last + 1] - data.begin[piece.first]
        numbers = documents.numbers(data.starts_of(piece.first, piece.last, piece.starts))
        for k, tokens in enumerate(sentences_of(data, piece, words)):
            own = [str(labels.values[y]) for y in labels.ids[begin[k] : begin[k + 1]].tolist()]
            for span in spans(own, label_set.inner):
                key = span.label, tuple(tokens[span.start : span.end])
                chunks[key] = numbers[k] if chunks.get(key, numbers[k]) == numbers[k] else SEVERAL
    return chunks


def mark_piece(
    lists: Gazetteer, column: str, words: str, documents: Documents, data: PartData, piece: ShardPiece
) -> IndexedColumn:
    """A column of marks of some sentences."""
    numbers = documents.numbers(data.starts_of(piece.first, piece.last, piece.starts))
    every = zip(sentences_of(data, piece, words), numbers, strict=True)
    return IndexedColumn.of([lists.match(tokens, number, column) for tokens, number in every])


def marks_of_shard(shard: Shard, parts: Parts, lists: Gazetteer, column: str, words: str) -> list[Hashable]:
    """The distinct marks of a column of a shard, in the order in which they are first seen."""
    documents = Documents(shard)
    found: dict[Hashable, None] = {}
    for piece in shard.pieces:
        found |= dict.fromkeys(mark_piece(lists, column, words, documents, parts(piece.part), piece).values)
    return list(found)


def sentences_of(data: PartData, piece: ShardPiece, words: str) -> Iterator[Sequence[str]]:
    """The words of some sentences."""
    column, begin = data.columns[words], data.begin
    for k in range(piece.first, piece.last):
        yield [str(column.values[i]) for i in column.ids[begin[k] : begin[k + 1]].tolist()]


def merge_chunks(found: Sequence[Chunks]) -> Chunks:
    """The chunks of all shards."""
    merged = Chunks()
    for chunks in found:
        for key, document in chunks.items():
            merged[key] = document if merged.get(key, document) == document else SEVERAL
    return merged
