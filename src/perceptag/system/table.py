"""Tables and range plots for terminals."""

from __future__ import annotations

import io
import re
import shutil
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from perceptag.system.visible import visible


@dataclass(slots=True)
class Table:
    """Rows of text under a head; the columns in `numbers` are aligned to the right.

    In HTML the figures of the column `bars` are also drawn.
    """

    head: Sequence[str]
    numbers: Sequence[int] = ()
    rows: list[tuple[str, ...]] = field(default_factory=list)
    bars: int | None = None

    def add(self, *cells: str) -> None:
        """Add a row."""
        self.rows.append(cells)


def render(table: Table, title: str = "", *, terminal: bool = False) -> str:
    """Return the table as text: as wide as it needs, or for a terminal, with colours and in its width.

    A table of which a terminal would cut words becomes a list: a block for each row, a line for each of its cells.
    """
    width = shutil.get_terminal_size().columns if terminal else 200
    widths = _widths(table, width) if terminal else [None] * len(table.head)
    if widths is None:
        return "\n".join([*([visible(title)] if title else []), "", *_blocks(table, width), ""])
    from rich import box
    from rich.console import Console
    from rich.table import Table as RichTable
    from rich.text import Text

    drawn = RichTable(box=box.SIMPLE_HEAD, pad_edge=False)
    for i, name in enumerate(table.head):
        side: Literal["left", "right"] = "right" if i in table.numbers else "left"
        drawn.add_column(Text(visible(name)), justify=side, overflow="fold", width=widths[i])
    for row in table.rows:
        drawn.add_row(*(Text(visible(cell)) for cell in row))  # as Text: square brackets are not markup
    console = Console(file=io.StringIO(), width=width, force_terminal=terminal, legacy_windows=False)
    if title:
        console.print(Text(visible(title), style="italic"))  # apart: rich would cut it into lines as wide as the table
    console.print(drawn)
    stream = console.file
    assert isinstance(stream, io.StringIO)
    return "\n".join(line.rstrip() for line in stream.getvalue().split("\n"))


_BETWEEN = 3  # blanks between two columns
_LONGEST = 40  # columns that a word takes which is never cut


def _widths(table: Table, width: int) -> Sequence[int | None] | None:
    """How wide each column is, so that no word is cut; None if the terminal is too narrow for that.

    A very long word, such as a path, is cut anyway.
    """
    columns = [[visible(cell) for cell in column] for column in zip(table.head, *table.rows, strict=True)]
    least = [min(_LONGEST, max([1, *(width_of(word) for cell in cells for word in cell.split())])) for cells in columns]
    wanted = [max(0, max(map(width_of, cells)) - low) for cells, low in zip(columns, least, strict=True)]
    spare = width - sum(least) - _BETWEEN * len(least)
    if spare < 0:
        return None
    share = min(1.0, spare / max(1, sum(wanted)))
    return [low + int(share * more) for low, more in zip(least, wanted, strict=True)]


def _blocks(table: Table, width: int) -> list[str]:
    """A block for each row: the first cell, then the others behind the names of their columns."""
    names = [visible(name) for name in table.head]
    margin = 2 + max(map(width_of, names[1:]), default=0) + 2
    lines: list[str] = []
    for row in table.rows:
        cells = [visible(cell) for cell in row]
        lines += [""] if lines else []
        lines += wrapped(cells[0], width) if cells[0] else []  # without it the block belongs to the one above
        for name, cell in zip(names[1:], cells[1:], strict=True):
            if cell:
                lines += wrapped(f"  {name}{' ' * (margin - 2 - width_of(name))}{cell}", width, margin)
    return lines


def in_terminal_width(text: str) -> str:
    """Cut the lines that are wider than the terminal between words."""
    width = shutil.get_terminal_size().columns
    return "\n".join(part for line in text.split("\n") for part in wrapped(line, width))


def wrapped(line: str, width: int, margin: int = 2) -> list[str]:
    """Cut a line between words, so that no part is wider than `width`; further lines begin with a margin.

    >>> wrapped("recipe: ner, chosen by the data", 24)
    ['recipe: ner, chosen by', '  the data']
    >>> wrapped("  already short", 24)
    ['  already short']
    """
    if width_of(line) <= width:
        return [line]
    lines, last = [], ""
    for blanks, word in re.findall(r"(\s*)(\S+)", line):
        if last and width_of(last + blanks + word) > max(width, margin + 20):
            lines.append(last)
            last = " " * margin + word
        else:
            last += blanks + word
    return [*lines, last]


def width_of(text: str) -> int:
    """Return how many columns of a terminal a text takes; a Chinese character takes two.

    >>> width_of("Tokyo"), width_of("東京")
    (5, 4)
    """
    if text.isascii():
        return len(text)
    from rich.cells import cell_len

    return cell_len(text)


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
