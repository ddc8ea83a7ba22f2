"""Small projects for tests."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

from perceptag.project.project import Project

TEXT = b"""Anna NNP
left VBD
Rome NNP

She PRP
slept VBD

Rome NNP
slept VBD

Peter NNP
left VBD

It PRP
rained VBD
"""


def make(folder: Path, text: bytes = TEXT, **settings: Any) -> Project:
    """A project for spans with a few sentences without labels."""
    project = Project.create(folder / "p.ptag", kind="spans", labels=["PER", "LOC"], column="ner", seed=7)
    if text:
        project.import_file(text, name="text.txt", columns=settings.pop("columns", ["form", "pos"]), **settings)
    return project


def labels_of(project: Project, sentence: int, mark: str = "O") -> list[str]:
    """Labels for a sentence: one span of one token at its beginning, or none."""
    length = len(project.sentence(sentence).tokens)
    return ["O"] * length if mark == "O" else [f"B-{mark}", *["O"] * (length - 1)]


def put(project: Project, sentence: int, mark: str, key: str, who: str = "anna") -> int:
    """Label a sentence as it is now; return the number of the revision."""
    base = project.sentence(sentence).revision
    return project.label(sentence, labels_of(project, sentence, mark), base=base, key=key, who=who).id


def exported(project: Project, **settings: Any) -> bytes:
    """What `export` writes."""
    target = io.BytesIO()
    project.export(target, **{"status": "all", "format": "columns", **settings})
    return target.getvalue()
