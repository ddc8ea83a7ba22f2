"""What axe finds wrong in a page."""

from __future__ import annotations

from typing import Any

import pytest

FOUND = "([part, options]) => axe.run(part, options).then(found => found.violations)"


COLOURED = (390, 768, 1280)  # widths between which the style sheets of the server's page change; others look like these


def violations(page: Any, part: str = "html", *, contrast: bool = True, **options: Any) -> list[str]:
    """The rules that a part of the page breaks, each with the element that does.

    The script of axe is large: it is put into a page once, not before each run, and only what is wrong is sent back.
    Contrast takes nine tenths of the time of axe, and is the same at widths at which a style sheet is.
    """
    axe = pytest.importorskip("axe_playwright_python.sync_playwright")
    if not page.evaluate("'axe' in window"):
        page.evaluate(axe.Axe().axe_script)
    rules = {} if contrast else {"rules": {"color-contrast": {"enabled": False}}}
    found = page.evaluate(FOUND, [part, {"resultTypes": ["violations"], **rules, **options}])
    return [f"{one['id']}: {node['html'][:200]}" for one in found for node in one["nodes"]]
