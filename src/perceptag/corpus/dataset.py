"""Sentences brought into the form that the core takes: columns, offsets, label ids."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from perceptag.errors import DataError, nearest
from perceptag.features import gazetteer
from perceptag.features.document_columns import COLUMNS as DOCUMENT_COLUMNS
from perceptag.features.document_columns import document_column
from perceptag.labels.label_set import LabelSet
from perceptag.numeric.arrays import Ints, offsets
from perceptag.text.documents import split_documents
from perceptag.text.sentence import Sentence

# A column that is computed from whole sentences rather than read: one value, or a tuple of values, per token.
Computed = Callable[[Sequence[Sentence]], Sequence[Sequence[Hashable]]]


@dataclass(slots=True)
class Dataset:
    """Sentences as the core takes them."""

    columns: dict[str, Sequence[Sequence[Hashable]]]
    begin: Ints  # [N + 1] where sentences begin
    units: Ints  # [sequences + 1] where sequences begin, which are sentences or documents
    labels: Ints  # [tokens], or empty


@dataclass(frozen=True, slots=True)
class SequenceReader:
    """Reads sentences as a model takes them: the columns that it looks at, cut into its sequences.

    Everything that a model does with sentences (tagging, margins, explanations) reads them with the same reader, so
    that all of it is about the same sequences.
    """

    columns: Sequence[str]
    computed: Mapping[str, Computed] = field(default_factory=dict)  # columns that are computed rather than read
    unit: str = "sentence"  # what a sequence is; "document": all sentences of a document are one

    def read(self, sentences: Sequence[Sentence], label_set: LabelSet | None = None) -> Dataset:
        """Take the columns, and the ids of the labels if there is a label set."""
        columns: dict[str, Sequence[Sequence[Hashable]]] = {
            name: self.computed[name](sentences) if name in self.computed else _column(sentences, name)
            for name in self.columns
        }
        labels = label_set.ids(sentences) if label_set else []
        begin = offsets([len(s) for s in sentences])
        units = begin
        if self.unit == "document":
            units = offsets([sum(map(len, document)) for document in split_documents(sentences)])
        return Dataset(columns, begin, units, np.array(labels, np.int32))

    def sequences(self, sentences: Sequence[Sentence]) -> list[list[Sentence]]:
        """The sentences of each sequence."""
        return split_documents(sentences) if self.unit == "document" else [[s] for s in sentences]

    def looks_at_documents(self) -> bool:
        """Whether what is read of a sentence may depend on the others of its document."""
        return self.unit == "document" or any(column in DOCUMENT_COLUMNS for column in self.columns)


def batches(sentences: Sequence[Sentence], tokens: int) -> Iterator[list[Sentence]]:
    """Whole documents together, a new batch after so many tokens: for what is kept of every label of every token."""
    batch: list[Sentence] = []
    found = 0
    for document in split_documents(sentences):
        batch += document
        found += sum(map(len, document))
        if found >= tokens:
            yield batch
            batch, found = [], 0
    yield batch


def computed_columns(lists: gazetteer.Gazetteer | None, training: bool = False) -> dict[str, Computed]:
    """The columns that are computed rather than read; `training`: for the data that the gazetteer came from."""
    columns: dict[str, Computed] = {name: document_column(name) for name in DOCUMENT_COLUMNS}
    if lists is not None:
        columns[gazetteer.COLUMN] = lambda sentences: lists.column(sentences, training)
    return columns


def _column(sentences: Sequence[Sentence], name: str) -> list[Sequence[Hashable]]:
    try:
        return [s.columns[name] for s in sentences]
    except KeyError:
        for s in sentences:
            if name not in s.columns:
                have = ", ".join(s.columns)
                raise DataError(
                    f"the model looks at column {name!r}, but there is only {have}{nearest(name, s.columns)}",
                    s.where(),
                ) from None
        raise
