"""Classes of characters, from Python's Unicode tables."""

from __future__ import annotations

import threading
import unicodedata

from perceptag import _core

LINE_ENDS = "\n\r"
_CLASSES = {"Lu": 2, "Lt": 2, "Ll": 3}
_FIRST_LETTERS = {"N": 4, "L": 5, "M": 6, "P": 7, "S": 8}


def class_of(character: str) -> int:
    """Return the class of a character, as the core numbers them (`CharacterClass`).

    >>> [class_of(c) for c in "\\n Aa1"], class_of(","), class_of("+")
    ([0, 1, 2, 3, 4], 7, 8)
    """
    if character.isspace():
        return 0 if character in LINE_ENDS else 1
    category = unicodedata.category(character)
    return _CLASSES.get(category) or _FIRST_LETTERS.get(category[0], 9)


class Alphabet:
    """The characters that were met so far; each is looked up once."""

    def __init__(self) -> None:
        self._native = _core.Alphabet()
        self._known: set[str] = set()
        self._lock = threading.Lock()
        self._learn({chr(code) for code in range(128)})

    def runs(self, text: str) -> _core.RunText:
        """Return the text as runs of characters without white space."""
        if not text.isascii():
            self._learn(set(text))
        return _core.RunText(text, self._native)

    def _learn(self, characters: set[str]) -> None:
        with self._lock:
            for character in characters - self._known:
                lower = character.lower()
                code = ord(character)
                self._native.add(code, class_of(character), ord(lower) if len(lower) == 1 else code)
            self._known |= characters
