"""Prepare labelled sentences for the review: drop empty ones, and write spans in one scheme."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import chain

from perceptag.errors import DataError
from perceptag.labels.label_set import labels_of
from perceptag.labels.schemes import Span, detect_scheme, spelling_of
from perceptag.review.regions import INSIDE, units, written
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
