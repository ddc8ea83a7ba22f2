"""ARCHITECTURE.md says what is so: rooms and their order, native passes, kinds of models, commands, state."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

from markdown import Page

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "perceptag"
PAGE = Page(ROOT / "ARCHITECTURE.md")
# What stands outside the order of the rooms.
OUTSIDE = {
    "reference",
    "data",
    "__main__.py",
    "_version.py",
    "__init__.py",
}  # what stands outside the order of the rooms


@cache
def section(title: str) -> str:
    """The text below a heading, up to the next one of any level."""
    found = re.search(rf"^#+ {re.escape(title)}\n(.*?)(?=^#+ |\Z)", PAGE.text, re.MULTILINE | re.DOTALL)
    assert found, title
    return found[1]


def table(title: str) -> list[list[str]]:
    """The rows of the first table of a section, without its header."""
    rows = [line for line in section(title).splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in row.strip("|").split(" | ")] for row in rows[2:]]


def names(cell: str) -> list[str]:
    return re.findall(r"`([^`]+)`", cell)


def rooms() -> list[list[str]]:
    """The rooms of each row, as the contract calls them."""
    return [[name.rstrip("/").removesuffix(".py") for name in names(row[0])] for row in table("The rooms")]


def test_the_rows_of_the_table_are_the_layers_of_the_contract() -> None:
    tomllib = pytest.importorskip("tomllib")
    configured = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"]["contracts"]
    (layers,) = [one["layers"] for one in configured if one["name"] == "a room imports only rooms below it"]
    assert [sorted(row) for row in rooms()] == [sorted(layer.split(" | ")) for layer in layers]


def test_every_room_is_in_the_table_and_exists() -> None:
    listed = [name for row in table("The rooms") for name in names(row[0])]
    assert len(listed) == len(set(listed))
    found = {
        path.name + "/" * path.is_dir()
        for path in SOURCE.iterdir()
        if path.suffix == ".py" or (path / "__init__.py").exists()
    }
    assert set(listed) == {name for name in found if name.rstrip("/") not in OUTSIDE}
