"""What one step of a worked example shows: sentences and small tables. `docs/site/stepper.py` makes HTML of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

CHANGED, CHOSEN, RIGHT, WRONG = "changed", "chosen", "right", "wrong"


@dataclass(frozen=True)
class Cell:
    """A value, how it stands out, and a short note behind it. A mark never says anything alone: notes do."""

    value: object = ""
    mark: str = ""
    note: str = ""


Row = Sequence[object]  # a cell, or a value without a mark


@dataclass(frozen=True)
class Table:
    """A table whose first column names its rows."""

    caption: str
    head: Sequence[str]
    rows: Sequence[Row]

    def __post_init__(self) -> None:
        for row in self.rows:
            if len(row) != len(self.head):
                raise ValueError(f"{self.caption}: expected {len(self.head)} cells in each row, found {len(row)}")


@dataclass(frozen=True)
class Step:
    """A title, what to notice (`code` and **strong** are understood), and the tables below it."""

    title: str
    text: Sequence[str]
    tables: Sequence[Table] = field(default_factory=tuple)


def number(value: float) -> str:
    """A score as one writes it by hand: whole numbers without a point, a true minus sign."""
    if value != int(value):
        raise ValueError(f"expected a whole number, found {value}")
    return str(int(value)).replace("-", "−")


def signed(value: float) -> str:
    """The same with a plus sign for what is added."""
    return f"+{number(value)}" if value > 0 else number(value)


def sum_of(parts: Iterable[float]) -> str:
    """An addition as one writes it by hand: 3 + 2 − 1."""
    first, *rest = parts
    return number(first) + "".join(f" {'−' if part < 0 else '+'} {number(abs(part))}" for part in rest)


def weight_cell(before: Mapping[Any, float], after: Mapping[Any, float], feature: object) -> Cell:
    """A weight, with how it has just changed."""
    new, old = after.get(feature, 0), before.get(feature, 0)
    return Cell(number(new)) if new == old else Cell(number(new), CHANGED, f"({signed(new - old)})")


def labelled(words: Sequence[str], gold: Sequence[Cell], guess: Sequence[Cell]) -> Table:
    """Words in columns, gold labels and a guess below them; where the guess differs, it is marked."""
    judged = [
        Cell(mine.value, RIGHT, mine.note) if mine.value == wanted.value else Cell(mine.value, WRONG, f"{mine.note} ✗")
        for wanted, mine in zip(gold, guess, strict=True)
    ]
    return Table("The sentence: labels, and what each word adds", ["", *words], [["gold", *gold], ["guess", *judged]])
