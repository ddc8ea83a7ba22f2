"""What ``import perceptag`` loads, and what it does not."""

from __future__ import annotations

import subprocess
import sys


def loaded(code: str) -> set[str]:
    """The modules that are loaded after running `code` in a fresh interpreter."""
    text = f"{code}\nimport sys\nprint(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, check=True)
    return set(done.stdout.split())


def test_the_package_needs_no_command_line() -> None:
    names = {name.partition(".")[0] for name in loaded("import perceptag")}
    assert not names & {"typer", "click", "rich", "sklearn", "scipy", "concurrent", "asyncio", "multiprocessing"}


def test_the_command_line_draws_no_table_before_it_is_asked() -> None:
    assert "rich.table" not in loaded("import perceptag.cli")
