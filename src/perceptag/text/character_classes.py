"""Character classes from Python's Unicode tables; `CharacterClass` in C++ has the same numbers."""

from __future__ import annotations

import unicodedata

LINE_END, SPACE, UPPER, LOWER, NUMBER, LETTER, MARK, PUNCTUATION, SYMBOL, OTHER = range(10)

# Scripts that have no spaces between words, by the first word of the Unicode names of their letters; from 1 on.
SCRIPTS = ("CJK", "HIRAGANA", "KATAKANA", "KATAKANA-HIRAGANA", "HANGUL", "THAI", "LAO", "KHMER", "MYANMAR", "TIBETAN")

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


def script_of(character: str) -> int:
    """Return the number of the script of a letter or digit, if it is one of `SCRIPTS`; else 0.

    >>> [script_of(c) for c in "a漢ひカー、・"]
    [0, 1, 2, 3, 4, 0, 0]
    """
    if character.isascii() or not character.isalnum():
        return 0
    first = unicodedata.name(character, "").partition(" ")[0]
    return SCRIPTS.index(first) + 1 if first in SCRIPTS else 0


def small_letter(character: str) -> str:
    """Return the lower-case character, or the character itself if that is not a single character.

    >>> small_letter("Ä"), small_letter("?"), small_letter("İ")
    ('ä', '?', 'İ')
    """
    lower = character.lower()
    return lower if len(lower) == 1 else character
