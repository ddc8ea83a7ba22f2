"""Write an error analysis as tables for the terminal, and as one HTML file without scripts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from pathlib import Path, PurePath
from typing import NamedTuple

from perceptag.inspecting.error_analysis import KINDS_OF_SPANS, OUTSIDE, Error, ErrorAnalysis, Rate, WrongSentence
from perceptag.labels.schemes import Span
from perceptag.review.showing import shown_spans
from perceptag.system.html import document
from perceptag.system.visible import visible
from perceptag.text.sentence import Sentence

ROWS = 30  # of each table


def page(
    title: str, facts: Mapping[str, str], found: ErrorAnalysis, sentences: Sequence[Sentence], limit: int = 0
) -> str:
    """Return the page; `facts` tell what was measured, and at most `limit` sentences are shown, or all if that is 0."""
    listed = found.sentences[: limit or None]
    parts = [
        f"<h1>{_text(title)}</h1>",
        '<nav><a href="#tables">Tables</a><a href="#sentences">Sentences</a></nav>',
        _facts(facts),
        '<h2 id="tables">Tables</h2>',
        '<div class="tables">',
        *map(_table, tables(found, ROWS)),
        "</div>",
        f'<h2 id="sentences">{_text(_counted(len(listed), len(found.sentences)))}</h2>',
        _legend(found.of_spans),
        _filter(listed),
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
    return f"{total:,} sentences with errors" if total != 1 else "1 sentence with errors"


def _facts(facts: Mapping[str, str]) -> str:
    rows = "".join(f"<tr><th>{_text(name)}</th><td>{_text(value)}</td></tr>" for name, value in facts.items())
    return f'<table class="facts">{rows}</table>'


def _table(view: View) -> str:
    head = "".join(f"<th{_number(i, view)}>{_text(name)}</th>" for i, name in enumerate(view.head))
    rows = (
        "<tr>" + "".join(f"<td{_number(i, view)}>{_text(cell)}</td>" for i, cell in enumerate(row)) + "</tr>"
        for row in view.rows
    )
    table = f"<table><thead><tr>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table>"
    # What scrolls sideways on a phone can be reached with the keyboard, too.
    wide = f'<div class="wide" tabindex="0" role="group" aria-label="{_text(view.title)}">{table}</div>'
    return f"<section><h3>{_text(view.title)}</h3>{wide}</section>"


def _number(column: int, view: View) -> str:
    return ' class="number"' if column >= view.words else ""


def _legend(of_spans: bool) -> str:
    right = '<span class="right">a span that is right<sub>TYPE</sub></span> and ' if of_spans else ""
    wrong = '<span class="wrong">an error<sub><del>found</del> <ins>right</ins></sub></span>'
    return f'<p class="note">How to read it: {right}{wrong}</p>'


def _filter(sentences: Iterable[WrongSentence]) -> str:
    """Return a list to choose errors from; the script shows it."""
    counts = Counter(name for sentence in sentences for error in sentence.errors for name in _names(error))
    order = sorted(counts, key=lambda name: (-counts[name], name))
    options = "".join(f'<option value="{_text(name)}">{_text(name)} ({counts[name]:,})</option>' for name in order)
    choice = f'<select id="filter"><option value="">all errors</option>{options}</select>'
    return f'<p id="choose" hidden><label>Show {choice}</label> <output for="filter"></output></p>'


def _names(error: Error) -> list[str]:
    """Return what an error can be chosen by: its kind, and its labels."""
    right, found = (" ".join(dict.fromkeys(s.label for s in side)) or "O" for side in (error.right, error.found))
    change = [f"{right} → {found}"] if right != found else []
    return [error.kind, *change] if error.kind != "label" else change


def _sentence(wrong: WrongSentence, sentence: Sentence, of_spans: bool) -> str:
    tokens = [_text(token) for token in sentence.tokens]
    marks = [(error.start, error.end, _marked(error, sentence, of_spans)) for error in wrong.errors]
    marks += [(span.start, span.end, _right(span, tokens)) for span in wrong.right]
    parts: list[str] = []
    done = 0
    for start, end, text in sorted(marks):
        parts += [*tokens[done:start], text]
        done = end
    names = "\n".join(dict.fromkeys(name for error in wrong.errors for name in _names(error)))
    where = PurePath(sentence.where(wrong.errors[0].start)).name  # the page names the file with its folder once
    place = f'<span class="note">{_text(where)}</span>'
    text = " ".join([*parts, *tokens[done:]])
    return f'<article data-errors="{_text_lines(names)}">{place}<p dir="auto">{text}</p></article>'


def _text_lines(names: str) -> str:
    return "\n".join(_text(name) for name in names.split("\n"))


def _right(span: Span, tokens: Sequence[str]) -> str:
    return f'<span class="right">{" ".join(tokens[span.start : span.end])}<sub>{_text(span.label)}</sub></span>'


def _marked(error: Error, sentence: Sentence, of_spans: bool) -> str:
    place = sentence.tokens, error.start, error.end
    sides = (("del", error.found), ("ins", error.right))
    shown = [f"<{tag}>{_text(shown_spans(side, *place))}</{tag}>" for tag, side in sides if side or not of_spans]
    words = _text(" ".join(sentence.tokens[error.start : error.end]))
    return f'<span class="wrong" title="{error.kind}">{words}<sub>{" ".join(shown)}</sub></span>'


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
