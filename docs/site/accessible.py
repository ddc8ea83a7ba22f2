"""What a screen reader and a keyboard need, and the theme does not give: named regions, no empty headers of columns."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sphinx.application import Sphinx

_EMPTY_HEADER = re.compile(r'<th class="(head[^"]*)"><p></p></th>')
_PARAMETERS = re.compile(r'(<span class="sig-paren">\(</span>\s*)<dl>(.*?)</dl>', re.DOTALL)


def improved(html: str) -> str:
    """The same page, with better markup."""
    html = html.replace('<aside class="sidebar-drawer', '<aside aria-label="All pages" class="sidebar-drawer')
    html = html.replace('<aside class="toc-drawer', '<aside aria-label="On this page" class="toc-drawer')
    html = html.replace('<div id="search-results">', '<h1>Search</h1>\n<div id="search-results">')
    html = _EMPTY_HEADER.sub(r'<td class="\1"></td>', html)
    return _PARAMETERS.sub(_lines, html)  # a list of definitions without terms is not one


def _lines(found: re.Match[str]) -> str:
    lines = found[2].replace("<dd>", "<div>").replace("</dd>", "</div>")
    return f'{found[1]}<div class="sig-lines">{lines}</div>'


def _improve(app: Sphinx, problem: Exception | None) -> None:
    if problem is None and app.builder.format == "html":
        for page in Path(app.outdir).rglob("*.html"):
            page.write_text(improved(page.read_text("utf-8")), "utf-8")


def setup(app: Sphinx) -> dict[str, bool]:
    app.connect("build-finished", _improve, priority=400)  # before the front page is copied
    return {"parallel_read_safe": True, "parallel_write_safe": True}
