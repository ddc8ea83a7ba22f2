"""Write an error analysis as tables for the terminal, and as one HTML file: its figures lead to their sentences."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from html import escape
from pathlib import Path, PurePath
from typing import NamedTuple

from perceptag.inspecting.error_analysis import KINDS_OF_SPANS, OUTSIDE, Error, ErrorAnalysis, Rate, WrongSentence
from perceptag.inspecting.regions import shown_spans
from perceptag.labels.schemes import Span
from perceptag.system.html import document
from perceptag.system.plural import plural
from perceptag.system.visible import visible
from perceptag.text.sentence import Sentence

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


ROWS = 30  # of each table


def page(
    title: str, facts: Mapping[str, str], found: ErrorAnalysis, sentences: Sequence[Sentence], limit: int = 0
) -> str:
    """Return the page; `facts` tell what was measured, and at most `limit` sentences are shown, or all if that is 0."""
    listed = found.sentences[: limit or None]
    there = Counter(
        name for sentence in listed for error in sentence.errors for name in _names(error, sentences[sentence.number])
    )
    parts = [
        f"<h1>{_text(title)}</h1>",
        '<nav><a href="#tables">Tables</a><a href="#sentences">Sentences</a></nav>',
        _facts(facts),
        '<h2 id="tables">Tables</h2>',
        '<div class="tables">',
        *(_table(view, there) for view in [*confusion_matrix(found), *tables(found, ROWS)]),
        "</div>",
        f'<h2 id="sentences">{_text(_counted(len(listed), len(found.sentences)))}</h2>',
        _legend(found.of_spans),
        _filter(found, there),
        *(_sentence(wrong, sentences[wrong.number], found.of_spans) for wrong in listed),
    ]
    return document(title, parts, _file("error_page.css"), _file("error_page.js"))


def _file(name: str) -> str:
    return Path(__file__).with_name(name).read_text(encoding="utf-8")


def _text(text: str) -> str:
    return escape(visible(text))


def _counted(listed: int, total: int) -> str:
    if listed < total:
        return f"The first {listed:,} of {total:,} sentences with errors"
    return f"{plural(total, 'sentence', ',')} with errors"


def _facts(facts: Mapping[str, str]) -> str:
    rows = "".join(f"<tr><th>{_text(name)}</th><td>{_text(value)}</td></tr>" for name, value in facts.items())
    return f'<table class="facts">{rows}</table>'


def _table(view: View, there: Collection[str]) -> str:
    head = "".join(f"<th{_number(i, view)}>{_text(name)}</th>" for i, name in enumerate(view.head))
    rows = (f"<tr>{''.join(_cells(view, row, there))}</tr>" for row in range(len(view.rows)))
    table = f"<table><thead><tr>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table>"
    # What scrolls sideways on a phone can be reached with the keyboard, too.
    wide = f'<div class="wide" tabindex="0" role="group" aria-label="{_text(view.title)}">{table}</div>'
    return f"<section><h3>{_text(view.title)}</h3>{wide}</section>"


def _cells(view: View, row: int, there: Collection[str]) -> Iterable[str]:
    """Return the cells of a row; a figure leads to the sentences with its errors, if they are listed."""
    for i, cell in enumerate(view.rows[row]):
        name = view.errors[row][i] if view.errors else ""
        link = f'<a href="#sentences" data-filter="{_text(name)}">{_text(cell)}</a>' if name in there else _text(cell)
        shade = view.shades[row][i] if view.shades else 0
        style = f' style="--shade:{shade:.2f}"' if shade else ""
        yield f"<th>{link}</th>" if view.shades and i == 0 else f"<td{_number(i, view)}{style}>{link}</td>"


def _number(column: int, view: View) -> str:
    return ' class="number"' if column >= view.words else ""


def _legend(of_spans: bool) -> str:
    right = '<span class="right">a span that is right<sub>TYPE</sub></span> and ' if of_spans else ""
    wrong = '<span class="wrong">an error<sub><del>found</del> <ins>right</ins></sub></span>'
    return f'<p class="note">How to read it: {right}{wrong}</p>'


def _filter(found: ErrorAnalysis, there: Mapping[str, int]) -> str:
    """Return a list to choose errors from; the script shows it."""
    names = [*(KINDS_OF_SPANS if found.of_spans else ()), *(change(c.right, c.found) for c in found.confusions)]
    order = sorted((name for name in names if name in there), key=lambda name: (-there[name], name))
    options = "".join(f'<option value="{_text(name)}">{_text(name)} ({there[name]:,})</option>' for name in order)
    choice = f'<select id="filter"><option value="">all errors</option>{options}</select>'
    return f'<p id="choose" hidden><label>Show {choice}</label> <output for="filter"></output></p>'


def _names(error: Error, sentence: Sentence) -> list[str]:
    """Return what an error can be chosen by: its kind, its label, both, its confusions and its words."""
    label = (error.right or error.found)[0].label
    words = (" ".join(sentence.tokens[span.start : span.end]) for span in error.right)
    names = [error.kind, of_kind(label, error.kind), *(change(*pair) for pair in error.confusions())]
    names += [of_label(span.label) for span in error.right]
    return list(dict.fromkeys([*names, *map(of_words, words)]))


def _sentence(wrong: WrongSentence, sentence: Sentence, of_spans: bool) -> str:
    tokens = [_text(token) for token in sentence.tokens]
    marks = [(error.start, error.end, _marked(error, sentence, of_spans)) for error in wrong.errors]
    marks += [(span.start, span.end, _right(span, tokens)) for span in wrong.right]
    parts: list[str] = []
    done = 0
    for start, end, text in sorted(marks):
        parts += [*tokens[done:start], text]
        done = end
    names = "\n".join(dict.fromkeys(_text(name) for error in wrong.errors for name in _names(error, sentence)))
    where = PurePath(sentence.where(wrong.errors[0].start)).name  # the page names the file with its folder once
    place = f'<span class="note">{_text(where)}</span>'
    text = " ".join([*parts, *tokens[done:]])
    return f'<article data-errors="{names}">{place}<p dir="auto">{text}</p></article>'


def _right(span: Span, tokens: Sequence[str]) -> str:
    return f'<span class="right">{" ".join(tokens[span.start : span.end])}<sub>{_text(span.label)}</sub></span>'


def _marked(error: Error, sentence: Sentence, of_spans: bool) -> str:
    place = sentence.tokens, error.start, error.end
    sides = (("del", error.found), ("ins", error.right))
    shown = [f"<{tag}>{_text(shown_spans(side, *place))}</{tag}>" for tag, side in sides if side or not of_spans]
    words = _text(" ".join(sentence.tokens[error.start : error.end]))
    return f'<span class="wrong" title="{error.kind}">{words}<sub>{" ".join(shown)}</sub></span>'
