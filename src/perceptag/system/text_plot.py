"""Text plots: a mark for each value, and a line for its range."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple


class PlotRange(NamedTuple):
    """A value with its range."""

    low: float
    value: float
    high: float
    mark: str = "●"


def ranges(rows: Sequence[PlotRange], width: int = 40) -> list[str]:
    """Return a line for each row, all on the same scale.

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
