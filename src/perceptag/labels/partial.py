"""Partially labelled training data: the labels of the model that each token may have.

A mark that the user names, say ``_``, stands for a label that is not known. Before anything is learned, these tokens
get any labels that go with the known ones, so that everything that looks at labels finds some. The masks say which
labels are known: a learner must look at them, and at labels elsewhere only.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from perceptag.errors import DataError, SettingError
from perceptag.labels.given import Given, GivenLabels, Mask
from perceptag.labels.label_set import LabelSet, label_column, labels_of, learn_labels
from perceptag.labels.schemes import join_label, keep_types, spans, split_label
from perceptag.text.sentence import Sentence

_ENDS, _INSIDE, _OPEN = frozenset("ESLU"), frozenset("IELM"), frozenset("BIM")


def complete_runs(sentences: Sequence[Sentence], column: str, missing: str) -> list[Sentence]:
    """Return the runs of known labels as sentences, without labels at their ends that the scheme alone cannot judge.

    >>> [s.columns["y"] for s in complete_runs([Sentence({"y": ["_", "I-X", "O", "B-X", "_", "O"]})], "y", "_")]
    [['O', 'B-X'], ['O']]
    """
    has_ends = any(split_label(y)[0] in _ENDS for s in sentences for y in labels_of(s, column) if "-" in y)
    found = []
    for sentence in sentences:
        for a, b in _runs(labels_of(sentence, column), missing, has_ends):
            columns = {name: values[a:b] for name, values in sentence.columns.items()}
            found.append(replace(sentence, columns=columns, line=sentence.line and sentence.line + a, layout=None))
    return found


def _runs(labels: Sequence[str], missing: str, has_ends: bool) -> Iterator[tuple[int, int]]:
    a = 0
    while a < len(labels):
        b = next((t for t in range(a, len(labels)) if labels[t] == missing), len(labels))
        first, last = a, b
        while a and first < last and split_label(labels[first])[0] in _INSIDE:
            first += 1
        while has_ends and last > first and b < len(labels) and split_label(labels[last - 1])[0] in _OPEN:
            last -= 1
        if first < last:
            yield first, last
        a = b + 1


def learn_partial_labels(
    sentences: Sequence[Sentence], missing: str, settings: Mapping[str, Any]
) -> tuple[LabelSet, list[Sentence], list[list[Mask] | None]]:
    """Return the label set, the sentences with labels everywhere, and the masks of those that lacked some.

    `settings` are the arguments of `learn_labels`.
    """
    column = label_column(sentences, settings["column"])
    runs = complete_runs(sentences, column, missing)
    if not runs:
        raise DataError(f"labels.missing: expected labels in column {column!r}, found only {missing!r}")
    learned = learn_labels(runs, **settings)
    # In all other cases the neighbours of a label decide which label of the model it is, and they may be missing.
    if learned.outer == "IOB1" or learned.inner not in (learned.outer, "IOBES"):
        found = f"{learned.outer}, with {learned.inner} inside the model"
        raise SettingError(f"labels.missing: expected labels in IOB2, or in IOBES inside the model too, found {found}")
    label_set = replace(learned, names=tuple(sorted(_names(sentences, learned, missing))))
    rules = GivenLabels(label_set, constrained=True)
    filled, masks = [], []
    for sentence in sentences:
        labels = labels_of(sentence, column)
        known: Given = [None if y == missing else _kept(y, label_set) for y in labels]
        own = rules.masks(sentence, known) if None in known else None
        masks.append(own)
        filled.append(sentence if own is None else _filled(sentence, label_set, rules.some(own)))
    return label_set, filled, masks


def _kept(label: str, label_set: LabelSet) -> str:
    return keep_types([label], label_set.keep)[0] if label_set.keep else label


def _names(sentences: Sequence[Sentence], label_set: LabelSet, missing: str) -> set[str]:
    """Return the labels of the model: those seen, or with another internal scheme all labels of the types seen."""
    every = {y for s in sentences for y in labels_of(s, label_set.column)} - {missing}
    seen = {_kept(y, label_set) for y in every}
    if label_set.inner == label_set.outer:
        return seen | set(label_set.names)
    types = {split_label(y)[1] for y in seen if y != "O"}
    tags = "BIES" if label_set.inner == "IOBES" else "BI"
    return {"O"} | set(label_set.names) | {join_label(tag, kind) for tag in tags for kind in types}


def without_open_spans(labels: Sequence[str], masks: Sequence[Mask] | None, label_set: LabelSet) -> list[str]:
    """Return labels of the model with O for spans that might be others: at a token of theirs or after it any may be.

    >>> every, names = frozenset(range(3)), LabelSet(("B-X", "I-X", "O"), "IOB2", "IOB2", "y")
    >>> without_open_spans(["B-X", "O", "B-X", "O"], [{0}, {2}, {0}, every], names)
    ['B-X', 'O', 'O', 'O']
    """
    known = list(labels)
    if masks is None:
        return known
    for span in spans(labels, label_set.inner):
        if any(len(mask) == len(label_set.names) for mask in masks[span.start : span.end + 1]):
            known[span.start : span.end] = ["O"] * (span.end - span.start)
    return known


def _filled(sentence: Sentence, label_set: LabelSet, ids: Sequence[int]) -> Sentence:
    labels = label_set.to_outer([label_set.names[y] for y in ids])
    return replace(sentence, columns={**sentence.columns, label_set.column: labels})
