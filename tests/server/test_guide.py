"""The guide to the server says what is so: its commands are carried out, and its table has all limits."""

from __future__ import annotations

import shlex
from dataclasses import fields
from pathlib import Path

import pytest

from asked import JSON, Asked
from markdown import Page, matches, session
from perceptag.pipeline.installed import path_of
from perceptag.server.limits import Limits

ADDRESS = "http://127.0.0.1:8765"
GUIDE = Page(Path(__file__).parents[2] / "docs" / "guide" / "serve.md")
COMMANDS = [(command, shown) for command, shown in session(GUIDE) if "curl" in command]


@pytest.fixture(scope="module")
def english() -> Asked:
    return Asked({"en": path_of("en")})


def carry_out(server: Asked, command: str) -> str:
    """What curl prints, perhaps of what printf gives it."""
    words = shlex.split(command)
    body = b""
    if words[0] == "printf":
        body, words = words[1].encode().decode("unicode_escape").encode(), words[3:]
    assert words[:2] == ["curl", "-s"]
    path = words[2].removeprefix(ADDRESS)
    kind = words[words.index("-H") + 1].removeprefix("Content-Type: ") if "-H" in words else JSON
    if "-d" in words:
        body = words[words.index("-d") + 1].encode()
    return server("POST" if body else "GET", path, body, kind=kind).body.decode()


@pytest.mark.parametrize(("command", "shown"), COMMANDS)
def test_commands_print_what_is_shown(english: Asked, command: str, shown: str) -> None:
    printed = carry_out(english, command)
    assert matches(shown, printed), printed


def test_the_table_has_all_limits_and_no_others() -> None:
    told = [f"| `{one.name}` | {one.default:,} | {one.metadata['about']} |" for one in fields(Limits)]
    section = GUIDE.text.partition("\n## Limits\n")[2].partition("\n## ")[0]
    assert [line for line in section.split("\n") if line.startswith("| `")] == told
