"""Survey the labels of a shard before they are numbered: names, closed words, and the digest of the shard."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from perceptag.arrays import Ints
from perceptag.cluster.part_data import IndexedColumn, PartData, label_lists, read_filled
from perceptag.cluster.sources import Source
from perceptag.cluster.units import Shard, ShardPiece
from perceptag.errors import DataError
from perceptag.labels.label_set import LabelSet
from perceptag.labels.schemes import violations
from perceptag.text.sentence import Sentence

Parts = Callable[[int], PartData]
Words = dict[str, tuple[int, frozenset[str]]]  # how often, and with which labels; in the order of first occurrence


@dataclass(frozen=True, slots=True)
class ShardLabels:
    """The labels of a shard."""

    sha256: str
    tokens: int
    names: frozenset[str]  # in the scheme that is used inside the model
    words: Words
    broken: tuple[str, str] | None  # where a label first breaks the scheme, and how


def survey_labels(
    shard: Shard, parts: Parts, source: Source, schemes: LabelSet, forms: str, find_broken: bool
) -> ShardLabels:
    """Look at the labels of a shard. `forms`: the column of words to be closed, or empty."""
    sha, tokens = hashlib.sha256(), 0
    names: set[str] = set()
    words: dict[str, tuple[int, set[str]]] = {}
    broken = None
    for piece in shard.pieces:
        data = parts(piece.part)
        sha.update(_text(data, piece))
        inner = inner_labels(data, piece, schemes, source)
        names.update(str(inner.values[i]) for i in np.unique(inner.ids).tolist())
        tokens += len(inner.ids)
        if forms:
            _add_words(words, of_piece(data.columns[forms], data, piece), inner)
        if find_broken and broken is None:
            broken = _first_broken(data, piece, schemes, source)
    closed = {word: (count, frozenset(labels)) for word, (count, labels) in words.items()}
    return ShardLabels(sha.hexdigest(), tokens, frozenset(names), closed, broken)


def _text(data: PartData, piece: ShardPiece) -> bytes:
    """What the digest is made of. A mark in an earlier part belongs to the first sentence."""
    text = data.text[data.text_begin[piece.first] : data.text_begin[piece.last]]
    return b"\2" + text[1:] if piece.starts else text


def of_piece(column: IndexedColumn, data: PartData, piece: ShardPiece) -> IndexedColumn:
    """The same column for some sentences only."""
    return IndexedColumn(column.values, column.ids[data.begin[piece.first] : data.begin[piece.last]])


def inner_labels(data: PartData, piece: ShardPiece, label_set: LabelSet, source: Source) -> IndexedColumn:
    """The labels of some sentences in the scheme that is used inside the model."""
    if label_set.reads_one_by_one:
        own = of_piece(data.labels, data, piece)
        return IndexedColumn(list(label_set.read(Sentence({label_set.column: list(map(str, own.values))}))), own.ids)
    try:
        lists = label_lists(data, piece.first, piece.last)
        return IndexedColumn.of([label_set.read(Sentence({label_set.column: labels})) for labels in lists])
    except DataError:
        for sentence in read_filled(source, piece.part, exact=True)[0]:
            label_set.read(sentence)  # which says where it is
        raise


def _add_words(words: dict[str, tuple[int, set[str]]], forms: IndexedColumn, labels: IndexedColumn) -> None:
    """Count words, and collect their labels."""
    for number, (count, seen) in _labels_of_words(forms.ids, labels.ids):
        word = str(forms.values[number])
        before, known = words.get(word, (0, set()))
        words[word] = before + count, known | {str(labels.values[y]) for y in seen}


def _labels_of_words(forms: Ints, labels: Ints) -> Iterator[tuple[int, tuple[int, list[int]]]]:
    """Each word in the order of first occurrence: its number, how often it occurs, and its labels."""
    _, first, counts = np.unique(forms, return_index=True, return_counts=True)
    pairs = np.unique(forms.astype(np.int64) << 32 | labels)
    known: dict[int, list[int]] = {}
    for pair in pairs.tolist():
        known.setdefault(pair >> 32, []).append(pair & 0xFFFFFFFF)
    order = np.argsort(first)
    for i, count in zip(first[order].tolist(), counts[order].tolist(), strict=True):
        number = int(forms[i])
        yield number, (count, known[number])


def _first_broken(data: PartData, piece: ShardPiece, schemes: LabelSet, source: Source) -> tuple[str, str] | None:
    for k, labels in enumerate(label_lists(data, piece.first, piece.last), piece.first):
        for t, complaint in violations(labels, schemes.outer):
            return read_filled(source, piece.part, exact=True)[0][k].where(t), complaint
    return None
