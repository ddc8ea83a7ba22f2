"""Encode a part of the training data as arrays, cached on the local disk of the worker.

    part of a file ─▶ sentences ─▶ for each column its distinct values, and for each token the number of its value

Everything that is learned before the first pass is made of these numbers. They are a function of the part alone, so
any worker can make them again.
"""

from __future__ import annotations

import io
import json
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from itertools import chain, takewhile
from pathlib import Path
from threading import Lock

import numpy as np
import numpy.typing as npt

from perceptag.arrays import Ints, Longs, offsets
from perceptag.cluster.shared import write_whole
from perceptag.cluster.sources import Source
from perceptag.errors import PerceptagError
from perceptag.features.dataset import SequenceReader, computed_columns
from perceptag.features.document_columns import NumberedValues
from perceptag.features.gazetteer import Gazetteer
from perceptag.labels.label_set import labels_of
from perceptag.labels.schemes import Transitions, count_transitions
from perceptag.models.task import without_empty
from perceptag.text.documents import content
from perceptag.text.inputs import as_sentences
from perceptag.text.sentence import Sentence

Flags = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class PartColumns:
    """What is read from sentences besides their labels."""

    columns: tuple[str, ...]  # that templates look at, and that of the words if some of them are closed
    label: str
    gazetteer: Gazetteer | None = None

    def read(self, sentences: Sequence[Sentence]) -> dict[str, Sequence[Sequence[Hashable]] | NumberedValues]:
        """The values of all columns."""
        return SequenceReader(self.columns, computed_columns(self.gazetteer)).read(sentences).columns


@dataclass(slots=True)
class IndexedColumn:
    """The distinct values of a column in the order in which they are first seen, and the number of each token's."""

    values: list[Hashable]
    ids: Ints

    @classmethod
    def of(cls, sequences: Sequence[Sequence[Hashable]] | NumberedValues) -> IndexedColumn:
        """Number the values of some sequences, or those that have numbers already but occur several times."""
        if isinstance(sequences, NumberedValues):
            distinct = cls.of([sequences.values])
            return cls(distinct.values, distinct.ids[np.asarray(sequences.numbers)])
        numbers = _Numbers()
        ids = np.fromiter(map(numbers.__getitem__, chain.from_iterable(sequences)), np.int32)
        return cls(list(numbers), ids)


class _Numbers(dict[Hashable, int]):
    """Numbers of values, in the order in which they are first looked up."""

    def __missing__(self, value: Hashable) -> int:
        self[value] = number = len(self)
        return number


@dataclass(slots=True)
class PartData:
    """The sentences of a part, without empty ones, as numbers."""

    begin: Ints  # [N + 1] where each sentence begins among the tokens
    starts: Flags  # [N] which sentences start a document
    ends_marked: bool  # the first sentence after this part starts a document
    columns: dict[str, IndexedColumn]
    labels: IndexedColumn  # as the data writes them
    text: bytes  # of which the digest of the data is made
    text_begin: Longs  # [N + 1]

    def starts_of(self, first: int, last: int, marked: bool) -> Flags:
        """Which of some sentences start a document; `marked`: the first of them does."""
        starts: Flags = self.starts[first:last].copy()
        starts[:1] |= marked
        return starts


@dataclass(frozen=True, slots=True)
class PartFacts:
    """What the driver must know of a part before the data can be cut into shards."""

    sentences: int
    tokens: int
    starts: Ints  # numbers of the sentences that start a document
    ends_marked: bool
    transitions: Transitions  # between labels
    values: dict[str, list[Hashable]]  # the distinct values of each column


def facts_of(data: PartData) -> PartFacts:
    """The facts about a part."""
    starts = np.flatnonzero(data.starts).astype(np.int32)
    values = {name: column.values for name, column in data.columns.items()}
    transitions = count_transitions(label_lists(data, 0, len(data.starts)))
    return PartFacts(len(data.starts), int(data.begin[-1]), starts, data.ends_marked, transitions, values)


def label_lists(data: PartData, first: int, last: int) -> list[list[str]]:
    """The labels of some sentences, as the data writes them."""
    values, begin = data.labels.values, data.begin
    return [[str(values[i]) for i in data.labels.ids[begin[k] : begin[k + 1]].tolist()] for k in range(first, last)]


def make_part(source: Source, number: int, wanted: PartColumns, exact: bool = False) -> PartData:
    """Read a part and put it into numbers. Places are those of the file only if they are `exact`."""
    sentences, ends_marked = read_filled(source, number, exact)
    texts = [content(sentence) for sentence in sentences]
    return PartData(
        begin=offsets([len(s) for s in sentences]),
        starts=np.array([s.starts_document for s in sentences], np.bool_),
        ends_marked=ends_marked,
        columns={name: IndexedColumn.of(values) for name, values in wanted.read(sentences).items()},
        labels=IndexedColumn.of([labels_of(s, wanted.label) for s in sentences]),
        text=b"".join(texts),
        text_begin=np.cumsum([0, *map(len, texts)], dtype=np.int64),
    )


def read_filled(source: Source, number: int, exact: bool = False) -> tuple[list[Sentence], bool]:
    """The sentences of a part that have tokens, and whether a document starts with the sentence after them."""
    sentences = as_sentences(source.read(number, exact))
    empty_at_end = takewhile(lambda s: not len(s), reversed(sentences))
    return without_empty(sentences), any(s.starts_document for s in empty_at_end)


def get_part(root: Path, source: Source, number: int, wanted: PartColumns) -> PartData:
    """The numbers of a part: those on the disk, or else made and kept there."""
    path = root / f"part-{number}"
    try:
        return _from_bytes(path.read_bytes())
    except FileNotFoundError:
        made = _make_part(source, number, wanted)
        write_whole(path, [_to_bytes(made)])
        return made


def _to_bytes(data: PartData) -> bytes:
    """A part as arrays and JSON. Not pickled, so that write access to the files does not allow running code."""
    names = list(data.columns)
    values = [data.labels.values, *(data.columns[name].values for name in names)]
    about = json.dumps({"columns": names, "ends_marked": data.ends_marked, "values": values})
    ids = {f"ids{i}": data.columns[name].ids for i, name in enumerate(names)}
    stream = io.BytesIO()
    np.savez(
        stream,
        about=np.frombuffer(about.encode(), np.uint8),
        begin=data.begin,
        starts=data.starts,
        labels=data.labels.ids,
        text=np.frombuffer(data.text, np.uint8),
        text_begin=data.text_begin,
        **ids,  # type: ignore[arg-type]  # arrays, which the stub takes for the flag of savez
    )
    return stream.getvalue()


# NumPy parses the headers of arrays with `ast`, which fails now and then in two threads of Python 3.11 (gh-106905).
_PARSING = Lock()


def _from_bytes(data: bytes) -> PartData:
    with _PARSING, np.load(io.BytesIO(data), allow_pickle=False) as arrays:
        about = json.loads(arrays["about"].tobytes())
        labels, *columns = ([_hashable(value) for value in values] for values in about["values"])
        return PartData(
            begin=arrays["begin"],
            starts=arrays["starts"],
            ends_marked=about["ends_marked"],
            columns={
                name: IndexedColumn(values, arrays[f"ids{i}"])
                for i, (name, values) in enumerate(zip(about["columns"], columns, strict=True))
            },
            labels=IndexedColumn(labels, arrays["labels"]),
            text=arrays["text"].tobytes(),
            text_begin=arrays["text_begin"],
        )


def _hashable(value: str | list[str]) -> Hashable:
    return value if isinstance(value, str) else tuple(value)


def drop_parts(root: Path) -> None:
    """Delete the numbers of all parts, once those of the shards are there."""
    for path in root.glob("part-*"):
        path.unlink(missing_ok=True)


def _make_part(source: Source, number: int, wanted: PartColumns) -> PartData:
    try:
        return make_part(source, number, wanted)
    except PerceptagError:
        return make_part(source, number, wanted, exact=True)  # for the message
