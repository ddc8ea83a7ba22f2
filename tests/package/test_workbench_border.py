"""The border of the workbench: who imports it, and which names of other rooms it uses."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import perceptag
from sources import nodes

PACKAGE = Path(perceptag.__file__).parent
UPPER = ("workbench", "project")  # their own names are their own business


def imports(path: Path) -> Iterator[tuple[str, str]]:
    """The modules and names that a file imports from the package, also inside functions and for types."""
    for node in nodes(path):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("perceptag"):
            yield from ((str(node.module), alias.name) for alias in node.names)


def users_of(room: str) -> set[str]:
    """The files outside a room that import it when they run."""
    found = set()
    for path in PACKAGE.rglob("*.py"):
        name = path.relative_to(PACKAGE).as_posix()
        if not name.startswith(f"{room}/") and any(module.split(".")[1:2] == [room] for module, _ in imports(path)):
            found.add(name)
    return found


def test_only_one_command_imports_the_workbench() -> None:
    assert users_of("workbench") == {"cli/annotate.py"}


def test_only_the_workbench_imports_the_project() -> None:
    outside = {name for name in users_of("project") if not name.startswith("workbench/")}
    assert outside <= {"cli/annotate.py"}, outside  # which names the class in a type


def test_the_workbench_uses_public_names_only() -> None:
    private = [
        f"{path.relative_to(PACKAGE)}: {module} {name}"
        for room in UPPER
        for path in (PACKAGE / room).rglob("*.py")
        for module, name in imports(path)
        if any(part.startswith("_") for part in (*module.split("."), name))
    ]
    assert not private, private


def test_no_module_of_the_workbench_looks_into_private_attributes_of_other_objects() -> None:
    found = []
    for path in sorted((PACKAGE / "workbench").rglob("*.py")):
        for node in nodes(path):
            if isinstance(node, ast.Attribute) and node.attr.startswith("_") and not node.attr.startswith("__"):
                owner = node.value.id if isinstance(node.value, ast.Name) else ""
                if owner not in ("self", "cls") and (owner, node.attr) != ("os", "_exit"):
                    found.append(f"{path.relative_to(PACKAGE)}:{node.lineno} {node.attr}")
    assert not found, found
