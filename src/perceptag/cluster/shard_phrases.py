"""Make a gazetteer of the chunks in all shards, and mark its matches in each shard.

A training document must not see the phrases that are chunks in that document alone, so documents have numbers: those
that they have in all of the data.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence

import numpy as np

from perceptag.cluster.part_data import Flags, IndexedColumn, PartData
from perceptag.cluster.shard_labels import Parts, inner_labels
from perceptag.cluster.sources import Source
from perceptag.cluster.units import Shard, ShardPiece
from perceptag.features.gazetteer import SEVERAL, Chunks, Gazetteer
from perceptag.labels.label_set import LabelSet
from perceptag.labels.schemes import spans


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


def mark_piece(data: PartData, piece: ShardPiece, lists: Gazetteer, words: str, documents: Documents) -> IndexedColumn:
    """The column of marks of some sentences."""
    numbers = documents.numbers(data.starts_of(piece.first, piece.last, piece.starts))
    every = zip(sentences_of(data, piece, words), numbers, strict=True)
    return IndexedColumn.of([lists.match(tokens, number) for tokens, number in every])


def marks_of_shard(shard: Shard, parts: Parts, lists: Gazetteer, words: str) -> list[Hashable]:
    """The distinct marks of a shard, in the order in which they are first seen."""
    documents = Documents(shard)
    found: dict[Hashable, None] = {}
    for piece in shard.pieces:
        found |= dict.fromkeys(mark_piece(parts(piece.part), piece, lists, words, documents).values)
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
