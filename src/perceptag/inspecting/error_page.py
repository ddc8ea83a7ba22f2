"""Write an error analysis as tables for the terminal, and as one HTML file: its figures lead to their sentences."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from html import escape
from pathlib import Path, PurePath

from perceptag.inspecting.error_analysis import KINDS_OF_SPANS, Error, ErrorAnalysis, WrongSentence
from perceptag.inspecting.error_tables import View, change, confusion_matrix, of_kind, of_label, of_words, tables
from perceptag.labels.schemes import Span
from perceptag.review.showing import shown_spans
from perceptag.system.html import document
from perceptag.system.plural import plural
from perceptag.system.visible import visible
from perceptag.text.sentence import Sentence

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
    names = "\n".join(dict.fromkeys(name for error in wrong.errors for name in _names(error, sentence)))
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
