"""Exports of other tools, written by hand after their documentation."""

from __future__ import annotations

import json
import re

from perceptag.foreign.read_export import ForeignFile, read_foreign
from perceptag.foreign.texts import ForeignToken


def by_spaces(text: str) -> list[list[ForeignToken]]:
    """Words between spaces; a line is a sentence."""
    return [
        [
            ForeignToken(w.group(), line.start() + w.start(), line.start() + w.end())
            for w in re.finditer(r"\S+", line.group())
        ]
        for line in re.finditer(r"[^\n]+", text)
    ]


def exported(value: object, lines: bool = True) -> bytes:
    """A file of JSON lines, or one of a single value."""
    return ("".join(json.dumps(v) + "\n" for v in value) if lines else json.dumps(value, indent=1)).encode()


def read(value: object, lines: bool = True, tool: str | None = None) -> ForeignFile:
    return read_foreign(exported(value, lines), "some.jsonl" if lines else "some.json", tool, by_spaces)
