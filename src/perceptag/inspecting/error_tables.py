"""Tables of an error analysis, for the terminal and for the page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from perceptag.inspecting.error_analysis import KINDS_OF_SPANS, OUTSIDE, ErrorAnalysis, Rate


class View(NamedTuple):
    """A table with its title; all columns but the first `words` have numbers."""

    title: str
    head: list[str]
    rows: list[list[str]]
    words: int = 1


def tables(found: ErrorAnalysis, limit: int) -> list[View]:
    """Return all tables, each with at most `limit` rows, or all if that is 0. Empty ones are left out."""
    label = "type" if found.of_spans else "label"
    views = [
        _kinds(found),
        _confusions(found, limit),
        _rates(f"by {label}", label, found.by_label, found.unit, limit),
        _rates("seen and unseen words", "words", found.by_known, found.unit, 0),
        _rates("by shape (X: capitals, x: other letters, d: digits)", "shape", found.by_shape, found.unit, limit),
        _rates("by length", "tokens", found.by_length, found.unit, 0),
        _rates("words with the most errors", "words", found.by_word, found.unit, limit),
    ]
    return [view for view in views if view.rows]


def _kinds(found: ErrorAnalysis) -> View:
    rows = [[kind, *(f"{times:,}" for times in counts.values())] for kind, counts in found.kinds.items()]
    if rows:
        totals = [sum(counts[kind] for counts in found.kinds.values()) for kind in KINDS_OF_SPANS]
        rows.append(["all", *(f"{total:,}" for total in totals)])
    return View("kinds of errors", ["type", *KINDS_OF_SPANS], rows)


def _confusions(found: ErrorAnalysis, limit: int) -> View:
    listed = found.confusions[: limit or None]
    rows = [[confusion.right, confusion.found, f"{confusion.times:,}"] for confusion in listed]
    title = f"confusions ({OUTSIDE}: no span)" if found.of_spans else "confusions"
    return View(_cut(title, len(found.confusions), len(listed)), ["right", "found", "times"], rows, words=2)


def _rates(title: str, what: str, rates: Sequence[Rate], unit: str, limit: int) -> View:
    listed = [rate for rate in rates[: limit or None] if rate.wrong or not limit]
    rows = [[rate.name, f"{rate.number:,}", f"{rate.wrong:,}", f"{rate.share:.1f} %"] for rate in listed]
    wrong = sum(rate.wrong > 0 for rate in rates)
    return View(_cut(title, max(wrong, len(listed)), len(listed)), [what, unit, "wrong", "share wrong"], rows)


def _cut(title: str, total: int, listed: int) -> str:
    return title if listed >= total else f"{title}: the first {listed} of {total}"
