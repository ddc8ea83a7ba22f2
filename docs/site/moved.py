"""Redirects from addresses of earlier releases: the table `moved` of navigation.toml, a small page for each."""

from __future__ import annotations

import os
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

import tomllib

from navigation import FILE

if TYPE_CHECKING:
    from sphinx.application import Sphinx

# An old link may name a section, which the new page still has.
_PAGE = """<!DOCTYPE html>
<html lang="en">
<meta charset="utf-8">
<title>This page has moved</title>
<meta name="robots" content="noindex">
<script>location.replace("{page}" + (location.hash || "{anchor}"));</script>
<noscript><meta http-equiv="refresh" content="0; url={page}{anchor}"></noscript>
<p>This page has moved: <a href="{page}{anchor}">go to its new place</a>.</p>
</html>
"""


def moved() -> dict[str, str]:
    """The new place of each old page, with or without an anchor."""
    found: dict[str, str] = tomllib.loads(FILE.read_text("utf-8"))["moved"]
    return found


def leading(old: str, new: str) -> str:
    """The page at the old address."""
    page, mark, anchor = new.partition("#")
    link = os.path.relpath(f"{page}.html", Path(old).parent)
    return _PAGE.format(page=escape(link), anchor=escape(mark + anchor))


def _write(app: Sphinx, problem: Exception | None) -> None:
    if problem is None and app.builder.format == "html":
        for old, new in moved().items():
            path = Path(app.outdir, f"{old}.html")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(leading(old, new), "utf-8")


def setup(app: Sphinx) -> dict[str, bool]:
    app.connect("build-finished", _write)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
