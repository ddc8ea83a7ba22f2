"""Agreement of two annotators by plain counting: Cohen's kappa, and F1 of spans, together and for each label."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

Labels = Sequence[str]
Pairs = Sequence[tuple[Labels, Labels]]


def kappa(pairs: Sequence[tuple[str, str]]) -> Fraction | None:
    """Return Cohen's kappa; None if both gave one and the same label everywhere.

    >>> kappa([("A", "A"), ("A", "B"), ("B", "B"), ("B", "B")])
    Fraction(1, 2)
    """
    agreed = Fraction(len([1 for a, b in pairs if a == b]), len(pairs))
    chance = Fraction(0)
    for label in {label for pair in pairs for label in pair}:
        one = Fraction(len([1 for a, _ in pairs if a == label]), len(pairs))
        other = Fraction(len([1 for _, b in pairs if b == label]), len(pairs))
        chance += one * other
    return None if chance == 1 else (agreed - chance) / (1 - chance)


def spans(labels: Labels) -> list[tuple[int, int, str]]:
    """Return the spans of IOB2 labels.

    >>> spans(["B-PER", "I-PER", "O", "B-LOC"])
    [(0, 2, 'PER'), (3, 4, 'LOC')]
    """
    found = []
    for start, label in enumerate(labels):
        if label.startswith("B-"):
            end = start + 1
            while end < len(labels) and labels[end] == f"I-{label[2:]}":
                end += 1
            found.append((start, end, label[2:]))
    return found


def f1(pairs: Pairs, label: str = "") -> Fraction | None:
    """Return F1 of spans in per cent, of one label or of all; None if neither marked any."""
    marked = same = 0
    for a, b in pairs:
        first, second = ([span for span in spans(one) if label in ("", span[2])] for one in (a, b))
        marked += len(first) + len(second)
        same += len([span for span in first if span in second])
    return Fraction(200 * same, marked) if marked else None


def kappa_of(pairs: Pairs, label: str) -> Fraction | None:
    """Return kappa of words that are in a span of this label, or not."""
    return kappa([(str(x[2:] == label), str(y[2:] == label)) for a, b in pairs for x, y in zip(a, b, strict=True)])
