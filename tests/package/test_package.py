"""The package as a whole: its public names, its type stub, and what an import costs."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import perceptag

PACKAGE = Path(perceptag.__file__).parent


def test_evaluate_is_the_function_whatever_has_been_imported():
    code = (
        "import perceptag.evaluation.chunks; from perceptag import evaluate; print(evaluate([['O']], [['O']]).accuracy)"
    )
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True, timeout=60)
    assert done.stdout == "100.0\n"


def test_the_type_stub_is_up_to_date(tmp_path):
    """`make generate` writes it again."""
    made = tmp_path / "_core.pyi"
    command = [sys.executable, "-m", "nanobind.stubgen", "-q", "-m", "perceptag._core", "-o", str(made)]
    subprocess.run(command, check=True, capture_output=True, timeout=60)
    assert made.read_text("utf-8") == (PACKAGE / "_core.pyi").read_text("utf-8")
