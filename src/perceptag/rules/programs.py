"""Compile patterns to the programs that the core runs: nondeterministic automata as flat lists of numbers.

A node is three numbers: an operation and two arguments. Node 0 accepts. A program is run from the end of a sequence to
its beginning, and keeps for each node the longest match from there, so its time is at most the number of its nodes
for each item of the sequence, whatever the pattern (`reference.rules` says what a match is).
"""

from __future__ import annotations

from dataclasses import dataclass, field

from perceptag.rules.pattern import (
    Boundary,
    Look,
    One,
    OneOf,
    Pattern,
    PatternError,
    Repeat,
    Several,
    can_be_empty,
)

ACCEPT, ONE, SPLIT, AT, LOOK = range(5)  # operations, as cpp/include/perceptag/rules/program.hpp numbers them
MAX_PARTS = 10_000  # parts of a pattern with its repetitions written out


@dataclass(slots=True)
class Program:
    """A compiled pattern: ``LOOK k`` asks for `looks[k]`."""

    nodes: list[int] = field(default_factory=lambda: [ACCEPT, 0, 0])
    start: int = 0
    looks: list[LookProgram] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class LookProgram:
    """A compiled look-around."""

    program: Program
    behind: bool
    negated: bool


def compiled(pattern: Pattern) -> Program:
    """Compile a pattern that is to match one item or more."""
    found = _compiled(pattern, [MAX_PARTS])  # first: it refuses patterns that are too large to look through
    if can_be_empty(pattern):
        raise PatternError("expected a pattern that matches at least one item, found one that may match nothing")
    return found


def whole(pattern: Pattern) -> Program:
    """Compile a pattern that may match nothing: that of a whole value."""
    return _compiled(pattern, [MAX_PARTS])


def _compiled(pattern: Pattern, left: list[int], turned: bool = False) -> Program:
    found = Program()
    found.start = _Compiler(found, left, turned).entry(pattern, 0)
    return found


@dataclass(slots=True)
class _Compiler:
    program: Program
    left: list[int]  # how many parts may still be compiled, together with those of look-around
    turned: bool  # for sequences that are read from their ends

    def entry(self, pattern: Pattern, after: int) -> int:
        """Return the node at which a pattern begins that is followed by the node `after`."""
        self.left[0] -= 1
        if self.left[0] < 0:
            raise PatternError(
                f"expected a pattern of at most {MAX_PARTS} parts, with {{least,most}} written out; found more"
            )
        if isinstance(pattern, One):
            return self._node(ONE, pattern.test, after)
        if isinstance(pattern, Several):
            for part in pattern.parts if self.turned else reversed(pattern.parts):
                after = self.entry(part, after)
            return after
        if isinstance(pattern, OneOf):
            return self._choice([self.entry(part, after) for part in pattern.parts])
        if isinstance(pattern, Repeat):
            return self._repeat(pattern, after)
        if isinstance(pattern, Boundary):
            return self._node(AT, pattern.kind, after)
        return self._look(pattern, after)

    def _choice(self, entries: list[int]) -> int:
        found = entries[-1]
        for entry in reversed(entries[:-1]):
            found = self._node(SPLIT, entry, found)
        return found

    def _repeat(self, pattern: Repeat, after: int) -> int:
        if pattern.most is None:
            loop = self._node(SPLIT, 0, after)
            self.program.nodes[3 * loop + 1] = self.entry(pattern.part, loop)
            found = loop
        else:
            found = after
            for _ in range(pattern.most - pattern.least):
                found = self._node(SPLIT, self.entry(pattern.part, found), after)
        for _ in range(pattern.least):
            found = self.entry(pattern.part, found)
        return found

    def _look(self, pattern: Look, after: int) -> int:
        program = _compiled(pattern.part, self.left, turned=pattern.behind)
        self.program.looks.append(LookProgram(program, pattern.behind, pattern.negated))
        return self._node(LOOK, len(self.program.looks) - 1, after)

    def _node(self, operation: int, first: int, second: int) -> int:
        self.program.nodes += (operation, first, second)
        return len(self.program.nodes) // 3 - 1
