r"""Regular expressions over characters, as far as they can be matched in time linear in the text.

    a  .  [a-z]  [^a-z]  \d \w \s \D \W \S  \p{L}  \n \t \x41     one character
    (…)  (?:…)  a|b  ?  *  +  {2}  {1,3}                          groups, alternatives, quantifiers
    ^  $  \b                                                      the beginning, the end, the edge of a word
    (?&months)                                                    a word of a list, or a named expression
    (?i)                                                          at the beginning: in any case

``\d``, ``\w`` and ``\s`` are those of ASCII; ``\p{L}`` is a Unicode category. Back-references and look-around need
more than linear time, or a second search, and are refused. Brackets capture nothing.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Collection, Iterable, Mapping
from functools import lru_cache
from itertools import pairwise

from perceptag.errors import nearest
from perceptag.rules.pattern import BEGIN, END, WORD_EDGE, Boundary, One, OneOf, Pattern, PatternError, Several
from perceptag.rules.scanner import PatternParser

Ranges = tuple[tuple[int, int], ...]  # of code points, both ends included; sorted, none touch

LAST = 0x10FFFF
_LAST_ASSIGNED = 0x33480  # letters, digits and signs are below it
_DIGITS: Ranges = ((0x30, 0x39),)
_WORD: Ranges = ((0x30, 0x39), (0x41, 0x5A), (0x5F, 0x5F), (0x61, 0x7A))
_SPACE: Ranges = ((0x09, 0x0D), (0x20, 0x20))
_SETS = {"d": _DIGITS, "w": _WORD, "s": _SPACE}
_SIGNS = {"n": "\n", "t": "\t", "r": "\r", "f": "\f", "v": "\v"}
_HEX = {"x": 2, "u": 4}
_MAX_FOLDED = 2000  # characters of a set that are looked at one by one for their other case


class CharacterSets:
    """The sets of characters that patterns ask for, each once; the number of a set is a test.

    `named`: expressions and lists of words that others refer to.
    """

    def __init__(
        self, named: Mapping[str, str] | None = None, lists: Mapping[str, Collection[str]] | None = None
    ) -> None:
        self.sets: list[Ranges] = []
        self.named = named or {}
        self.lists = lists or {}
        self._numbers: dict[Ranges, int] = {}
        self._parsed: dict[tuple[str, bool], Pattern | None] = {}  # None: it is being parsed

    def number(self, ranges: Ranges) -> int:
        """Return the number of a set."""
        if ranges not in self._numbers:
            self._numbers[ranges] = len(self.sets)
            self.sets.append(ranges)
        return self._numbers[ranges]

    def parse(self, text: str) -> Pattern:
        """Return the pattern that a regular expression is."""
        return _TextParser(text, self).parse()

    def referred(self, name: str, in_any_case: bool) -> Pattern:
        """Return the pattern of a named expression, or of the words of a list."""
        key = name, in_any_case
        if key not in self._parsed:
            self._parsed[key] = None
            self._parsed[key] = self._refer(name, in_any_case)
        found = self._parsed[key]
        if found is None:
            raise PatternError(f"expected expressions that do not contain themselves, found {name!r} inside itself")
        return found

    def _refer(self, name: str, in_any_case: bool) -> Pattern:
        if name in self.named:
            try:
                return _TextParser(self.named[name], self, in_any_case).parse()
            except PatternError as error:
                if error.is_named:
                    raise
                raise PatternError(
                    f"expression {name!r}, character {error.place + 1}: {error}", is_named=True
                ) from None
        if not self.lists.get(name):
            known = [*self.named, *self.lists]
            listed = ", ".join(known) or "none"
            raise PatternError(f"expected an expression or a list ({listed}), found {name!r}{nearest(name, known)}")
        return OneOf(tuple(self._word(word, in_any_case) for word in sorted(self.lists[name])))

    def _word(self, word: str, in_any_case: bool) -> Pattern:
        one = ((ord(letter), ord(letter)) for letter in word)
        return Several(tuple(One(self.number(_in_case((range_,), in_any_case))) for range_ in one))


class _TextParser(PatternParser):
    def __init__(self, text: str, sets: CharacterSets, in_any_case: bool = False) -> None:
        super().__init__(text)
        self.sets = sets
        self.in_any_case = self.take("(?i)") or in_any_case

    def skip(self) -> None:
        """Skip nothing: every character of the pattern has a meaning."""

    def atom(self) -> Pattern:
        sign = self.text[self.place]
        if sign == "(":
            return self._group()
        if sign in "?*+{":
            raise self.error(f"expected something that {sign!r} repeats before it")
        self.place += 1
        if sign in "^$":
            return Boundary(BEGIN if sign == "^" else END)
        if sign == "\\" and self.text[self.place : self.place + 1] in ("b", "B"):
            return self._edge()
        return One(self.sets.number(_in_case(self._character(sign), self.in_any_case)))

    def _character(self, sign: str) -> Ranges:
        if sign == ".":
            return complement(((0x0A, 0x0A),))
        if sign == "[":
            return self._set()
        return self._escaped() if sign == "\\" else ((ord(sign), ord(sign)),)

    def _group(self) -> Pattern:
        for sign in ("(?=", "(?!", "(?<=", "(?<!"):
            if self.text.startswith(sign, self.place):
                raise self.error(
                    f"{sign}…): look-around is not offered in regular expressions; a pattern over tokens has it"
                )
        if self.text.startswith("(?&", self.place):
            return self._reference()
        if self.text.startswith("(?", self.place) and not self.text.startswith("(?:", self.place):
            raise self.error("expected (…), (?:…) or (?&name), or (?i) at the beginning; found another kind of group")
        self.place += 3 if self.text.startswith("(?:", self.place) else 1
        return self.group()

    def _reference(self) -> Pattern:
        begin, end = self.place, self.text.find(")", self.place)
        if end < 0:
            raise self.error("expected ')' after the name of an expression or a list")
        self.place = end + 1
        try:
            return self.sets.referred(self.text[begin + 3 : end], self.in_any_case)
        except PatternError as error:
            error.place = begin
            raise

    def _edge(self) -> Pattern:
        self.place += 1
        if self.text[self.place - 1] == "B":
            raise PatternError("\\B: not offered; expected \\b, the edge of a word", self.place - 2)
        return Boundary(WORD_EDGE)

    def _escaped(self) -> Ranges:
        r"""Read what stands after a backslash."""
        begin = self.place - 1
        if self.place >= len(self.text):
            raise PatternError("expected a character after '\\', found the end of the pattern", begin)
        sign = self.text[self.place]
        self.place += 1
        if sign.lower() in _SETS:
            return _SETS[sign] if sign in _SETS else complement(_SETS[sign.lower()])
        if sign in "pP":
            return self._category(begin, negated=sign == "P")
        if sign in _HEX:
            return self._code(begin, _HEX[sign])
        if sign.isdigit():
            raise PatternError(
                f"\\{sign}: back-references are not offered, since they cannot be matched in linear time", begin
            )
        sign = _SIGNS.get(sign, sign)
        if sign.isascii() and sign.isalpha():
            raise PatternError(f"\\{sign}: expected one of \\d \\w \\s \\b \\p \\n \\t \\x, or a sign", begin)
        return ((ord(sign), ord(sign)),)

    def _category(self, begin: int, negated: bool) -> Ranges:
        end = self.text.find("}", self.place)
        name = self.text[self.place + 1 : end] if end >= 0 and self.text[self.place : self.place + 1] == "{" else ""
        found = category(name) if name else ()
        if not found:
            raise PatternError("\\p: expected a Unicode category, such as \\p{L} or \\p{Lu}", begin)
        self.place = end + 1
        return complement(found) if negated else found

    def _code(self, begin: int, digits: int) -> Ranges:
        code = self.text[self.place : self.place + digits]
        try:
            number = int(code, 16) if len(code) == digits and code.isalnum() else -1
        except ValueError:
            number = -1
        if number < 0:
            raise PatternError(f"expected {digits} hexadecimal digits, found {code!r}", begin)
        self.place += digits
        return ((number, number),)

    def _set(self) -> Ranges:
        """Read ``[…]``, whose bracket has been read."""
        begin = self.place - 1
        negated = self.text.startswith("^", self.place)
        self.place += negated
        found: list[tuple[int, int]] = []
        while self.place < len(self.text) and (self.text[self.place] != "]" or not found):
            found += self._range()
        if self.place >= len(self.text):
            raise PatternError("expected ']' for this '[', found the end of the pattern", begin)
        self.place += 1
        ranges = merged(in_any_case(merged(found)) if self.in_any_case else found)
        return complement(ranges) if negated else ranges

    def _range(self) -> Ranges:
        begin = self.place
        first = self._member()
        is_range = self.text.startswith("-", self.place) and self.text[self.place + 1 : self.place + 2] not in ("", "]")
        if not is_range:
            return first
        self.place += 1
        last = self._member()
        if len(first) > 1 or len(last) > 1 or first[0][0] != first[0][1] or first[0][0] > last[0][0]:
            raise PatternError(f"expected a range such as a-z, found {self.text[begin : self.place]!r}", begin)
        return ((first[0][0], last[0][1]),)

    def _member(self) -> Ranges:
        sign = self.text[self.place]
        self.place += 1
        return self._escaped() if sign == "\\" else ((ord(sign), ord(sign)),)


def merged(ranges: Iterable[tuple[int, int]]) -> Ranges:
    """Return ranges sorted, with those that overlap or touch as one.

    >>> merged([(5, 9), (1, 3), (4, 4)])
    ((1, 9),)
    """
    found: list[tuple[int, int]] = []
    for first, last in sorted(ranges):
        if found and first <= found[-1][1] + 1:
            found[-1] = found[-1][0], max(last, found[-1][1])
        else:
            found.append((first, last))
    return tuple(found)


def complement(ranges: Ranges) -> Ranges:
    """Return all other characters.

    >>> complement(((0, 9), (11, 0x10FFFF)))
    ((10, 10),)
    """
    found, begin = [], 0
    for first, last in ranges:
        if begin < first:
            found.append((begin, first - 1))
        begin = last + 1
    return (*found, (begin, LAST)) if begin <= LAST else tuple(found)


def _in_case(ranges: Ranges, any_case: bool) -> Ranges:
    return in_any_case(ranges) if any_case else ranges


def in_any_case(ranges: Ranges) -> Ranges:
    """Return the characters in both cases; sets of very many characters stay as they are."""
    if sum(last - first for first, last in ranges) > _MAX_FOLDED:
        return ranges
    codes = [code for first, last in ranges for code in range(first, last + 1)]
    others = {ord(c) for code in codes for c in (chr(code).lower(), chr(code).upper()) if len(c) == 1}
    return merged([*ranges, *((code, code) for code in others)])


@lru_cache(maxsize=64)
def category(name: str) -> Ranges:
    """Return the characters of a Unicode category, such as ``Lu``, or of all that begin with it, such as ``L``."""
    return merged(run for found, run in _runs_of_categories() if found.startswith(name))


@lru_cache(maxsize=1)
def _runs_of_categories() -> list[tuple[str, tuple[int, int]]]:
    """Return runs of characters of one category, with the category."""
    names = list(map(unicodedata.category, map(chr, range(_LAST_ASSIGNED))))
    begin = [0, *(code for code in range(1, len(names)) if names[code] != names[code - 1]), len(names)]
    return [(names[first], (first, end - 1)) for first, end in pairwise(begin)]
