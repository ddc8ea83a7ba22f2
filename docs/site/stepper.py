"""Worked examples that can be stepped through: a block `{stepper} NAME` shows what docs/papers/steps/NAME.py computes.

The steps are a list in the page, so that they can be read without a script, printed and searched. static/stepper.js
shows one of them at a time.
"""

from __future__ import annotations

import importlib
import re
import sys
from html import escape
from pathlib import Path

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

DOCS = Path(__file__).resolve().parents[1]
STEPS = DOCS / "papers" / "steps"
if str(DOCS) not in sys.path:
    sys.path.insert(0, str(DOCS))

from papers.steps.show import Cell, Step, Table  # noqa: E402

_SPAN = re.compile(r"`([^`]+)`|\*\*([^*]+)\*\*")


class Stepper(SphinxDirective):
    """The argument names the program, the text in the block says what it shows."""

    required_arguments = 1
    has_content = True

    def run(self) -> list[nodes.Node]:
        name, label = self.arguments[0], " ".join(self.content)
        if not (STEPS / f"{name}.py").exists() or not label:
            raise self.error(f"stepper: expected the name of a program in {STEPS} and a line of text, found {name}")
        for path in STEPS.glob("*.py"):
            self.env.note_dependency(str(path))
        return [nodes.raw("", html_of(label, steps_of(name)), format="html")]


def steps_of(name: str) -> list[Step]:
    """Run a program."""
    found: list[Step] = importlib.import_module(f"papers.steps.{name}").steps()
    return found


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
    head = "".join(f'<th scope="col">{escape(name)}</th>' if name else "<td></td>" for name in table.head)
    rows = "\n".join(f"<tr>{''.join(_cell(k, value) for k, value in enumerate(row))}</tr>" for row in table.rows)
    caption = f"<caption>{escape(table.caption)}</caption>"
    return (
        f'<div class="stepper-table"><table>{caption}\n<thead><tr>{head}</tr></thead>\n'
        f"<tbody>\n{rows}\n</tbody></table></div>"
    )


def _cell(column: int, given: Cell | str | int) -> str:
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


def setup(app: Sphinx) -> dict[str, bool]:
    app.add_directive("stepper", Stepper)
    app.add_css_file("stepper.css")
    app.add_js_file("stepper.js", loading_method="defer")
    return {"parallel_read_safe": True, "parallel_write_safe": True}
