"""Blocks of code without a language: sessions of a shell and commands are coloured as such, and long lines wrapped."""

from __future__ import annotations

import re

from docutils import nodes
from sphinx.application import Sphinx

_DRAWING = re.compile("[─│▶●]")
_COMMANDS = re.compile(r"(?:\w+=[^\n]+\n)*(?:make|perceptag|pip|python|curl|git|docker) ")


def language(code: str) -> str:
    """What a block without a language is written in."""
    if any(line.startswith("$ ") for line in code.split("\n")):
        return "console"
    return "bash" if _COMMANDS.match(code) else "text"


def wraps(code: str) -> bool:
    """Whether lines that are too long for the page may be broken: not in a table or a drawing."""
    return not _DRAWING.search(code)


def _name_language(_app: Sphinx, doctree: nodes.document) -> None:
    for block in doctree.findall(nodes.literal_block):
        if wraps(block.astext()):
            block["classes"].append("wraps")
        if block.get("language", "") in ("", "default", "none", "text"):
            block["language"] = language(block.astext())
            block["force"] = True  # output is not always what the language expects


def setup(app: Sphinx) -> dict[str, bool]:
    app.connect("doctree-read", _name_language)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
