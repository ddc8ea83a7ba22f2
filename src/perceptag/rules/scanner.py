"""What the parsers of patterns share: a place in a text, groups, alternatives and quantifiers."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod

from perceptag.rules.pattern import MAX_DEPTH, MAX_TIMES, OneOf, Pattern, PatternError, Repeat, Several

_TIMES = re.compile(r"\{(\d{1,9})(?:(,)(\d{1,9})?)?\}")


class PatternParser(ABC):
    """Reads ``a b | (c d)+``; what stands for one item is read by `atom`."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.place = 0
        self.depth = 0

    def parse(self) -> Pattern:
        """Return the pattern that the whole text is."""
        found = self.choice()
        if self.place < len(self.text):
            raise self.error(f"expected the end of the pattern, found {self.text[self.place]!r}")
        return found

    def choice(self) -> Pattern:
        """Read alternatives."""
        parts = [self._several()]
        while self.take("|"):
            parts.append(self._several())
        return parts[0] if len(parts) == 1 else OneOf(tuple(parts))

    def _several(self) -> Pattern:
        parts: list[Pattern] = []
        self.skip()
        while self.place < len(self.text) and self.text[self.place] not in "|)":
            begin = self.place
            parts.append(self._repeated(self.atom(), begin))
            self.skip()
        return parts[0] if len(parts) == 1 else Several(tuple(parts))

    @abstractmethod
    def atom(self) -> Pattern:
        """Read what stands for one item, or a group."""

    def group(self) -> Pattern:
        """Read the rest of a group up to its bracket."""
        begin = self.place - 1
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise self.error(f"expected at most {MAX_DEPTH} groups inside each other")
        found = self.choice()
        if not self.take(")"):
            raise PatternError("expected ')' for this '(', found the end of the pattern", begin)
        self.depth -= 1
        return found

    def _repeated(self, part: Pattern, begin: int) -> Pattern:
        """Read a quantifier after a part, if there is one."""
        self.skip()
        times = self._times()
        if times is None:
            return part
        self.skip()
        if self.place < len(self.text) and self.text[self.place] in "?*+":
            raise self.error("expected one quantifier, found another; a match is always the longest")
        least, most = times
        if most is not None and most < least:
            raise PatternError(f"expected {{least,most}} with least up to most, found {{{least},{most}}}", begin)
        if max(least, most or 0) > MAX_TIMES:
            raise PatternError(f"expected at most {MAX_TIMES} times, found {max(least, most or 0)}", begin)
        return Repeat(part, least, most)

    def _times(self) -> tuple[int, int | None] | None:
        for sign, times in (("?", (0, 1)), ("*", (0, None)), ("+", (1, None))):
            if self.take(sign):
                return times
        if self.place < len(self.text) and self.text[self.place] == "{":
            found = _TIMES.match(self.text, self.place)
            if found is None:
                raise self.error("expected a number of times, such as {2} or {1,3}")
            self.place = found.end()
            least = int(found[1])
            return least, int(found[3]) if found[3] else None if found[2] else least
        return None

    @abstractmethod
    def skip(self) -> None:
        """Skip what has no meaning between two parts."""

    def take(self, sign: str) -> bool:
        """Skip a sign; return whether it was there."""
        self.skip()
        if not self.text.startswith(sign, self.place):
            return False
        self.place += len(sign)
        return True

    def error(self, message: str) -> PatternError:
        """Return an error at this place."""
        return PatternError(message, self.place)
