"""Convert sentences to the arrays of the core: columns, offsets, label ids."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from perceptag.arrays import Ints, np, offset_view, offsets
from perceptag.errors import DataError, nearest
from perceptag.features import gazetteer
from perceptag.features.document_columns import COLUMNS as DOCUMENT_COLUMNS
from perceptag.features.document_columns import numbered_columns, read_documents
from perceptag.labels.label_set import LabelSet
from perceptag.text.documents import split_documents
from perceptag.text.sentence import Sentence, has_rules

# Computes a column from whole sentences: one value, or a tuple of values, per token.
Computed = Callable[[Sequence[Sentence]], Sequence[Sequence[Hashable]]]


@dataclass(slots=True, eq=False)
class Dataset:
    """Sentences in the form that the core needs."""

    columns: dict[str, Any]  # values of each sequence by column, or numbered; `Documents`: the encoder computes them
    begin: Ints  # [N + 1] where each sentence begins
    units: Ints  # [sequences + 1] where each sequence begins; a sequence is a sentence or a document
    labels: Ints  # [tokens], or empty
    ruled: Sequence[Sentence] = ()  # all sentences, if rules say something about one of them


@dataclass(frozen=True, slots=True, eq=False)
class SequenceReader:
    """Reads sentences for a model: the columns that it looks at, cut into its sequences.

    Everything that a model does with sentences (tagging, margins, explanations) uses the same reader, and so the same
    sequences.
    """

    columns: Sequence[str]
    computed: Mapping[str, Computed] = field(default_factory=dict)  # computed columns by name
    unit: str = "sentence"  # what a sequence is: a "sentence", or all sentences of a "document"
    is_native: bool = False  # whether the computed columns are left to the encoder, which computes them natively

    @property
    def given(self) -> list[str]:
        """The columns that are read, not computed."""
        return [name for name in self.columns if name not in self.computed]

    def read(self, sentences: Sequence[Sentence], label_set: LabelSet | None = None) -> Dataset:
        """Read the columns, and the ids of the labels if there is a label set."""
        columns = self.values(sentences)
        labels = label_set.ids(sentences) if label_set else []
        begin = offsets([len(s) for s in sentences])
        units = begin
        if self.unit == "document":
            units = offsets([sum(map(len, document)) for document in split_documents(sentences)])
        ruled = sentences if has_rules(sentences) else ()
        return Dataset(columns, begin, units, np.array(labels, np.int32), ruled)

    def values(self, sentences: Sequence[Sentence]) -> dict[str, Any]:
        """Return the columns alone, as a `Dataset` has them."""
        ready = self._computed(sentences)
        return {name: ready[name] if name in ready else _column(sentences, name) for name in self.columns}

    def units(self, sentences: Sequence[Sentence]) -> Ints:
        """Return where each sequence begins, as a view of memory."""
        return offset_view(sum(map(len, sequence)) for sequence in self.sequences(sentences))

    def _computed(self, sentences: Sequence[Sentence]) -> dict[str, Any]:
        names = [name for name in self.columns if name in self.computed]
        if self.is_native and names:
            return dict.fromkeys(names, read_documents(sentences))
        of_documents = [name for name in names if name in DOCUMENT_COLUMNS]
        ready = numbered_columns(of_documents, sentences) if of_documents else {}  # all at once, which is faster
        return {name: ready[name] if name in ready else self.computed[name](sentences) for name in names}

    def sequences(self, sentences: Sequence[Sentence]) -> list[list[Sentence]]:
        """Return the sentences of each sequence."""
        return split_documents(sentences) if self.unit == "document" else [[s] for s in sentences]

    def looks_at_documents(self) -> bool:
        """Return whether the columns of a sentence may depend on the other sentences of its document."""
        return self.unit == "document" or any(column in DOCUMENT_COLUMNS for column in self.columns)


def computed_columns(lists: gazetteer.Gazetteer | None, documents: Sequence[int] | None = None) -> dict[str, Computed]:
    """Return the columns that are computed, not read.

    `documents`: those of the sentences that the gazetteer was learned from, for these sentences.
    """
    columns: dict[str, Computed] = {name: partial(_document_column, name) for name in DOCUMENT_COLUMNS}
    if lists is not None:
        columns |= {name: partial(lists.column, documents=documents, column=name) for name in gazetteer.COLUMNS}
    return columns


def _document_column(name: str, sentences: Sequence[Sentence]) -> Any:
    return numbered_columns([name], sentences)[name]


class PlacedValues(list[Sequence[Hashable]]):
    """The values of a column in each sentence, and where they come from."""

    def __init__(self, sentences: Sequence[Sentence], name: str) -> None:
        super().__init__([s.columns[name] for s in sentences])
        self._sentences = sentences

    def where(self, sentence: int, token: int) -> str:
        """Return the place of a value, for an error message."""
        return self._sentences[sentence].where(token)


def _column(sentences: Sequence[Sentence], name: str) -> PlacedValues:
    try:
        return PlacedValues(sentences, name)
    except KeyError:
        for s in sentences:
            if name not in s.columns:
                found = f"{', '.join(s.columns)}{nearest(name, s.columns)}"
                message = f"expected column {name!r}, which the model looks at; found {found}"
                raise DataError(f"{message}{_way_out(sentences, s, name)}", s.where()) from None
        raise


def _way_out(sentences: Sequence[Sentence], lacking: Sentence, name: str) -> str:
    """Say how to learn from a file some of whose sentences lack a column."""
    if not lacking.source or not any(s.source == lacking.source and name in s.columns for s in sentences):
        return ""
    return (
        f"; 'perceptag convert {lacking.source} OUT.txt' writes only the columns that all sentences have, to learn from"
    )
