"""Prepare labelled sentences for a second look, and find labels that break the scheme of their spans.

Empty sentences are dropped, and spans are written in one scheme. Labels break their scheme by I- without B-, by a type
that changes, and by mixed schemes.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import chain
from typing import Any

from perceptag.errors import DataError
from perceptag.inspecting.regions import INSIDE, units, written
from perceptag.labels.label_set import labels_of
from perceptag.labels.schemes import (
    SCHEMES,
    Span,
    base_of,
    belongs,
    detect_scheme,
    join_label,
    repair,
    spelling_of,
    split_label,
    violations,
)
from perceptag.text.documents import iter_documents
from perceptag.text.sentence import Sentence


@dataclass(frozen=True)
class LabelledData:
    """Sentences with labels in one column."""

    sentences: list[Sentence]  # with labels as models learn them
    numbers: list[int]  # of these sentences in the user's data
    given: list[list[Span]]  # what their labels mark
    column: str
    scheme: str  # of the user's labels; "none": they do not mark spans

    @property
    def of_spans(self) -> bool:
        """Whether labels mark spans."""
        return self.scheme != "none"

    @property
    def inside(self) -> str:
        """The scheme of the labels that models learn."""
        return INSIDE if self.of_spans else "none"

    def document(self, place: int) -> tuple[list[Sentence], int]:
        """Return the document of a sentence, and the place of the sentence there."""
        before = 0
        for document in iter_documents(self.sentences):
            if place < before + len(document):
                return document, place - before
            before += len(document)
        raise IndexError(place)


def scheme_of_data(labels: Sequence[Sequence[str]]) -> str:
    """Return the scheme of all labels, in its spelling: BILOU is not called IOBES here."""
    scheme = detect_scheme(labels)
    return spelling_of(chain.from_iterable(labels)) if scheme == "IOBES" else scheme


def labelled(sentences: Sequence[Sentence], column: str) -> LabelledData:
    """Read sentences with labels in `column`. Labels that break their scheme are read as conlleval reads them."""
    numbers = [i for i, sentence in enumerate(sentences) if len(sentence)]
    labels = [labels_of(sentences[i], column) for i in numbers]
    scheme = scheme_of_data(labels)
    given = [units(y, scheme) for y in labels]
    inside = INSIDE if scheme != "none" else "none"
    rewritten = [
        replace(
            sentences[i], columns={**_columns(sentences[i], column), column: written(found, len(sentences[i]), inside)}
        )
        for i, found in zip(numbers, given, strict=True)
    ]
    return LabelledData(rewritten, numbers, given, column, scheme)


def _columns(sentence: Sentence, label: str) -> dict[str, list[str]]:
    """Return the columns of a sentence; if none is called form, the first one holds the words."""
    first = "form" if "form" in sentence.columns else next(iter(sentence.columns))
    if first == label:
        raise DataError(f"expected words in a column of their own, found the labels in {label!r}", sentence.where())
    return {"form" if name == first else name: values for name, values in sentence.columns.items()}


@dataclass(frozen=True, slots=True)
class SchemeFault:
    """A label that breaks the scheme, and the label that is probably meant: conlleval's reading of the spans has it."""

    sentence: int  # its number in the data, from 0
    token: int
    found: str
    expected: str
    fault: str  # in words
    scheme: str  # that most labels follow
    valid_in: str  # another scheme that the whole sentence follows, or an empty string

    def to_dict(self) -> dict[str, Any]:
        """A dictionary for JSON."""
        return asdict(self)


def scheme_faults(sentences: Sequence[Sentence], column: str) -> list[SchemeFault]:
    """Return all labels of `column` that break the scheme which most labels follow. Other labels cannot break any."""
    given = [labels_of(sentence, column) for sentence in sentences if len(sentence)]
    scheme = scheme_of_data(given)
    if scheme == "none":
        return []
    types = {split_label(label)[1] for labels in given for label in labels}
    return [
        fault
        for number, sentence in enumerate(sentences)
        if len(sentence)
        for fault in _faults(number, labels_of(sentence, column), scheme, types)
    ]


def _faults(number: int, labels: Sequence[str], scheme: str, types: Collection[str]) -> list[SchemeFault]:
    broken = violations(labels, scheme)
    if not broken:
        return []
    expected = repair([_meant(label, scheme, types) for label in labels], scheme)
    others = [other for other in SCHEMES if other != base_of(scheme) and not violations(labels, other)]
    valid_in = others[0] if others else ""
    return [SchemeFault(number, t, labels[t], expected[t], fault, scheme, valid_in) for t, fault in broken]


def _meant(label: str, scheme: str, types: Collection[str]) -> str:
    """Return what a label that the scheme does not have stands for: a type of the data without its letter, or O."""
    if belongs(label, scheme) or split_label(label)[1]:
        return label
    return join_label("I", label) if label in types else "O"
