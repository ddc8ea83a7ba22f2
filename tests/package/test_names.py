"""Names of classes: each means one thing in the whole package."""

from __future__ import annotations

import ast
from collections import defaultdict
from pathlib import Path

import perceptag
from sources import nodes

SOURCE = Path(perceptag.__file__).parent
DOORS = {"PerceptagTagger"}  # the public name in each library that perceptag serves: scikit-learn, spaCy, NLTK
VAGUE = {"file", "files", "reading", "writing", "utils", "util", "helpers", "misc", "common", "types"}


def classes() -> dict[str, list[str]]:
    """The modules that define a class, by its name."""
    found: dict[str, list[str]] = defaultdict(list)
    for path in sorted(SOURCE.rglob("*.py")):
        for node in nodes(path):
            if isinstance(node, ast.ClassDef):
                found[node.name].append(path.relative_to(SOURCE).as_posix())
    return found


def test_a_class_name_is_unique_in_the_package() -> None:
    found = classes()
    assert len(found) > 300
    twice = {name: modules for name, modules in found.items() if len(modules) > 1 and name not in DOORS}
    assert not twice, "rename all but one"


def test_a_module_has_a_name_that_says_what_it_holds() -> None:
    found = {path.relative_to(SOURCE).as_posix() for path in SOURCE.rglob("*.py") if path.stem in VAGUE}
    assert not found
