"""Show text and times to people: escape control characters, round seconds."""

from __future__ import annotations

_JOINERS = "\u200c\u200d"  # of emoji, and of letters in Persian and the scripts of India


def visible(text: str) -> str:
    r"""Escape control characters, so that a token cannot move the cursor.

    >>> visible("a\x1b[2Jb"), visible("👩\u200d👧") == "👩\u200d👧"
    ('a\\x1b[2Jb', True)
    """
    return "".join(c if c.isprintable() or c in _JOINERS else c.encode("unicode_escape").decode() for c in text)


def visible_lines(text: str) -> str:
    """Escape control characters except line ends."""
    return "\n".join(map(visible, text.split("\n")))


def duration(seconds: float) -> str:
    """Return a time as people write it.

    >>> duration(45.2), duration(3000), duration(9000)
    ('45 s', '50 min', '2.5 h')
    """
    if seconds < 120:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 7200 else f"{seconds / 3600:.1f} h"
