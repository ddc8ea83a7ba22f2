"""The bar on the terminal: what it says, when it is there, and that it is gone at the end."""

from __future__ import annotations

import io
import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from perceptag.cli import bar
from perceptag.cli.bar import BYTES, Bar, line
from perceptag.cli.streams import write_stderr
from perceptag.system.read_positions import place_in
from perceptag.text.lines import open_input
from terminals import read_all
from waiting import wait_until


def shown(total: int | None, done: int, unit: str = "passes", width: int = 99, since: float = 0, **more: bool) -> str:
    """The line of a bar after ten seconds."""
    made = Bar("training", total, unit)
    made.done = done
    return line(made, 10 - since, since, width, more.get("blocks", False))


def test_done_speed_and_time_left() -> None:
    assert shown(10, 5) == "training ###############--------------- 5 of 10 passes, 2.0 s each, about 10 s left"
    assert shown(10, 5, blocks=True).count("━") == 15
    assert shown(10, 5, since=5).endswith("about 0 s left")
    assert shown(8_000_000, 2_000_000, BYTES).endswith(" 2.0 of 8.0 MB, 0.2 MB/s, about 30 s left")


def test_what_is_not_known_is_left_out() -> None:
    assert shown(10, 0) == "training ------------------------------ 0 of 10 passes, 10 s so far"
    assert shown(None, 50) == "training: 50 passes, 0.2 s each, 10 s so far"
    assert shown(None, 0) == "training: 10 s so far"


@pytest.mark.parametrize("width", [*range(1, 60, 7), 79])
def test_the_line_fits(width: int) -> None:
    assert len(shown(1000, 500, width=width)) <= width


def test_narrow_terminals_keep_the_time() -> None:
    assert shown(10, 5, width=30) == "training: about 10 s left"


class Terminal(io.StringIO):
    """Takes what is written to a terminal."""

    def isatty(self) -> bool:
        """It is one."""
        return True


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    """A terminal, and bars that appear at once. Tests make it stderr themselves, which pytest sets before each."""
    monkeypatch.setattr(bar, "APPEARS", 0.0)
    monkeypatch.setattr(bar, "EVERY", 0.01)
    monkeypatch.delenv("CI", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    return Terminal()


def wait_for(text: str, terminal: Terminal) -> None:
    """Wait until the terminal shows a text."""
    wait_until(lambda: text in terminal.getvalue(), repr(text))


def test_lines_are_above_the_bar_which_is_gone_at_the_end(terminal: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", terminal)
    with pytest.raises(KeyboardInterrupt), Bar("training", 3, "passes") as made:
        wait_for("0 of 3", terminal)
        write_stderr("a line")
        made.advance()
        wait_for("1 of 3", terminal)
        raise KeyboardInterrupt
    assert "\r\x1b[Ka line\n\r\x1b[Ktraining" in terminal.getvalue()
    assert terminal.getvalue().endswith("left\r\x1b[K")


@pytest.mark.parametrize("why", ["CI", "TERM", "pipe"])
def test_nothing_is_shown(why: str, terminal: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", terminal)
    assert bar.is_wanted()
    if why == "CI":
        monkeypatch.setenv("CI", "true")
    if why == "TERM":
        monkeypatch.setenv("TERM", "dumb")
    if why == "pipe":
        monkeypatch.setattr(terminal, "isatty", lambda: False)
    assert not bar.is_wanted()
    with Bar("training", 3):
        write_stderr("a line")
    assert terminal.getvalue() == "a line\n"


def test_the_place_in_a_file(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(b"a\n" * 500_000)
    assert place_in(str(path)) is None
    with open_input(str(path)) as (stream, name):
        stream.read(600)
        assert 600 <= (place_in(name) or 0) < 1_000_000
    assert place_in(str(path)) is None


SLOW = """
import sys, threading
from perceptag.cli import bar
bar.APPEARS = 0.0
drawn, draw = threading.Event(), bar.Bar._draw
bar.Bar._draw = lambda self: (draw(self), drawn.set())
with bar.Bar("work", 2):
    drawn.wait(180)
print("end", file=sys.stderr)
"""


@pytest.mark.parametrize(("encoding", "sign"), [("utf-8", "╌"), ("ascii", "-")])
def test_at_a_terminal(encoding: str, sign: str) -> None:
    ours, theirs = pty.openpty()
    environment = {**os.environ, "TERM": "xterm", "PYTHONIOENCODING": encoding, "CI": ""}
    subprocess.run([sys.executable, "-c", SLOW], stderr=theirs, env=environment, check=True)
    os.close(theirs)
    found = read_all(ours).decode(encoding)
    os.close(ours)
    assert f"work {sign * 5}" in found
    assert found.endswith("so far\r\x1b[Kend\r\n")
