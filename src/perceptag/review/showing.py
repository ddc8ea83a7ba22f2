"""Show a place in a sentence: its words in brackets, with context, and its spans."""

from __future__ import annotations

from collections.abc import Sequence

from perceptag.labels.schemes import Span

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
