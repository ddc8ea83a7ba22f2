"""Tables and range plots for terminals."""

from __future__ import annotations

import io
import shutil
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from perceptag.system.visible import visible


@dataclass(slots=True)
class Table:
    """Rows of text under a head; the columns in `numbers` are aligned to the right."""

    head: Sequence[str]
    numbers: Sequence[int] = ()
    rows: list[tuple[str, ...]] = field(default_factory=list)

    def add(self, *cells: str) -> None:
        """Add a row."""
        self.rows.append(cells)


def render(table: Table, title: str = "", *, terminal: bool = False) -> str:
    """Return the table as text: as wide as it needs, or for a terminal, with colours and in its width."""
    from rich import box
    from rich.console import Console
    from rich.table import Table as RichTable
    from rich.text import Text

    drawn = RichTable(box=box.SIMPLE_HEAD, pad_edge=False)
    for i, name in enumerate(table.head):
        drawn.add_column(Text(visible(name)), justify="right" if i in table.numbers else "left", overflow="fold")
    for row in table.rows:
        drawn.add_row(*(Text(visible(cell)) for cell in row))  # as Text: square brackets are not markup
    width = shutil.get_terminal_size().columns if terminal else 200
    console = Console(file=io.StringIO(), width=width, force_terminal=terminal, legacy_windows=False)
    if title:
        console.print(Text(visible(title), style="italic"))  # apart: rich would cut it into lines as wide as the table
    console.print(drawn)
    stream = console.file
    assert isinstance(stream, io.StringIO)
    return "\n".join(line.rstrip() for line in stream.getvalue().split("\n"))


class PlotRange(NamedTuple):
    """A value with its range."""

    low: float
    value: float
    high: float
    mark: str = "●"


def ranges(rows: Sequence[PlotRange], width: int = 40) -> list[str]:
    """Plot a line for each row, all on the same scale: a mark for the value, and a bar for its range.

    >>> for line in ranges([PlotRange(1, 2, 3), PlotRange(3, 4, 5, "○")], width=9):
    ...     print(repr(line))
    '├─●─┤'
    '    ├─○─┤'
    """
    lowest, highest = min(row.low for row in rows), max(row.high for row in rows)
    scale = (width - 1) / ((highest - lowest) or 1)
    lines = []
    for row in rows:
        low, value, high = (round((v - lowest) * scale) for v in row[:3])
        line = [" "] * low + ["─"] * (high - low + 1)
        line[low], line[high] = "├", "┤"
        line[value] = row.mark
        lines.append("".join(line))
    return lines
