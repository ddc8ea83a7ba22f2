"""A curve that grows in a notebook while a training runs.

Nothing of IPython is imported unless a notebook has started this process: then it is there already.
"""

from __future__ import annotations

import sys
from dataclasses import asdict
from importlib import import_module
from typing import Any

from perceptag.models.training_curve import training_curve
from perceptag.system.html import lines_html
from perceptag.training.train import PassReport


def in_notebook() -> bool:
    """Return whether a notebook runs this code, and not a terminal or a script."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None else None
    return getattr(shell, "kernel", None) is not None


class LiveCurve:
    """Shows the passes so far: a curve, and the last of them in words. Notebooks ask for HTML, others for text."""

    def __init__(self, head: str, score: str, kept: str) -> None:
        self._head, self._score, self._kept = head, score, kept
        self._reports: list[PassReport] = []
        self._last = ""
        self._handle: Any = None

    def add(self, report: PassReport, line: str) -> None:
        """Add a pass, and draw all of them again in the same place; `line` says it in words."""
        self._reports.append(report)
        self._last = line
        if self._handle is None:
            self._handle = import_module("IPython.display").display(self, display_id=True)
        else:
            self._handle.update(self)

    def __repr__(self) -> str:
        return f"{self._head}\n{self._last}"

    def _repr_html_(self) -> str:
        table = f'<pre style="line-height:1.3">{lines_html([self._head, self._last])}</pre>'
        return table + training_curve([asdict(report) for report in self._reports], self._score, self._kept)
