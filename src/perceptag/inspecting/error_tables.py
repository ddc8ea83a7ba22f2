"""The tables of an error analysis, and the names of the errors that their figures count."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from perceptag.inspecting.error_analysis import KINDS_OF_SPANS, OUTSIDE, ErrorAnalysis, Rate

MATRIX = 12  # labels of the confusion matrix


class View(NamedTuple):
    """A table with its title; all columns but the first `words` have numbers.

    `errors` names for each cell the errors that it counts, `shades` says how dark it is, from 0 to 1.
    """

    title: str
    head: list[str]
    rows: list[list[str]]
    words: int = 1
    errors: Sequence[Sequence[str]] = ()
    shades: Sequence[Sequence[float]] = ()


def change(right: str, found: str) -> str:
    """Return the name of a confusion."""
    return f"{right} → {found}"


def of_kind(label: str, kind: str) -> str:
    """Return the name of the errors of one kind and one label."""
    return f"{label}: {kind}"


def of_label(label: str) -> str:
    """Return the name of the errors in which this label is right."""
    return f"{label} is right"


def of_words(words: str) -> str:
    """Return the name of the errors in which these words are a right span, or a token."""
    return f"“{words}”"


def tables(found: ErrorAnalysis, limit: int) -> list[View]:
    """Return all tables, each with at most `limit` rows, or all if that is 0. Empty ones are left out."""
    label = "type" if found.of_spans else "label"
    labels = _rates(f"by {label}", label, found.by_label, found.unit, limit)
    words = _rates("words with the most errors", "words", found.by_word, found.unit, limit)
    views = [
        _kinds(found),
        _confusions(found, limit),
        labels._replace(errors=[["", "", of_label(row[0]), ""] for row in labels.rows]),
        _rates("seen and unseen words", "words", found.by_known, found.unit, 0),
        _rates("by shape (X: capitals, x: other letters, d: digits)", "shape", found.by_shape, found.unit, limit),
        _rates("by length", "tokens", found.by_length, found.unit, 0),
        words._replace(errors=[["", "", of_words(row[0]), ""] for row in words.rows]),
    ]
    return [view for view in views if view.rows]


def confusion_matrix(found: ErrorAnalysis) -> list[View]:
    """Return the right labels as rows and the found ones as columns, those with the most confusions; or nothing."""
    times = {(c.right, c.found): c.times for c in found.confusions}
    totals = Counter[str]()
    for pair, number in times.items():
        for label in pair:
            totals[label] += number
    chosen = sorted(totals, key=lambda label: (found.of_spans and label == OUTSIDE, -totals[label], label))
    labels = [label for label in chosen if label in dict(totals.most_common(MATRIX))]
    if len(labels) < 2:
        return []
    right = {rate.name: rate.number - rate.wrong for rate in found.by_label}
    most = max(times.values())
    rows = [[a, *(_figure(right.get(a, 0) if a == b else times.get((a, b), 0)) for b in labels)] for a in labels]
    title = _cut("confusion matrix: right labels in rows, found ones in columns", len(totals), len(labels), "labels")
    return [
        View(
            title,
            ["right", *labels],
            rows,
            errors=[["", *(change(a, b) if a != b else "" for b in labels)] for a in labels],
            shades=[[0, *(times.get((a, b), 0) / most for b in labels)] for a in labels],
        )
    ]


def _figure(number: int) -> str:
    return f"{number:,}" if number else ""


def _kinds(found: ErrorAnalysis) -> View:
    rows = [[label, *(f"{times:,}" for times in counts.values())] for label, counts in found.kinds.items()]
    errors = [["", *(of_kind(label, kind) for kind in KINDS_OF_SPANS)] for label in found.kinds]
    if rows:
        totals = [sum(counts[kind] for counts in found.kinds.values()) for kind in KINDS_OF_SPANS]
        rows.append(["all", *(f"{total:,}" for total in totals)])
    return View("kinds of errors", ["label", *KINDS_OF_SPANS], rows, errors=[*errors, ["", *KINDS_OF_SPANS]])


def _confusions(found: ErrorAnalysis, limit: int) -> View:
    listed = found.confusions[: limit or None]
    rows = [[confusion.right, confusion.found, f"{confusion.times:,}"] for confusion in listed]
    errors = [["", "", change(confusion.right, confusion.found)] for confusion in listed]
    title = f"confusions ({OUTSIDE}: no span)" if found.of_spans else "confusions"
    title = _cut(title, len(found.confusions), len(listed))
    return View(title, ["right", "found", "times"], rows, words=2, errors=errors)


def _rates(title: str, what: str, rates: Sequence[Rate], unit: str, limit: int) -> View:
    listed = [rate for rate in rates[: limit or None] if rate.wrong or not limit]
    rows = [[rate.name, f"{rate.number:,}", f"{rate.wrong:,}", f"{rate.share:.1f} %"] for rate in listed]
    wrong = sum(rate.wrong > 0 for rate in rates)
    return View(_cut(title, max(wrong, len(listed)), len(listed)), [what, unit, "wrong", "share wrong"], rows)


def _cut(title: str, total: int, listed: int, what: str = "") -> str:
    return title if listed >= total else f"{title}: the first {listed} of {total}{f' {what}' if what else ''}"
