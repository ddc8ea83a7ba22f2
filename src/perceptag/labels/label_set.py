"""The label set of a model, and conversion between its labels and those of the data.

    data's labels (outer scheme) ──keep types──▶ ──convert or repair──▶ inner scheme ──▶ label ids

The model uses the inner scheme (say IOBES). Users give and receive labels in the outer one (say IOB1). In the inner
scheme `EDITS` a label is the edit script that makes the data's label, a lemma, of the word.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, cast

from perceptag import _core
from perceptag.arrays import Ints, np
from perceptag.errors import DataError, ModelError, SettingError, nearest
from perceptag.labels.label_spellings import note_on_spelling
from perceptag.labels.pairs import mask_of, paired_labels
from perceptag.labels.schemes import (
    SCHEMES,
    Transitions,
    base_of,
    belongs,
    convert,
    count_transitions,
    in_scheme,
    keep_types,
    scheme_of,
    spelled_scheme,
    violations,
)
from perceptag.system.plural import plural
from perceptag.text.sentence import Sentence

if TYPE_CHECKING:
    import numpy.typing as npt

EDITS = "edits"
MAX_LABELS = 65_535  # the core can number no more
# The largest number of labels with constraints, which look at every pair of labels.
MAX_CONSTRAINED = 2048


def labels_of(sentence: Sentence, column: str) -> list[str]:
    """Return the column with the labels; raise `DataError` with file and line if it is missing."""
    if column not in sentence.columns:
        raise DataError(f"expected labels in column {column!r}, found no such column", sentence.where())
    return sentence.columns[column]


@dataclass(frozen=True, slots=True)
class LabelSet:
    """The labels of a model, and how they relate to the labels of the data."""

    names: tuple[str, ...]  # by id, in the inner scheme
    inner: str
    outer: str
    column: str
    keep: tuple[str, ...] = ()
    repair: bool = False

    def read(self, sentence: Sentence) -> list[str]:
        """Return the labels of a sentence in the inner scheme."""
        labels = labels_of(sentence, self.column)
        if self.is_open:
            from perceptag.labels.edit_scripts import script_of  # few models need it

            return list(map(script_of, sentence.tokens, labels))
        try:
            return self._to_inner(labels)
        except DataError:
            for t, label in enumerate(labels):
                if not belongs(label, self.outer):
                    hint = "; --set labels.missing=_ if it means that the label is not known" if label == "_" else ""
                    raise DataError(f"{label} is not a label of {self.outer}{hint}", sentence.where(t)) from None
            raise

    @property
    def is_open(self) -> bool:
        """Whether a model may give labels that the training data did not have."""
        return self.inner == EDITS

    @property
    def reads_one_by_one(self) -> bool:
        """Whether the meaning of a label is independent of its neighbours."""
        return self.outer == "none" or (self.inner == self.outer and not self.repair)

    def _to_inner(self, labels: Sequence[str]) -> list[str]:
        kept = keep_types(labels, self.keep) if self.keep else list(labels)
        return kept if self.reads_one_by_one else convert(kept, self.inner, self.outer)

    def seen(self, sentences: Iterable[Sentence], transitions: Transitions) -> frozenset[str]:
        """Return the different labels of sentences in the inner scheme; `transitions` has their labels as they are."""
        if self.is_open:
            from perceptag.labels.edit_scripts import shared_scripts  # few models need it

            return shared_scripts((s.tokens, labels_of(s, self.column)) for s in sentences)
        if self.reads_one_by_one:
            return frozenset(self._to_inner([label for _, label in transitions if label is not None]))
        return frozenset[str]().union(*map(self.read, sentences))

    def complaints(self, sentences: Iterable[Sentence]) -> Iterator[tuple[str, str]]:
        """Yield where labels break the scheme of the data, and how."""
        if self.outer == "none":
            return
        for sentence in sentences:
            for t, complaint in violations(sentence.columns[self.column], self.outer):
                yield sentence.where(t), complaint

    def to_outer(self, labels: Sequence[str]) -> list[str]:
        """Return labels of the model as the data writes them."""
        if self.inner == self.outer:
            return list(labels)
        return convert(labels, self.outer, self.inner)

    def gold(self, sentences: Iterable[Sentence]) -> list[list[str]]:
        """Return the labels that predictions are compared with: in the outer scheme, with the kept types only.

        Held-out data may have another scheme than the training data: the same spans, but other labels of tokens.
        """
        listed = self._in_outer_scheme(sentences)
        return [self.to_outer(self.read(s)) for s in listed] if self.keep else [s.columns[self.column] for s in listed]

    def _in_outer_scheme(self, sentences: Iterable[Sentence]) -> list[Sentence]:
        """Return sentences with their labels in the outer scheme; those that have it already are not copied."""
        listed = list(sentences)
        corpus = [labels_of(s, self.column) for s in listed]
        found = "none" if self.outer == "none" else _outer_scheme(count_transitions(corpus), self)
        if found in ("none", self.outer):
            return listed
        rewritten = [in_scheme(labels, self.outer, found) for labels in corpus]
        return [
            replace(s, columns={**s.columns, self.column: labels}) for s, labels in zip(listed, rewritten, strict=True)
        ]

    def ids(self, sentences: Iterable[Sentence]) -> list[int]:
        """Return the label ids of all tokens; raise `DataError` for unknown labels."""
        numbers = {name: i for i, name in enumerate(self.names)}
        found: list[int] = []
        for sentence in sentences:
            labels = self.read(sentence)
            try:
                found.extend(map(numbers.__getitem__, labels))
            except KeyError:
                t = next(t for t, label in enumerate(labels) if label not in numbers)
                raise DataError(
                    f"unknown label {labels[t]!r}{nearest(labels[t], self.names)}; "
                    f"the model has {plural(len(self.names), 'label')}",
                    sentence.where(t),
                ) from None
        return found

    def mask(self) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.uint8]]:
        """Return which transitions and which last labels the inner scheme allows, flat, for the core."""
        allowed, last = mask_of(self.names, self.inner)
        return cast("npt.NDArray[np.uint8]", allowed), cast("npt.NDArray[np.uint8]", last)


def label_column(sentences: Sequence[Sentence], wanted: str = "") -> str:
    """Return the name of the column with the labels: `wanted`, or the last column."""
    columns = list(sentences[0].columns)
    if len(columns) < 2 and wanted in ("", *columns):
        raise DataError(f"expected words and labels, found only one column ({columns[0]})", sentences[0].where())
    if not wanted:
        return columns[-1]
    if wanted not in columns:
        raise SettingError(
            f"labels.column: expected one of {', '.join(columns)}, found {wanted!r}{nearest(wanted, columns)}"
        )
    return wanted


def learn_labels(
    sentences: Sequence[Sentence],
    *,
    column: str,
    keep: tuple[str, ...],
    scheme: str,
    repair: bool,
    constrain: bool,
    earlier: LabelSet | None,
) -> LabelSet:
    """Find the label set of the training data, its scheme, and the scheme to use inside.

    If training continues from an `earlier` model, its labels belong to the set too, and its inner scheme stays.
    Labels that break the scheme are an error only with `constrain`, where the model must not learn them. A
    conversion reads them as conlleval does.
    """
    column = label_column(sentences, column)
    transitions = count_transitions(labels_of(s, column) for s in sentences)
    schemes = choose_schemes(transitions, column, keep=keep, scheme=scheme, repair=repair, earlier=earlier)
    if must_be_valid(schemes, constrain):
        for where, complaint in schemes.complaints(sentences):
            raise broken(schemes, where, complaint)
    names = schemes.seen(sentences, transitions)
    if "" in names:
        s, t = next((s, t) for s in sentences for t, label in enumerate(s.columns[column]) if not label)
        raise DataError(f"column {column!r}: expected a label, found ''", s.where(t))
    return name_labels(schemes, names, constrain, earlier)


def choose_schemes(
    transitions: Transitions,
    column: str,
    *,
    keep: tuple[str, ...],
    scheme: str,
    repair: bool,
    earlier: LabelSet | None = None,
) -> LabelSet:
    """Choose the schemes by counted transitions; the label set has no names yet."""
    if scheme == EDITS:
        if keep or repair:
            raise SettingError(f"labels.{'keep' if keep else 'repair'}: labels.scheme = {EDITS!r} does not use it")
        return LabelSet((), EDITS, "none", column)
    outer = _outer_scheme(transitions, earlier)
    if outer == "none" and (keep or scheme in SCHEMES):
        key = "labels.keep" if keep else "labels.scheme"
        counts = Counter[str]()
        for (_, label), count in transitions.items():
            counts[label or ""] += count
        del counts[""]
        spelling = note_on_spelling(counts)
        hint = f"; {spelling}" if spelling else ""
        expected = f"expected chunks (IOB1, IOB2 or IOBES) in column {column!r}"
        raise SettingError(f"{key}: {expected}, found other labels{hint}")
    inner = scheme
    if earlier:
        inner = _same_scheme(earlier.inner, inner, outer, column)
    if inner == "auto":
        inner = "IOB2" if outer == "IOB1" else outer
    elif inner == base_of(outer):
        inner = outer  # in the spelling of the data
    elif inner == "none":
        outer = "none"
    return LabelSet((), inner, outer, column, keep, repair)


def must_be_valid(schemes: LabelSet, constrain: bool) -> bool:
    """Return whether labels that break the scheme are an error."""
    return constrain and not schemes.repair and schemes.inner == schemes.outer


def broken(schemes: LabelSet, where: str, complaint: str) -> DataError:
    """Return the error about a label that breaks the scheme."""
    return DataError(f"{complaint}, which breaks {schemes.outer}; labels.repair=true repairs such labels", where)


def name_labels(
    schemes: LabelSet, seen: frozenset[str], constrain: bool = False, earlier: LabelSet | None = None
) -> LabelSet:
    """Return the label set with all labels seen, and those of an earlier model."""
    column, names = schemes.column, sorted(seen.union(earlier.names if earlier else ()))
    if constrain and len(names) > MAX_CONSTRAINED:
        raise SettingError(f"constrain: expected at most {MAX_CONSTRAINED} labels, found {len(names)}")
    if schemes.keep:
        found = {name.partition("-")[2] for name in names}
        for wanted in schemes.keep:
            if wanted not in found:
                raise SettingError(f"labels.keep: expected chunks of type {wanted!r} in column {column!r}, found none")
    return replace(schemes, names=tuple(names))


def _outer_scheme(transitions: Transitions, earlier: LabelSet | None) -> str:
    """Return the scheme of the data, or that of the earlier model if the data fits several schemes."""
    if earlier is not None and earlier.outer == "none":
        return "none"
    found = scheme_of(transitions, prefer=base_of(earlier.outer) if earlier else "IOB2")
    if earlier is not None and base_of(earlier.outer) == found:
        return earlier.outer  # its spelling too
    return spelled_scheme(found, [label for _, label in transitions if label is not None])


def _same_scheme(expected: str, wanted: str, outer: str, column: str) -> str:
    """Return the inner scheme of an earlier model, if the recipe and the data allow it."""
    if wanted not in ("auto", expected, base_of(expected)):
        raise ModelError(
            f"the labels of the model are in {expected}: expected labels.scheme = 'auto' or {expected!r}, "
            f"found {wanted!r}"
        )
    if outer == "none" != expected:
        raise ModelError(
            f"the labels of the model are chunks ({expected}): expected chunks in column {column!r} too, found none"
        )
    return expected


# `labels.schemes.convert` rewrites one sentence through its chunks. For IOB1 and IOB2 a table does the same, since the
# result depends only on the label of a token and the label before it. That is ten times as fast, and tagging is so
# fast that the difference matters.

MOST_IN_A_TABLE = 2048  # labels: a table of 16 MiB


class LabelWriter:
    """Turns label ids into labels of the data's scheme."""

    def __init__(self, label_set: LabelSet) -> None:
        self.label_set = label_set
        small = len(label_set.names) <= MOST_IN_A_TABLE
        by_pairs = label_set.inner != label_set.outer and label_set.outer in ("IOB1", "IOB2") and small
        self._table = paired_labels(label_set.names, label_set.to_outer) if by_pairs else None
        names = label_set.names if self._table is None else self._table[0]
        self.names = tuple(names)

    @property
    def pairs(self) -> tuple[list[str], Ints] | None:
        """The data's labels, and int32[L + 1, L]: which of them a pair of the model's labels gives. None: no table."""
        return self._table

    def __call__(self, ids: Ints, begin: Ints) -> list[list[str]]:
        """Return the labels of each sentence; `begin` says where the sentences begin in `ids`."""
        sentences = _core.name_lists(self.names, self.numbers(ids, begin), begin)
        return sentences if self.is_by_table else [self.label_set.to_outer(labels) for labels in sentences]

    @property
    def is_by_table(self) -> bool:
        """Whether the `names` with these `numbers` are the final labels, without looking at whole sentences."""
        return self._table is not None or self.label_set.inner == self.label_set.outer

    def numbers(self, ids: Ints, begin: Ints) -> Ints:
        """Return the positions of the labels in `names`."""
        return ids if self._table is None else self._by_pairs(ids, begin)

    def _by_pairs(self, ids: Ints, begin: Ints) -> Ints:
        assert self._table is not None
        return cast("Ints", _core.by_pairs(self._table[1], ids, begin))
