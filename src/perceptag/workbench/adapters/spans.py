"""Spans of characters and labels of tokens."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

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


def inside(cut: Cut, annotations: Sequence[Annotation]) -> list[Annotation]:
    """Return the annotations that touch a sentence."""
    if not cut.offsets:
        return []
    begin, end = cut.offsets[0][0], cut.offsets[-1][1]
    return [a for a in annotations if a.begin < end and a.end > begin]
