"""Runs a command of perceptag, and writes the name of each phase to a file descriptor when the phase begins.

    python -m benchmarks.phase_marks FD train --on threads …

What watches the process from outside can then say which phase takes how much time and memory. When a phase within
another one ends, the outer one begins again.
"""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Callable
from functools import partial, wraps
from typing import Any

from perceptag.__main__ import command

START = "start"
PHASES = {
    "reading": ("perceptag.cluster.survey:_survey_parts",),
    "labels": ("perceptag.cluster.survey:_survey_labels",),
    "features": ("perceptag.cluster.survey:_survey_features",),
    "weights made": ("perceptag.models.linear.weights:make_layout", "perceptag.cluster.training:_most_active"),
    "passes": ("perceptag.models.linear.trainer:LinearTrainer.learn_epoch",),
    "dev data": ("perceptag.training.train:Training._keep",),
    "checkpoint": ("perceptag.training.checkpoint:write",),
    "model made and saved": ("perceptag.cli.training_run:_model", "perceptag.cli.training_run:save"),
}


def mark_phases(say: Callable[[str], None]) -> None:
    """Let the functions of each phase say when it begins, and what begins again when it ends."""
    open_ = [START]

    def marked(function: Callable[..., Any], phase: str) -> Callable[..., Any]:
        @wraps(function)
        def call(*given: Any, **named: Any) -> Any:
            open_.append(phase)
            say(phase)
            try:
                return function(*given, **named)
            finally:
                open_.pop()
                say(open_[-1])

        return call

    for phase, places in PHASES.items():
        for place in places:
            _replace(place, partial(marked, phase=phase))


def _replace(place: str, change: Callable[[Callable[..., Any]], Callable[..., Any]]) -> None:
    """Change a function wherever modules of perceptag have imported it by its name."""
    module, _, path = place.partition(":")
    owner: Any = importlib.import_module(module)
    *classes, name = path.split(".")
    for part in classes:
        owner = getattr(owner, part)
    before = getattr(owner, name)
    after = change(before)
    setattr(owner, name, after)
    for other in [m for key, m in sys.modules.items() if key.startswith("perceptag") and not classes]:
        if getattr(other, name, None) is before:
            setattr(other, name, after)


def main() -> None:
    """Mark the phases, and run the command."""
    descriptor = int(sys.argv[1])
    importlib.import_module("perceptag.cli.train_on")
    mark_phases(partial(_write_line, descriptor))
    sys.argv = ["perceptag", *sys.argv[2:]]
    command()


def _write_line(descriptor: int, phase: str) -> None:
    os.write(descriptor, f"{phase}\n".encode())


if __name__ == "__main__":
    main()
