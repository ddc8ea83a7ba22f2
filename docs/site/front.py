"""The front page: README.md is index.html, too, so that a browser finds it in the folder.

Its first table, whose columns are the tasks that people come with, becomes a row of cards.
"""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING

from docutils import nodes

if TYPE_CHECKING:
    from sphinx.application import Sphinx


def _make_cards(app: Sphinx, doctree: nodes.document) -> None:
    if app.env.docname == app.config.root_doc:
        table = next(doctree.findall(nodes.table))
        table.replace_self(cards(table))


def cards(table: nodes.table) -> nodes.container:
    """A card for each column."""
    rows = [list(row.findall(nodes.entry)) for row in table.findall(nodes.row)]
    found = nodes.container(classes=["cards"])
    for column in zip(*rows, strict=True):
        paragraphs = [paragraph for cell in column for paragraph in cell.children]
        found += nodes.container("", *paragraphs, classes=["card"])
    return found


def _copy(app: Sphinx, problem: Exception | None) -> None:
    if problem is None and app.builder.format == "html":
        shutil.copyfile(Path(app.outdir, f"{app.config.root_doc}.html"), Path(app.outdir, "index.html"))


def setup(app: Sphinx) -> dict[str, bool]:
    app.connect("doctree-read", _make_cards)
    app.connect("build-finished", _copy)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
