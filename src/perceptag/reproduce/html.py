"""The report, as one self-contained HTML file."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path

from perceptag.reproduce.views import INDICATIVE, NOTHING, ShownTable
from perceptag.system.html import document

_VERDICTS = {"holds": "holds", "does not hold": "fails"}


@dataclass(frozen=True, slots=True)
class Section:
    """One paper: how our experiments depart from it, its tables, each with its plots, and further plots as SVG."""

    anchor: str
    title: str
    departures: Sequence[str]
    tables: Sequence[ShownTable]
    table_plots: Sequence[Sequence[str]]
    plots: Sequence[str]


@dataclass(frozen=True, slots=True)
class ReportPage:
    """The contents of the report, in the order of the page."""

    title: str
    facts: Mapping[str, str]
    summary: ShownTable
    statements: ShownTable
    sections: Sequence[Section]
    runs: ShownTable


def page(report: ReportPage) -> str:
    """Return the whole report: the verdicts first, then the papers, then what was run."""
    links = [("statements", "Statements"), *((s.anchor, s.title) for s in report.sections)]
    links += [("runs", "Runs"), ("facts", "Data and machine")]
    menu = "".join(f'<a href="#{escape(anchor)}">{escape(name)}</a>' for anchor, name in links)
    parts = [f"<h1>{escape(report.title)}</h1>", f"<nav>{menu}</nav>"]
    parts += [f'<p class="note">{escape(report.facts["data"])}; {escape(report.facts["kind of run"])}</p>']
    parts += [_table(report.summary), '<h2 id="statements">Statements of the papers</h2>']
    parts += [_table(report.statements, heading=False)]
    for section in report.sections:
        parts += _section(section)
    parts += ['<h2 id="runs">Runs</h2>', _runs(report.runs)]
    parts += ['<h2 id="facts">Data and machine</h2>', _facts(report.facts)]
    style = Path(__file__).with_name("report.css").read_text(encoding="utf-8")
    return document(report.title, parts, style)


def _section(section: Section) -> Iterable[str]:
    yield f'<h2 id="{escape(section.anchor)}">{escape(section.title)}</h2>'
    departures = "".join(f"<li>{escape(text)}</li>" for text in section.departures)
    yield f"<details open><summary>Departures from the paper</summary><ul>{departures}</ul></details>"
    for view, plots in zip(section.tables, section.table_plots, strict=True):
        yield _table(view)
        yield from (f"<figure>{plot}</figure>" for plot in plots)
    yield from (f"<figure>{plot}</figure>" for plot in section.plots)


def _facts(facts: Mapping[str, str]) -> str:
    rows = "".join(f"<tr><th>{escape(k)}</th><td>{escape(v)}</td></tr>" for k, v in facts.items())
    return f'<div class="wide"><table class="facts">{rows}</table></div>'


def _table(view: ShownTable, heading: bool = True) -> str:
    links = view.links or [[]] * len(view.rows)
    rows = [
        f"<tr>{''.join(_cells(view.head, row))}{_run_links(keys) if view.links else ''}</tr>"
        for row, keys in zip(view.rows, links, strict=True)
    ]
    title = f"<h3>{escape(view.title)}</h3>" if heading else ""
    table = f"{_framed(view, ['runs'] if view.links else [], rows)}{_commands(view.commands)}"
    if _has_our_figures(view):
        return title + table
    return f"<details><summary>{title} No figures of ours</summary>{table}</details>"


def _has_our_figures(view: ShownTable) -> bool:
    """Return whether a table has a figure of ours; one that has no columns for them does not lack any."""
    ours = [i for i, name in enumerate(view.head) if name.endswith("ours")]
    return not ours or any(row[i] != NOTHING for row in view.rows for i in ours)


def _run_links(keys: Sequence[str]) -> str:
    found = " ".join(f'<a href="#run-{key}">{number}</a>' for number, key in enumerate(dict.fromkeys(keys), 1))
    return f'<td data-label="runs">{found or NOTHING}</td>'


def _commands(commands: Sequence[str]) -> str:
    lines = "\n".join(escape(command) for command in commands if command)
    return f"<details><summary>Commands, one for each row</summary><pre>{lines}</pre></details>" if lines else ""


def _runs(view: ShownTable) -> str:
    """Return the table of runs; each row is the target of links from the tables above."""
    rows = zip(view.links, view.rows, strict=True)
    return _framed(view, [], [f'<tr id="run-{keys[0]}">{"".join(_cells(view.head, row))}</tr>' for keys, row in rows])


def _framed(view: ShownTable, further: Sequence[str], rows: Iterable[str]) -> str:
    head = "".join(f"<th>{escape(name)}</th>" for name in (*view.head, *further))
    notes = "".join(f'<p class="note">{escape(note)}</p>' for note in view.notes)
    table = f'<table class="stack"><thead><tr>{head}</tr></thead><tbody>{"".join(rows)}</tbody></table>'
    return f'<div class="wide">{table}</div>{notes}'


def _cells(head: Sequence[str], row: Sequence[str]) -> Iterable[str]:
    for name, cell in zip(head, row, strict=True):
        kind = "digest" if name == "model" else _VERDICTS.get(cell.removeprefix(INDICATIVE), "")
        if _is_number(cell):
            kind = "number ours" if name.endswith("ours") and cell != NOTHING else "number"
        label = f' data-label="{escape(name)}"' if name else ""
        yield f"<td{label}" + (f' class="{kind}"' if kind else "") + f">{_shown(cell)}</td>"


def _shown(cell: str) -> str:
    """Return a cell; an interval or a deviation goes below its figure, so that wide tables fit."""
    figure, mark, rest = cell.partition(" (") if _is_number(cell) else (cell, "", "")
    if mark:
        return f"{escape(figure)} <small>{escape(rest.rstrip(')'))}</small>"
    figure, mark, rest = cell.partition(" ±") if _is_number(cell) else (cell, "", "")
    return f"{escape(figure)} <small>±{escape(rest)}</small>" if mark else escape(cell)


def _is_number(cell: str) -> bool:
    """Return whether a cell is a figure, possibly followed by an interval, a deviation or a second figure."""
    return cell == NOTHING or re.fullmatch(r"-?[\d.,]+( [(±/].*)?", cell) is not None
