"""Spans of characters and labels of tokens."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate

from perceptag.labels.schemes import Span, spans_to_labels
from perceptag.workbench.adapters.xmi import Annotation

Offsets = Sequence[tuple[int, int]]  # of tokens in a text


@dataclass(frozen=True, slots=True)
class Cut:
    """A sentence of a text."""

    tokens: list[str]
    offsets: list[tuple[int, int]]


def labels_of(cut: Cut, marked: Sequence[Annotation], kind: str) -> list[str] | None:
    """Return the labels of a sentence whose spans fit its tokens; None if one of them does not, or they overlap."""
    begins = {begin: t for t, (begin, _) in enumerate(cut.offsets)}
    ends = {end: t + 1 for t, (_, end) in enumerate(cut.offsets)}
    found: list[Span] = []
    for one in sorted(marked, key=lambda a: a.begin):
        start, end = begins.get(one.begin), ends.get(one.end)
        if start is None or end is None or start >= end or (found and found[-1].end > start) or not one.label:
            return None
        found.append(Span(start, end, one.label))
    if kind == "spans":
        return spans_to_labels(found, len(cut.tokens), "IOB2")
    tags = {s.start: s.label for s in found}
    return [tags[t] for t in range(len(cut.tokens))] if len(tags) == len(found) == len(cut.tokens) else None


def marks_of(cut: Cut, spans: Sequence[tuple[Span, float | None]]) -> Iterator[Annotation]:
    """Yield spans of tokens as spans of characters."""
    for span, confidence in spans:
        yield Annotation(cut.offsets[span.start][0], cut.offsets[span.end - 1][1], span.label, confidence)


class AnnotationIndex:
    """The annotations of a text, to be looked up by sentence."""

    def __init__(self, annotations: Iterable[Annotation]) -> None:
        self._sorted = sorted(annotations, key=lambda a: a.begin)
        self._begins = [a.begin for a in self._sorted]
        self._farthest = list(accumulate(self._sorted, _farther))

    def inside(self, cut: Cut) -> list[Annotation]:
        """Return the annotations that begin in a sentence, and one that reaches into it from before, if there is one.

        One is enough: the sentence does not fit it, however many others there are.
        """
        if not cut.offsets:
            return []
        begin, end = cut.offsets[0][0], cut.offsets[-1][1]
        first, last = bisect_left(self._begins, begin), bisect_left(self._begins, end)
        return [a for a in (*self._farthest[max(0, first - 1) : first], *self._sorted[first:last]) if a.end > begin]


def _farther(one: Annotation, other: Annotation) -> Annotation:
    return one if one.end >= other.end else other
