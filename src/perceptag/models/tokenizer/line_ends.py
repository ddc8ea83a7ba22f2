"""Which line ends of running text end a paragraph: before bullets, behind headings, and in text that is not wrapped.

Wrapped text has no room at the end of a line for the first word of the next one. Where at least half of the lines of a
paragraph do have that room, as in addresses, lists and transcripts, the author has ended them on purpose. Then a line
ends a paragraph, unless its last character shows that it continues, such as a comma, or the next line begins with a
small letter. In wrapped text only a heading does: a short first line that ends in a letter or a digit, if the next line
begins with a capital letter and is long enough for the heading and its own first word.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from perceptag.text.treebank import BLANK_LINE, LINE_END

HEADING = 80  # characters of a heading at most
NARROWEST = 30  # characters; text is not wrapped to shorter lines
FILLED = 0.97  # of the widest line: in a proportional font, lines that are full differ by some characters
LINE_START = re.compile(rf"{LINE_END}[^\S\r\n]*(?=\S)")
_BULLET = re.compile(r"(?:[-*+•‣▪●◦–—]|\(?(?:\d{1,3}|[A-Za-z])[.)])[^\S\r\n]+\S|\|[^\r\n]*\|[^\S\r\n]*(?:[\r\n]|\Z)")
_FIRST_WORD = re.compile(r"\S+")
_CONTINUES = (",", ";", "-", "–", "—", "&", "/", "+", "=", "(")  # at the end of a line
_OPENING = ("[", "(", "<", '"', "“", "‘", "«", "@", "#")  # may begin a line, as capitals and digits do


class Line(NamedTuple):
    """A line without white space around it: its first character, its end, and the end of its first word."""

    begin: int
    end: int
    word_end: int

    @property
    def width(self) -> int:
        """The number of characters."""
        return self.end - self.begin

    def has_room_for(self, following: Line, width: int) -> bool:
        """Return whether the first word of the next line would fit behind this one."""
        return self.width + 1 + following.word_end - following.begin <= width


def paragraph_starts(text: str) -> Iterator[int]:
    """Yield the places of lines that begin a paragraph, besides those behind a blank line.

    >>> list(paragraph_starts("Offices\\nOslo: 12 people\\nRome: 7 people"))
    [8, 24]
    """
    for lines, is_bullet in _blocks(text):
        if is_bullet:
            yield lines[0].begin
        if len(lines) > 1 and _is_heading(text, *lines[:2]):
            del lines[0]
            yield lines[0].begin
        yield from _deliberate(text, lines)


def _blocks(text: str) -> Iterator[tuple[list[Line], bool]]:
    """Yield the lines between blank lines and bullets; and whether a bullet begins them, not behind a blank line."""
    lines: list[Line] = []
    is_bullet = False
    begin = len(text) - len(text.lstrip())
    for start in [*(match.end() for match in LINE_START.finditer(text)), len(text)]:
        end = begin + len(text[begin:start].rstrip())
        if end > begin:
            word = _FIRST_WORD.match(text, begin)
            assert word is not None
            lines.append(Line(begin, end, word.end()))
        ends_block = start == len(text) or bool(BLANK_LINE.search(text, end, start))
        found_bullet = _BULLET.match(text, start) is not None
        if lines and (ends_block or found_bullet):
            yield lines, is_bullet
            lines, is_bullet = [], found_bullet and not ends_block
        begin = start


def _is_heading(text: str, line: Line, following: Line) -> bool:
    is_short = line.width <= HEADING and text[line.end - 1].isalnum() and text[following.begin].isupper()
    return is_short and line.has_room_for(following, following.width)


def _is_wrapped(lines: list[Line]) -> bool:
    """Return whether most lines have no room for the first word of the next one."""
    # A long address that stands on a line of its own says nothing about the width of the others.
    widest = max((line.width for line in lines if line.word_end < line.end), default=0)
    width = max(NARROWEST, int(FILLED * widest))
    pairs = list(pairwise(lines))
    return 2 * sum(line.has_room_for(following, width) for line, following in pairs) < len(pairs)


def _continue_in_small_letters(text: str, lines: list[Line]) -> bool:
    """Return whether half of the lines begin inside a sentence: then the line above them may be a wide header."""
    return len(lines) > 2 and 2 * sum(text[line.begin].islower() for line in lines[1:]) >= len(lines) - 1


def _deliberate(text: str, lines: list[Line]) -> Iterator[int]:
    """Yield the lines behind line ends that are not those of wrapped text."""
    pairs = list(pairwise(lines))
    if _is_wrapped(lines) or (_continue_in_small_letters(text, lines[1:]) and _is_wrapped(lines[1:])):
        return
    for line, following in pairs:
        first = text[following.begin]
        if text[line.end - 1] not in _CONTINUES and (first.isupper() or first.isdigit() or first in _OPENING):
            yield following.begin
