"""Labels on their way into a model and out of it.

    data's labels (outer scheme) ──keep types──▶ ──convert or repair──▶ inner scheme ──▶ label ids

The model works with the inner scheme (say IOBES); what users give and get is the outer one (say IOB1).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from perceptag.errors import DataError, ModelError, SettingError, nearest
from perceptag.labels.pairs import transition_mask
from perceptag.labels.schemes import (
    SCHEMES,
    belongs,
    convert,
    count_transitions,
    detect_scheme,
    keep_types,
    scheme_of,
    violations,
)
from perceptag.text.sentence import Sentence

MAX_LABELS = 65_535  # as many as the core numbers
# With constraints every pair of labels is looked at, so a model has at most so many of them.
MAX_CONSTRAINED = 2048


def labels_of(sentence: Sentence, column: str) -> list[str]:
    """The column with the labels, or an error that says where it is missing."""
    if column not in sentence.columns:
        raise DataError(f"there is no column {column!r} with labels", sentence.where())
    return sentence.columns[column]


@dataclass(frozen=True, slots=True)
class LabelSet:
    """The label set of a model and how it relates to the labels of the data."""

    names: tuple[str, ...]  # by id, in the inner scheme
    inner: str
    outer: str
    column: str
    keep: tuple[str, ...] = ()
    repair: bool = False

    def read(self, sentence: Sentence) -> list[str]:
        """The sentence's labels in the inner scheme."""
        labels = labels_of(sentence, self.column)
        try:
            return self._to_inner(labels)
        except DataError:
            for t, label in enumerate(labels):
                if not belongs(label, self.outer):
                    raise DataError(f"{label} is not a label of {self.outer}", sentence.where(t)) from None
            raise

    def _to_inner(self, labels: Sequence[str]) -> list[str]:
        kept = keep_types(labels, self.keep) if self.keep else list(labels)
        if self.outer == "none" or (self.inner == self.outer and not self.repair):
            return kept
        return convert(kept, self.inner, self.outer)

    def complaints(self, sentences: Iterable[Sentence]) -> Iterator[tuple[str, str]]:
        """Where labels break the scheme of the data, and how."""
        if self.outer == "none":
            return
        for sentence in sentences:
            for t, complaint in violations(sentence.columns[self.column], self.outer):
                yield sentence.where(t), complaint

    def to_outer(self, labels: Sequence[str]) -> list[str]:
        """Labels of the model as the data writes them."""
        if self.inner == self.outer:
            return list(labels)
        return convert(labels, self.outer, self.inner)

    def gold(self, sentence: Sentence) -> list[str]:
        """The sentence's labels as the data writes them, of the kept types: what predictions are held against."""
        return self.to_outer(self.read(sentence)) if self.keep else labels_of(sentence, self.column)

    def ids(self, sentences: Iterable[Sentence]) -> list[int]:
        """The label ids of all tokens; a label that the model does not have is an error."""
        numbers = {name: i for i, name in enumerate(self.names)}
        found: list[int] = []
        for sentence in sentences:
            labels = self.read(sentence)
            for t, label in enumerate(labels):
                if label not in numbers:
                    raise DataError(
                        f"unknown label {label!r}{nearest(label, self.names)}; the model has {len(self.names)} labels",
                        sentence.where(t),
                    )
            found += [numbers[label] for label in labels]
        return found

    def mask(self) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.uint8]]:
        """Which transitions and last labels the inner scheme allows, flat."""
        allowed, last = transition_mask(self.names, self.inner)
        return allowed.astype(np.uint8).ravel(), last.astype(np.uint8)


def label_column(sentences: Sequence[Sentence], wanted: str = "") -> str:
    """The column with the labels: the one that is wanted, or the last one."""
    columns = list(sentences[0].columns)
    if len(columns) < 2 and wanted in ("", *columns):
        raise DataError(f"there is only one column ({columns[0]}): no labels to learn", sentences[0].where())
    if not wanted:
        return columns[-1]
    if wanted not in columns:
        raise SettingError(
            f"labels.column: there is no column {wanted!r}; the data has {', '.join(columns)}{nearest(wanted, columns)}"
        )
    return wanted


def learn_labels(
    sentences: Sequence[Sentence],
    *,
    column: str = "",
    keep: tuple[str, ...] = (),
    scheme: str = "auto",
    repair: bool = False,
    constrain: bool = False,
    earlier: LabelSet | None = None,
) -> LabelSet:
    """Find the label set of the training data, its scheme, and the scheme to use inside.

    With the labelling of an `earlier` model: its labels belong to the set as well, and its inner scheme stays.
    Labels that break the scheme are an error only where the model must not learn them: with `constrain`. A
    conversion reads them as conlleval does.
    """
    column = label_column(sentences, column)
    given = [labels_of(s, column) for s in sentences]
    outer = _outer_scheme(given, earlier)
    if outer == "none" and (keep or scheme in SCHEMES):
        key = "labels.keep" if keep else "labels.scheme"
        raise SettingError(f"{key}: the labels of column {column!r} are not chunks (IOB1, IOB2 or IOBES)")
    inner = scheme
    if earlier:
        inner = _same_scheme(earlier.inner, inner, outer, column)
    if inner == "auto":
        inner = "IOB2" if outer == "IOB1" else outer
    elif inner == "none":
        outer = "none"
    label_set = LabelSet((), inner, outer, column, keep, repair)
    if constrain and not repair and inner == outer:
        for where, complaint in label_set.complaints(sentences):
            raise DataError(f"{complaint}, which breaks {outer}; labels.repair=true repairs such labels", where)
    known = earlier.names if earlier else ()
    names = sorted({label for s in sentences for label in label_set.read(s)}.union(known))
    if constrain and len(names) > MAX_CONSTRAINED:
        raise SettingError(f"constrain: expected at most {MAX_CONSTRAINED} labels, found {len(names)}")
    if keep:
        found = {name.partition("-")[2] for name in names}
        for wanted in keep:
            if wanted not in found:
                raise SettingError(f"labels.keep: no chunk of type {wanted!r} in column {column!r}")
    return LabelSet(tuple(names), inner, outer, column, keep, repair)


def _outer_scheme(given: Sequence[Sequence[str]], earlier: LabelSet | None) -> str:
    """The scheme of the data; that of the earlier model where the data does not decide."""
    if earlier is None:
        return detect_scheme(given)
    return "none" if earlier.outer == "none" else scheme_of(count_transitions(given), prefer=earlier.outer)


def _same_scheme(expected: str, wanted: str, outer: str, column: str) -> str:
    """The inner scheme of an earlier model, if recipe and data can do with it."""
    if wanted not in ("auto", expected):
        raise ModelError(
            f"the model works with labels in {expected}; expected labels.scheme = 'auto' or {expected!r}, "
            f"found {wanted!r}"
        )
    if outer == "none" != expected:
        raise ModelError(
            f"the model has chunks ({expected}) for labels; expected chunks in column {column!r} too, found none"
        )
    return expected
