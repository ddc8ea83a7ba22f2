"""HTML reports: one self-contained file for screens of any width, light and dark, and for print."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from pathlib import Path


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
