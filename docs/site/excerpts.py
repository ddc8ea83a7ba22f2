"""The search shows a piece of each page that it finds, from the file system, too.

A browser does not let a page of the file system read another one. So the texts of all pages are in a file of their
own, which the page of the search loads as a script.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sphinx.application import Sphinx

FILE = "_static/texts.js"
_MAIN = re.compile(r'<article role="main".*</article>', re.DOTALL)
_HIDDEN = re.compile(r'<(script|style)\b.*?</\1>|<a class="headerlink".*?</a>', re.DOTALL)
_TAG = re.compile(r"<(?!/?(?:article|section)\b)[^>]*>")  # sections stay: a hit may name one
_BLOCK = re.compile(r"(?=</(?:h\d|p|li|td|th|dt|dd|div)>)")  # words of two blocks are not one word
_SPACE = re.compile(r"\s+")


def text_of(page: str) -> str:
    """The text of a page, with the bounds of its sections."""
    found = _MAIN.search(page)
    return _SPACE.sub(" ", _TAG.sub("", _BLOCK.sub(" ", _HIDDEN.sub("", found.group())))) if found else ""


def _write(app: Sphinx, problem: Exception | None) -> None:
    if problem is None and app.builder.format == "html":
        out = Path(app.outdir)
        names = sorted(app.env.found_docs)
        texts = {name: text_of(Path(out, f"{name}.html").read_text("utf-8")) for name in names}
        Path(out, FILE).write_text(f"const TEXTS = {json.dumps(texts, ensure_ascii=False)};\n", "utf-8")


def _load(app: Sphinx, pagename: str, *_: object) -> None:
    if pagename == "search":
        app.add_js_file(Path(FILE).name)
        app.add_js_file("search.js")


def setup(app: Sphinx) -> dict[str, bool]:
    app.connect("html-page-context", _load)
    app.connect("build-finished", _write)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
