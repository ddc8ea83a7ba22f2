"""Processes of `pipe` that a script starts: from standard input, and without a main guard."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("perceptag_en")

SCRIPT = """
import perceptag
nlp = perceptag.load("en")
print([doc.text for doc in nlp.pipe(["Anna sings.", "Ben left."], n_process=2)])
"""


def python(*arguments: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, *arguments], input=stdin, capture_output=True, text=True, check=False)


def test_processes_started_from_standard_input() -> None:
    done = python("-", stdin=SCRIPT)
    assert done.stdout == "['Anna sings.', 'Ben left.']\n", done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.every
def test_processes_without_a_main_guard_give_one_message(tmp_path: Path) -> None:
    (tmp_path / "script.py").write_text(SCRIPT, "utf-8")
    done = python(str(tmp_path / "script.py"))
    assert done.returncode == 1 and done.stderr.count("Traceback") == 1, done.stderr
    assert "if __name__ == '__main__':" in done.stderr.split("\n")[-2]
