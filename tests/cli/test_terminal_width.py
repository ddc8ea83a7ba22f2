"""Commands in a real terminal of 80 and of 120 columns: no line is wider, and no word is cut."""

from __future__ import annotations

import fcntl
import os
import re
import struct
import sys
import termios

import pytest

from command_line import succeed
from perceptag.system.table import Table, render, wrapped

pty = pytest.importorskip("pty")
_COLOURS = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


def in_terminal(columns: int, *command: object) -> list[str]:
    """The lines that a command shows in a terminal of this width, without colours."""
    process, terminal = pty.fork()
    if process == 0:
        os.environ["TERM"] = "xterm"
        os.environ.pop("COLUMNS", None)
        os.execv(sys.executable, [sys.executable, "-m", "perceptag", *map(str, command)])
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
    shown = b""
    while part := _read(terminal):
        shown += part
    assert os.waitpid(process, 0)[1] == 0, shown.decode()
    return [_COLOURS.sub("", line.rpartition("\r")[2]) for line in shown.decode().replace("\r\n", "\n").split("\n")]


def _read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 65536)
    except OSError:  # the command has ended
        return b""


def words(lines: list[str]) -> list[str]:
    """The words of some lines in order."""
    return " ".join(lines).split()


@pytest.mark.parametrize(("command", "columns"), [("list", 80), ("list", 120), ("list --models", 80), ("doctor", 80)])
def test_lists_fit_and_keep_words_whole(command: str, columns: int) -> None:
    lines = in_terminal(columns, *command.split())
    assert max(map(len, lines)) <= columns
    known = {*words([succeed(*command.split()).out]), "yes"}  # doctor says whether this is a terminal
    assert {w for w in words(lines) if w.isalpha()} <= known


def test_wide_characters_count_as_two_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    names = ["東京都庁前広場市区", "日本国憲法前文章句", "大阪市中央区役所前"]
    table = Table(["word", "label", "place"])
    table.add(*names)
    table.add("", "x", "y")
    shown = render(table, terminal=True)
    assert all(name in shown for name in names)
    assert "\n\n\n" not in shown.strip()
    assert wrapped(" ".join(names), 40) == [" ".join(names[:2]), f"  {names[2]}"]
