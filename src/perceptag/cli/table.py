"""Tables on standard output."""

from __future__ import annotations

import sys

from perceptag.system import table as tables
from perceptag.system.table import Table

__all__ = ["Table", "is_terminal", "render"]


def is_terminal() -> bool:
    """Whether standard output is a terminal."""
    return sys.stdout.isatty()


def render(table: Table, title: str = "") -> str:
    """The table as text: with colours on a terminal, as wide as it needs elsewhere."""
    return tables.render(table, title, terminal=is_terminal())
