"""Find labels that break the scheme of their spans: I- without B-, a type that changes, mixed schemes."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from perceptag.labels.label_set import labels_of
from perceptag.labels.schemes import SCHEMES, base_of, belongs, join_label, repair, split_label, violations
from perceptag.review.data import scheme_of_data
from perceptag.text.sentence import Sentence


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
