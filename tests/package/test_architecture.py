"""ARCHITECTURE.md says what is so: rooms and their order, native passes, kinds of models, commands, state."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

import pytest

from markdown import Page
from sources import nodes, tree

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


def test_python_loops_stand_beside_the_native_ones() -> None:
    for name in ("perceptron", "margin", "ascent"):
        code = ast.parse((SOURCE / "learn" / f"{name}.py").read_text("utf-8"))
        assert {"learn_epoch", "native_epoch"} <= {node.name for node in code.body if isinstance(node, ast.FunctionDef)}


def test_process_wide_state_is_where_it_is_told() -> None:
    """Names of modules that functions rebind, and values of threads."""
    found = set()
    for path in SOURCE.rglob("*.py"):
        assigned = (ast.unparse(node) for node in tree(path).body if isinstance(node, ast.Assign))
        is_of_threads = "threading.local()" in path.read_text("utf-8") and any(
            "threading.local()" in a for a in assigned
        )
        if is_of_threads or any(isinstance(node, ast.Global) for node in nodes(path)):
            found.add(path.relative_to(SOURCE).as_posix())
    told = set(re.findall(r"`([\w/]+\.py)`", section("Invariants")))
    assert found == {"cli/bar.py", "engines/threads_engine.py"}
    assert told == {*found, "system/read_positions.py"}
