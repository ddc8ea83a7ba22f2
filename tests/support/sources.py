"""The syntax trees of source files, parsed once for all tests of a process that look at them."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path


@cache
def tree(path: Path) -> ast.Module:
    """The syntax tree of a file, which tests must not change."""
    return ast.parse(path.read_text("utf-8"))


@cache
def nodes(path: Path) -> tuple[ast.AST, ...]:
    """All nodes of that tree."""
    return tuple(ast.walk(tree(path)))
