"""Tables on standard output, and the places in files that they show."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from pathlib import PurePath

from perceptag.system import table as tables
from perceptag.system.table import Table

__all__ = ["Table", "is_terminal", "render", "short_names", "tabled", "without_folders"]


def is_terminal() -> bool:
    """Whether standard output is a terminal."""
    return sys.stdout.isatty()


def render(table: Table, title: str = "") -> str:
    """The table as text: with colours on a terminal, as wide as it needs elsewhere."""
    return tables.render(table, title, terminal=is_terminal())


def tabled(head: Sequence[str], rows: Iterable[Iterable[str]], title: str = "", numbers: Sequence[int] = ()) -> str:
    """Return rows under a head as `render` does."""
    return render(Table(head, numbers, [*map(tuple, rows)]), title)


def without_folders(text: str, files: Sequence[str]) -> str:
    """Shorten the files that a text names.

    >>> without_folders("data/a.txt:3 is also at data/b.txt:4", ["data/a.txt", "data/b.txt"])
    'a.txt:3 is also at b.txt:4'
    >>> without_folders("x/a.txt:3", ["x/a.txt", "y/a.txt"])
    'x/a.txt:3'
    """
    for file, name in short_names(sorted(files, key=len, reverse=True)).items():
        text = text.replace(f"{file}:", f"{name}:")
    return text


def short_names(files: Sequence[str]) -> dict[str, str]:
    """The names of files without their folders, or as they are if two have the same name."""
    names = {file: PurePath(file).name for file in files}
    return names if len(set(names.values())) == len(names) else {file: file for file in files}
