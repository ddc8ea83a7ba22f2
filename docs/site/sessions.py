"""Blocks of code without a language: sessions of a shell and commands are coloured as such."""

from __future__ import annotations

import re

from docutils import nodes
from sphinx.application import Sphinx

_COMMANDS = re.compile(r"(?:\w+=[^\n]+\n)*(?:make|perceptag|pip|python|curl|git|docker) ")


def language(code: str) -> str:
    """What a block without a language is written in."""
    if any(line.startswith("$ ") for line in code.split("\n")):
        return "console"
    return "bash" if _COMMANDS.match(code) else "text"


def _name_language(_app: Sphinx, doctree: nodes.document) -> None:
    for block in doctree.findall(nodes.literal_block):
        if block.get("language", "") in ("", "default", "none", "text"):
            block["language"] = language(block.astext())
            block["force"] = True  # output is not always what the language expects


def setup(app: Sphinx) -> dict[str, bool]:
    app.connect("doctree-read", _name_language)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
