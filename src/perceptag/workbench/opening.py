"""A project opened, or begun, as the command line asks for it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from perceptag.errors import SettingError
from perceptag.labels.label_set import label_column
from perceptag.labels.schemes import detect_scheme
from perceptag.pipeline.installed import installed, load
from perceptag.pipeline.pipeline import Pipeline
from perceptag.project.project import Project
from perceptag.project.records import Imported
from perceptag.text.formats import read

ENGLISH = "en"  # the installed model whose tokeniser cuts text, if none is named


@dataclass(frozen=True, slots=True)
class Wanted:
    """What the command line asks for."""

    path: str
    imports: Sequence[str] = ()
    spans: Sequence[str] = ()
    tags: Sequence[str] = ()
    columns: Sequence[str] | None = None
    label: str = ""
    format: str = ""
    settings: dict[str, Any] = field(default_factory=dict)  # start, classes, recipe
    sealed: int = 0
