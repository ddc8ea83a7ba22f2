"""Patterns over tokens, in the way of corpus query languages.

    "Order"                            a word; "order"i in any case
    []                                 any token
    [lower = "order"]                  a token with this value of an attribute or a column; != for any other
    [shape ~ /d{2,4}/]                 all of the value matches a regular expression; !~ for the contrary
    [lower in months]                  the value is in a list of the file; not in for the contrary
    [class64 = "12"]                   the value that a list of the file has for the word
    [capital]                          the attribute has a value
    [upos = "NOUN" & (digit | !upper)] conditions joined by & | ! and brackets
    ( … | … )  ?  *  +  {2}  {1,3}     groups, alternatives, quantifiers
    <amount>                           the pattern of this name in the table `patterns` of the file
    (?= … )  (?! … )                   before this place, or not before it
    (?<= … )  (?<! … )                 after it, or not after it
    ^  $                               the beginning and the end of the sentence

A pattern matches as many tokens as it can.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping

from perceptag.errors import SettingError, nearest
from perceptag.rules.conditions import Among, Both, Condition, Like, Not, TokenField, either, field_of
from perceptag.rules.pattern import BEGIN, END, Boundary, Look, One, Pattern, PatternError
from perceptag.rules.scanner import PatternParser
from perceptag.rules.text_patterns import CharacterSets

_LOOKS = {"(?=": (False, False), "(?!": (False, True), "(?<=": (True, False), "(?<!": (True, True)}
_NAME = re.compile(r"[^\W\d][\w.:+-]*")
_STRING = re.compile(r'"((?:[^"\\]|\\.)*)"')
_EXPRESSION = re.compile(r"/((?:[^/\\]|\\.)*)/")
_LOWER = TokenField("form", ("lower",))
_FORM = TokenField("form", ())

Lists = Mapping[str, frozenset[str]]


class TokenConditions:
    """The conditions that patterns ask for, each once; the number of a condition is a test."""

    def __init__(
        self,
        lists: Lists,
        check: Callable[[TokenField], None],
        extra: Collection[str] = (),
        named: Mapping[str, str] | None = None,
    ) -> None:
        self.conditions: list[Condition] = []
        self.lists = lists
        self.named = named or {}  # patterns that others refer to
        self.check = check  # refuses a field that does not exist
        self.extra = extra  # names of further attributes
        self._numbers: dict[Condition, int] = {}
        self._parsed: dict[str, Pattern | None] = {}  # None: it is being parsed

    def number(self, condition: Condition) -> int:
        """Return the number of a condition."""
        if condition not in self._numbers:
            self._numbers[condition] = len(self.conditions)
            self.conditions.append(condition)
        return self._numbers[condition]

    def parse(self, text: str) -> Pattern:
        """Return the pattern that a text is."""
        return _TokenParser(text, self).parse()

    def named_pattern(self, name: str) -> Pattern:
        """Return the pattern of a name, which is parsed once."""
        if name not in self.named:
            known = ", ".join(self.named) or "no pattern"
            raise PatternError(f"expected a named pattern ({known}), found {name!r}{nearest(name, self.named)}")
        if name not in self._parsed:
            self._parsed[name] = None
            try:
                self._parsed[name] = self.parse(self.named[name])
            except PatternError as error:
                if error.is_named:
                    raise
                raise PatternError(f"pattern {name!r}, character {error.place + 1}: {error}", is_named=True) from None
        found = self._parsed[name]
        if found is None:
            raise PatternError(f"expected patterns that do not contain themselves, found {name!r} inside itself")
        return found


class _TokenParser(PatternParser):
    def __init__(self, text: str, tests: TokenConditions) -> None:
        super().__init__(text)
        self.tests = tests

    def skip(self) -> None:
        while self.place < len(self.text) and self.text[self.place].isspace():
            self.place += 1

    def atom(self) -> Pattern:
        sign = self.text[self.place]
        if sign == '"':
            return self._word()
        if sign == "[":
            return self._token()
        if sign == "(":
            return self._group()
        if sign == "<":
            return self._reference()
        if sign in "^$":
            self.place += 1
            return Boundary(BEGIN if sign == "^" else END)
        if sign in "?*+{":
            raise self.error(f"expected something that {sign!r} repeats before it")
        raise self.error(f'expected "word", [condition] or (group), found {sign!r}')

    def _word(self) -> Pattern:
        word = self._string()
        if self.text.startswith("i", self.place):
            self.place += 1
            return self._one(Among(_LOWER, frozenset([word.lower()])))
        return self._one(Among(_FORM, frozenset([word])))

    def _reference(self) -> Pattern:
        begin = self.place
        self.place += 1
        name = self._name("the name of a pattern")
        if not self.take(">"):
            raise self.error("expected '>' after the name of a pattern")
        try:
            return self.tests.named_pattern(name)
        except PatternError as error:
            error.place = begin
            raise

    def _one(self, condition: Condition) -> Pattern:
        return One(self.tests.number(condition))

    def _group(self) -> Pattern:
        for sign, (behind, negated) in _LOOKS.items():
            if self.take(sign):
                return Look(self.group(), behind, negated)
        self.place += 1
        if self.text.startswith("?", self.place) and not self.text.startswith("?:", self.place):
            raise self.error(f"expected a group such as ( … ) or {' … ), '.join(_LOOKS)} … )")
        self.place += 2 * self.text.startswith("?:", self.place)
        return self.group()

    # --- conditions ---

    def _token(self) -> Pattern:
        begin = self.place
        self.place += 1
        if self.take("]"):
            return self._one(Both(()))
        found = self._either(0)
        if not self.take("]"):
            where = self.text[self.place : self.place + 10]
            raise PatternError(f"expected ']', & or | in a condition, found {where!r}", self.place if where else begin)
        return self._one(found)

    def _either(self, depth: int) -> Condition:
        parts = [self._both(depth)]
        while self.take("|"):
            parts.append(self._both(depth))
        return either(tuple(parts))

    def _both(self, depth: int) -> Condition:
        parts = [self._not(depth)]
        while self.take("&"):
            parts.append(self._not(depth))
        return parts[0] if len(parts) == 1 else Both(tuple(parts))

    def _not(self, depth: int) -> Condition:
        if depth > 50:
            raise self.error("expected at most 50 brackets and '!' inside each other")
        if self.take("!"):
            return Not(self._not(depth + 1))
        if self.take("("):
            found = self._either(depth + 1)
            if not self.take(")"):
                raise self.error("expected ')' in a condition")
            return found
        return self._comparison()

    def _comparison(self) -> Condition:
        self.skip()
        begin, name = self.place, self._name("an attribute or a column")
        field = field_of(name, self.tests.extra)
        try:
            self.tests.check(field)
        except SettingError as error:
            raise PatternError(str(error), begin) from None
        if self.take("!="):
            return Not(self._equal(field))
        if self.take("!~"):
            return Not(self._like(field))
        if self.take("="):
            return self._equal(field)
        if self.take("~"):
            return self._like(field)
        word = re.compile(r"(not\s+)?in\b").match(self.text, self.place)
        if not word:
            return Among(field, None)
        self.place = word.end()
        found = self._in_list(field)
        return Not(found) if word[1] else found

    def _name(self, what: str) -> str:
        found = _NAME.match(self.text, self.place)
        if not found:
            raise self.error(f"expected {what}, found {self.text[self.place : self.place + 10]!r}")
        self.place = found.end()
        self.skip()
        return found[0]

    def _equal(self, field: TokenField) -> Condition:
        self.skip()
        return Among(field, frozenset([self._string()]))

    def _string(self) -> str:
        found = _STRING.match(self.text, self.place)
        if not found:
            raise self.error('expected a text in "quotation marks"')
        self.place = found.end()
        return re.sub(r"\\(.)", r"\1", found[1], flags=re.DOTALL)

    def _like(self, field: TokenField) -> Condition:
        self.skip()
        found = _EXPRESSION.match(self.text, self.place)
        if not found:
            raise self.error("expected a regular expression between slashes, such as /[a-z]+/")
        try:
            CharacterSets().parse(found[1])
        except PatternError as error:
            raise PatternError(str(error), self.place + 1 + error.place) from None
        self.place = found.end()
        return Like(field, found[1])

    def _in_list(self, field: TokenField) -> Condition:
        self.skip()
        begin, name = self.place, self._name("the name of a list")
        if name not in self.tests.lists:
            known = ", ".join(self.tests.lists) or "no list"
            raise PatternError(
                f"expected a list of the file ({known}), found {name!r}{nearest(name, self.tests.lists)}", begin
            )
        return Among(field, self.tests.lists[name])
