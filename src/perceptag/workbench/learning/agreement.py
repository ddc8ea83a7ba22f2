"""Agreement of two annotators: Cohen's kappa on tokens, F1 on spans.

Cohen (1960), "A coefficient of agreement for nominal scales", Educational and Psychological Measurement 20(1).

    kappa = (observed - chance) / (1 - chance)
    chance = sum over labels  share of the first annotator * share of the second

F1 of spans takes the labels of one annotator as the truth for the other; it does not matter which (Hripcsak and
Rothschild 2005, "Agreement, the F-measure, and reliability in information retrieval").
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from perceptag.errors import DataError
from perceptag.labels.schemes import spans

Labels = Sequence[str]


@dataclass(frozen=True, slots=True)
class Agreement:
    """How far two people give the same labels to the same sentences."""

    kappa: float | None  # None: both gave one and the same label everywhere, so that chance agrees as well
    f1: float | None  # of spans, in per cent; None: labels do not mark spans, or no span was marked
    observed: float  # the share of tokens with equal labels
    tokens: int
    sentences: int


def agreement(pairs: Sequence[tuple[Labels, Labels]], kind: str) -> Agreement | None:
    """Compare labels of the same sentences, `kind` spans or tags; None if there are none."""
    for number, (a, b) in enumerate(pairs):
        if len(a) != len(b):
            raise DataError(f"expected two labellings of {len(a)} tokens, found one of {len(b)}", f"pair {number}")
    both = [pair for a, b in pairs for pair in zip(a, b, strict=True)]
    if not both:
        return None
    return Agreement(
        kappa=kappa(both),
        f1=span_f1(pairs) if kind == "spans" else None,
        observed=sum(a == b for a, b in both) / len(both),
        tokens=len(both),
        sentences=len(pairs),
    )


@dataclass(frozen=True, slots=True)
class LabelAgreement:
    """How far two people agree about one label."""

    label: str
    first: int  # spans, or words, that the first person gave it
    second: int
    both: int
    f1: float  # in per cent
    kappa: float | None  # of words that have it or not


def by_label(pairs: Sequence[tuple[Labels, Labels]], kind: str) -> list[LabelAgreement]:
    """Compare labels one by one: types of spans, or tags; those that occur most come first."""
    given: list[Counter[str]] = [Counter(), Counter()]
    both: Counter[str] = Counter()
    for pair in pairs:
        units = [_units(labels, kind) for labels in pair]
        for counts, found in zip(given, units, strict=True):
            counts.update(label for _, label in found)
        both.update(label for _, label in units[0] & units[1])
    words = [(_type(x, kind), _type(y, kind)) for a, b in pairs for x, y in zip(a, b, strict=True)]
    first, second = given
    names = sorted({*first, *second}, key=lambda name: (-first[name] - second[name], name))
    return [
        LabelAgreement(
            name,
            first[name],
            second[name],
            both[name],
            200 * both[name] / (first[name] + second[name]),
            kappa([("yes" if a == name else "no", "yes" if b == name else "no") for a, b in words]),
        )
        for name in names
    ]


def _units(labels: Labels, kind: str) -> set[tuple[object, str]]:
    """Spans with their types, or words with their tags; each with its place."""
    if kind == "spans":
        return {((span.start, span.end), span.label) for span in spans(labels, "IOB2")}
    return set(enumerate(labels))


def _type(label: str, kind: str) -> str:
    return label.partition("-")[2] if kind == "spans" else label


def kappa(pairs: Sequence[tuple[str, str]]) -> float | None:
    """Return Cohen's kappa of pairs of labels; None if it is not defined.

    >>> kappa([("A", "A"), ("A", "B"), ("B", "B"), ("B", "B")])
    0.5
    """
    n = len(pairs)
    first, second = Counter(a for a, _ in pairs), Counter(b for _, b in pairs)
    same = sum(a == b for a, b in pairs)
    chance = sum(first[label] * second[label] for label in first)  # times n squared, so that the sums are exact
    return (same * n - chance) / (n * n - chance) if chance != n * n else None


def span_f1(pairs: Sequence[tuple[Labels, Labels]]) -> float | None:
    """Return F1 of the spans of two annotators in per cent; None if neither marked any."""
    marked = [(set(spans(a, "IOB2")), set(spans(b, "IOB2"))) for a, b in pairs]
    total = sum(len(a) + len(b) for a, b in marked)
    return 200 * sum(len(a & b) for a, b in marked) / total if total else None
