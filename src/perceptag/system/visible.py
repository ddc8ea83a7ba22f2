"""Show tokens and labels: escape control characters, and give each label a colour."""

from __future__ import annotations

from zlib import crc32

_SALT = "186"  # with it, labels that often occur together have different colours


def visible(text: str) -> str:
    r"""Escape control characters, so that a token cannot move the cursor.

    >>> visible("a\x1b[2Jb")
    'a\\x1b[2Jb'
    """
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def visible_lines(text: str) -> str:
    """Escape control characters except line ends."""
    return "\n".join(map(visible, text.split("\n")))


def colour_number(label: str, colours: int) -> int:
    """Return the colour of a label as a number below `colours`, always the same.

    >>> [colour_number(label, 6) for label in ("PER", "LOC", "ORG", "MISC")]
    [1, 3, 5, 0]
    """
    return crc32((_SALT + label).encode()) % colours
