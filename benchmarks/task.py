"""A task to measure: column files, templates, what is scored. It is written to a file that every child reads."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

from benchmarks.features import Columns, Field, Pattern


@dataclass(frozen=True)
class Task:
    """All systems read the same column files; the last column holds the labels."""

    name: str
    title: str
    columns: tuple[str, ...]
    train: str
    dev: str
    text: str  # a longer text, for tagging from file to file
    metric: str  # accuracy or F1
    templates: tuple[str, ...]  # as perceptag writes them
    patterns: list[Pattern]  # the same without transitions, for attribute strings
    note: str = ""

    def save(self, path: Path) -> None:
        """Write it as JSON."""
        path.write_text(json.dumps(asdict(self)), encoding="utf-8")


def load_task(path: str) -> Task:
    """Read what `Task.save` wrote."""
    data = json.loads(Path(path).read_text(encoding="utf-8"))
    data["patterns"] = [[_field(field) for field in pattern] for pattern in data["patterns"]]
    return Task(**{**data, "columns": tuple(data["columns"]), "templates": tuple(data["templates"])})


def _field(data: tuple[str, list[str], int]) -> Field:
    column, attributes, offset = data
    return column, tuple(attributes), offset


def read_plain(path: str, columns: tuple[str, ...]) -> Iterator[tuple[Columns, list[str]]]:
    """Yield the sentences of a column file with their labels, read without perceptag."""
    rows: list[list[str]] = []
    with Path(path).open(encoding="utf-8") as lines:
        for line in lines:
            if line != "\n":
                rows.append(line.split())
            elif rows:
                yield _sentence(rows, columns)
                rows = []
    if rows:
        yield _sentence(rows, columns)


def _sentence(rows: list[list[str]], columns: tuple[str, ...]) -> tuple[Columns, list[str]]:
    *values, labels = (list(column) for column in zip(*rows, strict=True))
    return dict(zip(columns[:-1], values, strict=True)), labels
