"""Blocks of code without a language: those with a prompt are sessions of a shell, and coloured as such."""

from __future__ import annotations

from docutils import nodes
from sphinx.application import Sphinx


def _name_language(_app: Sphinx, doctree: nodes.document) -> None:
    for block in doctree.findall(nodes.literal_block):
        if block.get("language", "") in ("", "default", "none", "text") and is_session(block.astext()):
            block["language"] = "console"


def is_session(code: str) -> bool:
    """Whether a line is typed after a prompt."""
    return any(line.startswith("$ ") for line in code.split("\n"))


def setup(app: Sphinx) -> dict[str, bool]:
    app.connect("doctree-read", _name_language)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
