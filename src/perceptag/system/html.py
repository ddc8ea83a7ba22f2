"""Escaped HTML that suits light and dark pages: reports in one self-contained file, and tables for notebooks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from pathlib import Path

from perceptag.system.label_colours import colour_of, tint
from perceptag.system.table import Table
from perceptag.system.visible import visible_lines


def document(title: str, parts: Iterable[str], style: str = "", script: str = "") -> str:
    """Return a whole page. `parts` are HTML; `style` and `script` are added to those of every report."""
    common = Path(__file__).with_name("page.css").read_text(encoding="utf-8")
    code = f"<script>{script}</script>\n" if script else ""
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)}</title><style>{common}{style}</style></head>\n<body>\n<main>\n"
        + "\n".join(parts)
        + f"\n</main>\n{code}</body></html>\n"
    )


_CELL = "padding:.15em .6em;text-align:{};font-variant-numeric:tabular-nums"
# Notebooks have themes of their own, which a cell cannot ask for: a mark is ink on a tint, whatever is around it.
_MARK = "background:{tint};color:#1b1f24;border-radius:.3em;padding:.1em .3em"
_LABEL = "font-size:.75em;font-weight:600;margin-left:.35em;color:{tone}"
_FRAME, _BAR = "position:relative;min-width:10em", "position:absolute;top:.2em;bottom:.2em"
_SIGNS = ("#0072b2", "#d55e00")  # of figures above and below 0: seen on light and dark, and by colour-blind people
_PLAIN = "#4a5058"  # of labels that have no colour


def tables_html(tables: Iterable[tuple[str, Table]]) -> str:
    """Return tables with their titles."""
    return "".join(_table(title, table) for title, table in tables)


def folded_html(tables: Iterable[tuple[str, Table]]) -> str:
    """Return tables that are shown when their titles are clicked."""
    return "".join(
        f'<details><summary style="cursor:pointer">{_safe(title)}</summary>{_table("", table)}</details>'
        for title, table in tables
    )


def _table(title: str, table: Table) -> str:
    head = _row("th", table.head, table.numbers, "<th></th>" if table.bars is not None else "")
    drawn = _bars([row[table.bars] for row in table.rows]) if table.bars is not None else [""] * len(table.rows)
    body = "".join(_row("td", row, table.numbers, bar) for row, bar in zip(table.rows, drawn, strict=True))
    caption = f'<caption style="text-align:left;caption-side:top">{_safe(title)}</caption>' if title else ""
    return f"<table>{caption}<thead>{head}</thead><tbody>{body}</tbody></table>"


def _bars(figures: Sequence[str]) -> list[str]:
    """Return a cell with a bar for each figure, all on one scale; bars begin at its 0."""
    values = [float(figure or 0) for figure in figures]
    low, high = min(values, default=0.0), max(values, default=0.0)
    zero, unit = min(low, 0.0), 100 / ((max(high, 0.0) - min(low, 0.0)) or 1)
    cells = []
    for value in values:
        left, width = unit * (min(value, 0.0) - zero), unit * abs(value)
        place = f"left:{left:.1f}%;width:{width:.1f}%;background:{_SIGNS[value < 0]}"
        cells.append(f'<td aria-hidden="true" style="{_FRAME}"><div style="{_BAR};{place}"></div></td>')
    return cells


def _row(kind: str, cells: Sequence[str], numbers: Sequence[int], last: str = "") -> str:
    styles = [_CELL.format("right" if i in numbers else "left") for i in range(len(cells))]
    drawn = [f'<{kind} style="{s}">{_safe(c)}</{kind}>' for s, c in zip(styles, cells, strict=True)]
    return f"<tr>{''.join(drawn)}{last}</tr>"


def lines_html(lines: Iterable[str]) -> str:
    """Return lines of text."""
    return "".join(f"<div>{_safe(line)}</div>" for line in lines)


def marked_html(text: str, spans: Iterable[tuple[int, int, str, str]]) -> str:
    """Return a text with spans marked: places in the text, label, and what is shown when the mouse points at it."""
    parts, done = [], 0
    for start, end, label, tip in sorted(spans):
        if start < done:
            continue  # inside of another one, of another layer
        colour = colour_of(label)
        tone = colour.light if colour else _PLAIN
        style = _MARK.format(tint=tint(tone))
        parts.append(_safe(text[done:start]))
        parts.append(f'<mark style="{style}" title="{_safe(tip)}">{_safe(text[start:end])}')
        parts.append(f'<span style="{_LABEL.format(tone=tone)}">{_safe(label)}</span></mark>')
        done = end
    return f'<div style="line-height:1.9;white-space:pre-wrap">{"".join(parts)}{_safe(text[done:])}</div>'


def _safe(text: str) -> str:
    return escape(visible_lines(text))
