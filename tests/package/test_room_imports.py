"""Imports that import-linter cannot see: those of the package itself, of `_core`, and of numpy in the reference."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import perceptag
from sources import nodes

SOURCE = Path(perceptag.__file__).parent
REFERENCE = Path(__file__).parents[2] / "reference"
BELOW = ("perceptag.features", "perceptag.labels", "perceptag.text", "perceptag.errors", "perceptag.rules.spans")
BELOW += ("perceptag.rules.pattern",)  # the tree of a pattern, whose meaning the reference defines


def imports(path: Path) -> Iterator[tuple[str, str]]:
    """The module and the name of each import of a file; the name is empty for ``import module``."""
    for node in nodes(path):
        if isinstance(node, ast.Import):
            yield from ((alias.name, "") for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, f"{path}: a relative import"
            yield from ((node.module or "", alias.name) for alias in node.names)


def test_no_room_imports_public_names_from_the_package() -> None:
    """`from perceptag import Tagger` in a low room would go round the order of the rooms."""
    seen = 0
    for path in sorted(SOURCE.rglob("*.py")):
        for module, name in imports(path):
            if module == "perceptag":
                seen += 1
                assert name == "_core" or (SOURCE / f"{name}.py").exists() or (SOURCE / name).is_dir(), (path, name)
    assert seen > 20


def test_the_reference_imports_nothing_native_and_nothing_numeric() -> None:
    found = {module for path in REFERENCE.glob("*.py") for module, _ in imports(path)}
    assert "reference.lattice" in found
    for module in found:
        top = module.partition(".")[0]
        assert module.startswith(BELOW) if top == "perceptag" else top in {"reference", *sys.stdlib_module_names}, (
            module
        )
