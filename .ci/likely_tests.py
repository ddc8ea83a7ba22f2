"""Which test files probably test a line of Python, by what they mention: for lines of which nothing is recorded."""

from __future__ import annotations

import ast
import re
from collections import Counter
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[1]
FREQUENT = {"main", "run", "read", "write", "check", "__init__", "get", "add", "tag", "find", "name", "open", "load"}
SLOW = {"subprocess", "Popen", "worker_processes", "served_process"}  # files that start processes
Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


@cache
def words_of_tests() -> dict[str, frozenset[str]]:
    """The words of each test file, and of the support modules that it imports."""
    support = {path.stem: _words(path) for path in ROOT.glob("tests/support/*.py")}
    found = {}
    for path in ROOT.glob("tests/**/test_*.py"):
        words = _words(path)
        more = [support[name] for name in support if name in words]
        found[path.relative_to(ROOT).as_posix()] = words.union(*more)
    return found


def _words(path: Path) -> frozenset[str]:
    text = path.read_text("utf-8")
    return frozenset(re.findall(r"[\w.]+", text)) | imported(text)


def imported(text: str) -> set[str]:
    """The modules that a source imports, and what it imports from them, by dotted names."""
    found = set()
    for name, what in re.findall(r"^\s*from (perceptag[\w.]*) import ([\w, ]+)", text, re.MULTILINE):
        found |= {name, *(f"{name}.{word}" for word in re.findall(r"\w+", what))}
    return found


@cache
def rarity() -> dict[str, float]:
    """How much a word says: 1 if at most eight test files have it, less if more have it."""
    counts = Counter(word for words in words_of_tests().values() for word in words)
    return {word: min(1.0, 8 / count) for word, count in counts.items()}


@cache
def importers() -> dict[str, set[str]]:
    """The modules that import a module, by their dotted names."""
    found: dict[str, set[str]] = {}
    for path in ROOT.glob("src/perceptag/**/*.py"):
        for name in imported(path.read_text("utf-8")):
            found.setdefault(name, set()).add(dotted(path.relative_to(ROOT).as_posix()))
    return found


def dotted(path: str) -> str:
    """The name of the module of a file."""
    return ".".join(Path(path).relative_to("src").with_suffix("").parts).removesuffix(".__init__")


def names_around(path: str, line: int) -> tuple[set[str], set[str]]:
    """The functions and classes around a line, or the constant that it is part of; and what uses them in this file."""
    tree = ast.parse((ROOT / path).read_text("utf-8"))
    definitions = [node for node in ast.walk(tree) if isinstance(node, Definition)]
    near = {node.name for node in definitions if node.lineno <= line <= (node.end_lineno or 0)} - FREQUENT
    near |= {name for node in tree.body if node.lineno <= line <= (node.end_lineno or 0) for name in assigned(node)}
    far = set(near)
    for _ in range(3):
        for node in definitions:
            used = {one.id for one in ast.walk(node) if isinstance(one, ast.Name)}
            used |= {one.attr for one in ast.walk(node) if isinstance(one, ast.Attribute)}
            if used & far:
                far.add(node.name)
    return near, far - near - FREQUENT


def assigned(statement: ast.stmt) -> set[str]:
    """The names that a statement gives a value; a definition gives none."""
    if isinstance(statement, Definition):
        return set()
    return {node.id for node in ast.walk(statement) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}


def likely_files(path: str, line: int) -> list[str]:
    """The test files that mention the module of a line, what is around it, or what imports it; the likeliest first."""
    name = dotted(path)
    parts = name.split(".")
    near, far = names_around(path, line)
    around = importers().get(name, set()) - {name}
    if parts[1] == "cli":  # a command is tested with what it shows
        around = around | imported((ROOT / path).read_text("utf-8"))
    scores = {}
    for file, words in words_of_tests().items():
        score = 6 * (name in words) + 4 * sum(rarity()[word] for word in near & words)
        score += 1.5 * sum(rarity()[word] for word in far & words) + 2 * sum(rarity()[word] for word in around & words)
        score += 2 * len({*parts[-1].split("_")} & {*Path(file).stem.split("_")}) + 3 * (f"tests/{parts[1]}/" in file)
        score += 6 * (Path(file).stem == f"test_{parts[-1]}")
        score -= 2 * bool(SLOW & words)
        score += 3 * (len(parts) > 3 and f"/{parts[2]}/" in file)
        score += 5 * (parts[1] == "cli" and f'"{parts[-1]}"' in (ROOT / file).read_text("utf-8"))
        score -= 3 * file.startswith(("tests/package/", "tests/browser/"))
        if score > 2:
            scores[file] = score - (ROOT / file).stat().st_size / 20_000
    return sorted(scores, key=lambda file: scores[file], reverse=True)
