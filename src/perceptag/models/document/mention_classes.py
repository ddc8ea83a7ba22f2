"""How labels are read as mentions, which built-in non-local features compare.

labels of spans     a mention is a span, and its class is the type of the span
any other labels    every token is a mention of one word, and its class is its label
"""

from __future__ import annotations

from collections.abc import Sequence

from perceptag._core import LabelReading
from perceptag.labels.label_set import LabelSet
from perceptag.labels.schemes import Span, spans, split_label, standard_spelling

_TAGS = {"O": 0, "B": 1, "I": 2, "E": 3, "S": 4}
_OUTSIDE = (_TAGS["O"], -1)


def mention_classes(label_set: LabelSet) -> list[str]:
    """Return the classes that mentions can have."""
    if label_set.inner == "none":
        return sorted(label_set.names)
    return sorted({split_label(name)[1] for name in label_set.names if name != "O"})


def read_mentions(label_set: LabelSet, classes: Sequence[str]) -> LabelReading:
    """Return how the core reads labels as mentions; without classes it finds no mentions."""
    numbers = {name: i for i, name in enumerate(classes)}

    def read(name: str) -> tuple[int, int]:
        if not numbers:
            return _OUTSIDE
        if label_set.inner == "none":
            return _TAGS["S"], numbers[name]
        tag, kind = split_label(standard_spelling(name))
        return _OUTSIDE if tag == "O" else (_TAGS[tag], numbers[kind])

    found = [read(name) for name in label_set.names]
    return LabelReading(len(classes), [tag for tag, _ in found], [kind for _, kind in found])


def mention_spans(labels: Sequence[str], scheme: str) -> list[Span]:
    """Return the mentions of a sentence as spans, for functions of users.

    >>> mention_spans(["DT", "NN"], "none")
    [Span(start=0, end=1, label='DT'), Span(start=1, end=2, label='NN')]
    """
    return [Span(t, t + 1, y) for t, y in enumerate(labels)] if scheme == "none" else spans(labels, scheme)
