"""Help texts are whole, fit the terminal, and list the commands in groups."""

from __future__ import annotations

import inspect
import os
import re
import subprocess
import sys
from itertools import pairwise

import pytest

from perceptag.cli import COMMANDS, GROUPS, MODES, WITH_MODES, load_command


@pytest.fixture(scope="module", params=[80, 100, 120])
def texts(request: pytest.FixtureRequest) -> tuple[int, list[str]]:
    """The widest line, and all help texts for a terminal: that of perceptag, then those of the commands."""
    code = (
        "import sys; from perceptag.cli import main\n"
        f"for name in {('', *WITH_MODES)!r}: main([*name.split(), '--help']); print('=' * 9)"
    )
    environment = {**os.environ, "COLUMNS": str(request.param)}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment, check=True)
    return min(request.param, 110), done.stdout.split("=" * 9 + "\n")[:-1]


def test_every_help_text_fits(texts: tuple[int, list[str]]) -> None:
    width, found = texts
    assert len(found) == len(WITH_MODES) + 1
    for text in found:
        assert max(map(len, text.split("\n"))) <= width
        usage, _, rest = text.partition("\n\n")
        assert "\n" not in usage, usage
        assert "[default: -]" not in rest
        prose, *sections = re.split(r"\n\n(?=[A-Z][a-z ]+:\n)", rest)
        assert max(len(paragraph.split()) for paragraph in prose.split("\n\n")) <= 90
        assert sections[-1].rstrip().endswith("Show this help.")
        for line, after in pairwise([*"\n".join(sections).split("\n"), ""]):
            has_help = re.search(r"\S {2,}\S", line[6:]) or after.startswith(" " * 8)
            assert has_help or not re.match(r" {2,6}-", line), line


def test_the_overview_has_a_line_for_each_command(texts: tuple[int, list[str]]) -> None:
    lines = texts[1][0].split("\n")
    for group, commands in GROUPS.items():
        at = lines.index(f"{group}:") + 1
        rows = [line.split(maxsplit=1) for line in lines[at : at + len(commands)]]
        assert rows == [[name, summary] for name, summary in commands.items()]


def test_the_overview_says_what_the_command_says_of_itself() -> None:
    summaries = {name: summary for name, summary in COMMANDS.items() if name not in MODES}
    summaries |= {
        f"{name} {mode.split()[0]}": summary for name, modes in MODES.items() for mode, summary in modes.items()
    }
    for name, summary in summaries.items():
        assert (inspect.getdoc(load_command(name).function) or "").split("\n")[0] == summary


def test_the_output_has_the_same_name_everywhere() -> None:
    short = {name: options for name in COMMANDS if "-o" in (options := load_command(name).options)}
    assert {"tag", "split", "tune", "reproduce"} <= set(short)
    assert [name for name, options in short.items() if options.get("--output") is not options["-o"]] == []
