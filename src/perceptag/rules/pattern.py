"""Patterns over a sequence, of tokens or of characters: the tree that both parsers make and the compiler reads.

    One        an item of the sequence for which a test holds; tests have numbers
    Several    patterns one after the other
    OneOf     one of some patterns
    Repeat     a pattern `least` to `most` times; None: any number of times
    Boundary   the beginning or the end of the sequence, or the edge of a word of a text
    Look       the place before (or after) which a pattern matches, or does not

`reference.rules` says what each of them matches.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from perceptag.errors import SettingError

BEGIN, END, WORD_EDGE = 0, 1, 2
MAX_DEPTH = 50  # groups inside each other
MAX_TIMES = 1000  # the largest number in {least,most}


@dataclass(frozen=True, slots=True)
class One:
    """An item of the sequence for which a test holds."""

    test: int


@dataclass(frozen=True, slots=True)
class Several:
    """Patterns one after the other; none of them: the empty sequence."""

    parts: tuple[Pattern, ...]


@dataclass(frozen=True, slots=True)
class OneOf:
    """One of some patterns."""

    parts: tuple[Pattern, ...]


@dataclass(frozen=True, slots=True)
class Repeat:
    """A pattern several times."""

    part: Pattern
    least: int
    most: int | None


@dataclass(frozen=True, slots=True)
class Boundary:
    """A place in the sequence: `BEGIN`, `END` or `WORD_EDGE`."""

    kind: int


@dataclass(frozen=True, slots=True)
class Look:
    """A place before which a pattern matches; with `behind` after which, with `negated` where it does not."""

    part: Pattern
    behind: bool
    negated: bool


Pattern: TypeAlias = "One | Several | OneOf | Repeat | Boundary | Look"


class PatternError(SettingError):
    """A pattern that cannot be compiled; `place` counts its characters from 0."""

    def __init__(self, message: str, place: int = 0, *, is_named: bool = False) -> None:
        super().__init__(message)
        self.place = place
        self.is_named = is_named  # whether the message names the pattern that contains the mistake


def can_be_empty(pattern: Pattern) -> bool:
    """Return whether a pattern may match nothing, if all places that it asks for are right."""
    if isinstance(pattern, One):
        return False
    if isinstance(pattern, Several):
        return all(map(can_be_empty, pattern.parts))
    if isinstance(pattern, OneOf):
        return any(map(can_be_empty, pattern.parts))
    if isinstance(pattern, Repeat):
        return pattern.least == 0 or can_be_empty(pattern.part)
    return True
