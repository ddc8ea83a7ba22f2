"""The HTML of a worked example: a list of steps, which static/stepper.js shows one at a time."""

from __future__ import annotations

import re
from html import escape

from papers.steps.show import Cell, Step, Table

_SPAN = re.compile(r"`([^`]+)`|\*\*([^*]+)\*\*")


def html_of(label: str, steps: list[Step]) -> str:
    """The whole example."""
    items = "\n".join(_step(k, len(steps), step) for k, step in enumerate(steps, 1))
    return (
        f'<section class="stepper" aria-label="{escape(label)}">\n<p class="stepper-label">{_inline(label)}</p>\n'
        f'<ol class="stepper-steps">\n{items}\n</ol>\n</section>\n'
    )


def _step(k: int, count: int, step: Step) -> str:
    text = "".join(f"<p>{_inline(line)}</p>\n" for line in step.text)
    tables = "\n".join(map(_table, step.tables))
    return (
        f'<li>\n<p class="stepper-title">Step {k} of {count}: {_inline(step.title)}</p>\n{text}'
        f'<div class="stepper-tables">\n{tables}\n</div>\n</li>'
    )


def _table(table: Table) -> str:
    cells = "".join(f'<th scope="col">{escape(name)}</th>' if name else "<td></td>" for name in table.head)
    head = f"<thead><tr>{cells}</tr></thead>\n" if any(table.head) else ""
    rows = "\n".join(f"<tr>{''.join(_cell(k, value) for k, value in enumerate(row))}</tr>" for row in table.rows)
    caption = f"<caption>{escape(table.caption)}</caption>"
    return f'<div class="stepper-table"><table>{caption}\n{head}<tbody>\n{rows}\n</tbody></table></div>'


def _cell(column: int, given: object) -> str:
    cell = given if isinstance(given, Cell) else Cell(given)
    tag = 'th scope="row"' if column == 0 and cell.value != "" else "td"
    mark = f' class="{cell.mark}"' if cell.mark else ""
    note = f" <small>{escape(cell.note)}</small>" if cell.note else ""
    return f"<{tag}{mark}>{escape(str(cell.value))}{note}</{tag.split(maxsplit=1)[0]}>"


def _inline(text: str) -> str:
    """`code` and **strong**."""
    return _SPAN.sub(
        lambda found: f"<code>{found[1]}</code>" if found[1] else f"<strong>{found[2]}</strong>",
        escape(text, quote=False),
    )
