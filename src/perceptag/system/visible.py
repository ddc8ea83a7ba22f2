"""Show text, labels and times to people: escape control characters, give each label a colour, round seconds."""

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


def duration(seconds: float) -> str:
    """Return a time as people write it.

    >>> duration(45.2), duration(3000), duration(9000)
    ('45 s', '50 min', '2.5 h')
    """
    if seconds < 120:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 7200 else f"{seconds / 3600:.1f} h"
