"""Escape control characters for terminals."""

from __future__ import annotations


def visible(text: str) -> str:
    r"""Escape control characters, so that a token cannot move the cursor.

    >>> visible("a\x1b[2Jb")
    'a\\x1b[2Jb'
    """
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def visible_lines(text: str) -> str:
    """Escape control characters except line ends."""
    return "\n".join(map(visible, text.split("\n")))
