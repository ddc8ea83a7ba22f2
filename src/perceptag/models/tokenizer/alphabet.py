"""The characters that a tokeniser has met: each is looked up in the Unicode tables once."""

from __future__ import annotations

import threading

from perceptag import _core
from perceptag.text.character_classes import class_of, small_letter


class Alphabet:
    """Makes runs of texts, for which the core must know all characters."""

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
                self._native.add(ord(character), class_of(character), ord(small_letter(character)))
            self._known |= characters
