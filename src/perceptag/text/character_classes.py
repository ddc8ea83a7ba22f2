"""Character classes from Python's Unicode tables; `CharacterClass` in C++ has the same numbers."""

from __future__ import annotations

import unicodedata

LINE_END, SPACE, UPPER, LOWER, NUMBER, LETTER, MARK, PUNCTUATION, SYMBOL, OTHER = range(10)

_CATEGORIES = {"Lu": UPPER, "Lt": UPPER, "Ll": LOWER}
_MAJOR = {"N": NUMBER, "L": LETTER, "M": MARK, "P": PUNCTUATION, "S": SYMBOL}


def class_of(character: str) -> int:
    r"""Return the class of a character.

    >>> [class_of(c) for c in "\n Aa1,+"]
    [0, 1, 2, 3, 4, 7, 8]
    """
    if character.isspace():
        return LINE_END if character in "\n\r" else SPACE
    category = unicodedata.category(character)
    return _CATEGORIES.get(category) or _MAJOR.get(category[0], OTHER)


def small_letter(character: str) -> str:
    """Return the lower-case character, or the character itself if that is not a single character.

    >>> small_letter("Ä"), small_letter("?"), small_letter("İ")
    ('ä', '?', 'İ')
    """
    lower = character.lower()
    return lower if len(lower) == 1 else character
