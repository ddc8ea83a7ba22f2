"""Sentences brought into the form that the core takes: columns, offsets, label ids."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

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
    labels: Ints  # [tokens], or empty

    def __len__(self) -> int:
        return len(self.begin) - 1


def make_dataset(
    sentences: Sequence[Sentence],
    wanted: Iterable[str],
    label_set: LabelSet | None = None,
    computed: Mapping[str, Computed] | None = None,
) -> Dataset:
    """Take the wanted columns, and the label ids if there is a labelling."""
    computed = computed or {}
    names = list(dict.fromkeys(wanted))
    columns: dict[str, Sequence[Sequence[Hashable]]] = {}
    for name in names:
        columns[name] = computed[name](sentences) if name in computed else _column(sentences, name)
    labels = label_set.ids(sentences) if label_set else []
    return Dataset(columns, offsets([len(s) for s in sentences]), np.array(labels, np.int32))


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


def document_begins(sentences: Sequence[Sentence]) -> Ints:
    """Where documents begin among all tokens, and where the last one ends."""
    return offsets([sum(map(len, document)) for document in split_documents(sentences)])
