"""The report, as one self-contained HTML file."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from html import escape

from perceptag.reproduce.views import NOTHING, ShownTable
from perceptag.system.html import document

_VERDICTS = {"holds": "holds", "does not hold": "fails"}


@dataclass(frozen=True, slots=True)
class Section:
    """One paper: its tables, and its plots as SVG text."""

    anchor: str
    title: str
    tables: Sequence[ShownTable]
    plots: Sequence[str]


def page(
    title: str, facts: Mapping[str, str], sections: Sequence[Section], statements: ShownTable, runs: ShownTable
) -> str:
    """Return the whole report."""
    links = [(s.anchor, s.title) for s in sections] + [("statements", "Statements"), ("runs", "Runs")]
    menu = "".join(f'<a href="#{escape(anchor)}">{escape(name)}</a>' for anchor, name in links)
    parts = [f"<h1>{escape(title)}</h1>", f"<nav>{menu}</nav>", _facts(facts)]
    for section in sections:
        parts.append(f'<h2 id="{escape(section.anchor)}">{escape(section.title)}</h2>')
        parts += [_table(view) for view in section.tables]
        parts += [f"<figure>{plot}</figure>" for plot in section.plots]
    parts += ['<h2 id="statements">Statements of the papers</h2>', _table(statements, heading=False)]
    parts += ['<h2 id="runs">Runs</h2>', _table(runs, heading=False)]
    return document(title, parts)


def _facts(facts: Mapping[str, str]) -> str:
    rows = "".join(f"<tr><th>{escape(k)}</th><td>{escape(v)}</td></tr>" for k, v in facts.items())
    return f'<div class="wide"><table>{rows}</table></div>'


def _table(view: ShownTable, heading: bool = True) -> str:
    head = "".join(f"<th>{escape(name)}</th>" for name in view.head)
    body = "".join(f"<tr>{''.join(_cells(view.head, row))}</tr>" for row in view.rows)
    notes = "".join(f'<p class="note">{escape(note)}</p>' for note in view.notes)
    title = f"<h3>{escape(view.title)}</h3>" if heading else ""
    return f'{title}<div class="wide"><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>{notes}'


def _cells(head: Sequence[str], row: Sequence[str]) -> Iterable[str]:
    for name, cell in zip(head, row, strict=True):
        kind = "digest" if name == "model" else _VERDICTS.get(cell, "")
        if _is_number(cell):
            kind = "number ours" if name.endswith("ours") and cell != NOTHING else "number"
        yield f'<td class="{kind}">{escape(cell)}</td>' if kind else f"<td>{escape(cell)}</td>"


def _is_number(cell: str) -> bool:
    """Return whether a cell is a figure, possibly followed by an interval, a deviation or a second figure."""
    return cell == NOTHING or re.fullmatch(r"[\d.,]+( [(±/].*)?", cell) is not None
