"""Find the regions in which two labellings of a sentence differ, in whole spans, and show them.

    given       Peter [Blackburn]PER  in [New]LOC York      spans that only one side has are joined where they overlap;
    suggested  [Peter  Blackburn]PER  in [New York]LOC      each group is one region, and so one suggestion

Labels that do not mark spans are taken as spans of one token.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from perceptag.labels.schemes import Span, spans, spans_to_labels

WRONG_LABEL, WRONG_TYPE, WRONG_BORDER = "wrong label", "wrong type", "wrong border"
MISSING, SPURIOUS, OTHER = "missing", "spurious", "other spans"
INSIDE = "IOB2"  # how spans are written while labellings are compared


@dataclass(frozen=True, slots=True)
class Region:
    """Tokens `start` to `end` (exclusive) with the spans that only one of two labellings has there."""

    start: int
    end: int
    given: tuple[Span, ...]
    suggested: tuple[Span, ...]

    def kind(self, of_spans: bool) -> str:
        """Say in which way the given spans differ from the suggested ones."""
        if not of_spans:
            return WRONG_LABEL
        if not self.given or not self.suggested:
            return SPURIOUS if self.given else MISSING
        (one, *more), (other, *others) = self.given, self.suggested
        if more or others:
            return OTHER
        if (one.start, one.end) == (other.start, other.end):
            return WRONG_TYPE
        return WRONG_BORDER if one.label == other.label else OTHER


def units(labels: Sequence[str], scheme: str) -> list[Span]:
    """Return the spans of a sentence, or one for each token if labels do not mark spans."""
    if scheme == "none":
        return [Span(t, t + 1, label) for t, label in enumerate(labels)]
    return spans(labels, scheme)


def written(found: Iterable[Span], length: int, scheme: str) -> list[str]:
    """Write what `units` has read as labels."""
    if scheme == "none":
        return [span.label for span in sorted(found)]
    return spans_to_labels(found, length, scheme)


def regions(given: Iterable[Span], suggested: Iterable[Span]) -> list[Region]:
    """Return the regions in which two lists of spans differ, in their order.

    >>> regions([Span(0, 1, "PER")], [Span(0, 2, "PER"), Span(3, 4, "LOC")])[1].suggested
    (Span(start=3, end=4, label='LOC'),)
    """
    mine, other = set(given), set(suggested)
    groups: list[list[Span]] = []
    end = 0
    for span in sorted(mine ^ other):
        if not groups or span.start >= end:
            groups.append([])
        groups[-1].append(span)
        end = max(end, span.end)
    return [
        Region(
            group[0].start,
            max(span.end for span in group),
            tuple(span for span in group if span in mine),
            tuple(span for span in group if span in other),
        )
        for group in groups
    ]


def changed(given: Iterable[Span], region: Region) -> list[Span]:
    """Return the given spans with those of the region replaced by the suggested ones."""
    return sorted({*given} - {*region.given} | {*region.suggested})


AROUND = 3  # words that are shown on each side


def in_context(tokens: Sequence[str], start: int, end: int) -> str:
    """Return some words in brackets with those around them.

    >>> in_context("The dog of Anna Berg barks".split(), 3, 5)
    'The dog of [Anna Berg] barks'
    """
    before, after = tokens[max(0, start - AROUND) : start], tokens[end : end + AROUND]
    return " ".join([*before, f"[{' '.join(tokens[start:end])}]", *after])


def shown_spans(spans: Sequence[Span], tokens: Sequence[str], start: int, end: int) -> str:
    """Return the labels of the spans of a place; with their words if these are not those of the whole place.

    >>> shown_spans([Span(1, 2, "PER")], ["Anna", "Berg"], 0, 2), shown_spans([], [], 0, 1)
    ('PER [Berg]', 'O')
    """
    parts = [
        span.label
        if (span.start, span.end) == (start, end)
        else f"{span.label} [{' '.join(tokens[span.start : span.end])}]"
        for span in spans
    ]
    return ", ".join(parts) or "O"
