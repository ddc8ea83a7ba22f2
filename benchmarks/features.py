"""Attribute strings for systems that take features as strings: the same features that perceptag's templates give.

It imports nothing of perceptag, so that another system's time and memory are its own. It is what one would write by
hand with some care: values are cached for each word, so most strings are looked up, not made.

A feature is `number of the template = value`, or values joined by `|`. Outside the sentence each distance has its own
symbol. If an attribute has no value (a prefix longer than the word, a flag that is false), its template does not fire.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

Columns = dict[str, list[str]]
Field = tuple[str, tuple[str, ...], int]  # column, attributes composed from left to right, offset
Pattern = list[Field]

OUTSIDE = "\ue000"  # begins the symbols outside the sentence; no word begins with it


def shape(word: str) -> str:
    """Replace capitals by X, other letters by x, digits by d; keep the rest."""
    return "".join("X" if c.isupper() else "x" if c.isalpha() else "d" if c.isdigit() else c for c in word)


def _is_number(word: str) -> bool:
    return any(c.isdigit() for c in word) and all(c.isdigit() or c in ".,-/:" for c in word)


ATTRIBUTES: dict[str, Callable[[str], str | None]] = {
    "lower": str.lower,
    "shape": shape,
    "shortshape": lambda word: re.sub(r"(.)\1+", r"\1", shape(word), flags=re.DOTALL),
    "digit": lambda word: "1" if any(c.isdigit() for c in word) else None,
    "upper": lambda word: "1" if any(c.isupper() for c in word) else None,
    "hyphen": lambda word: "1" if "-" in word else None,
    "capital": lambda word: "1" if word[:1].isupper() else None,
    "allcaps": lambda word: "1" if word.isupper() and all(c.isupper() for c in word if c.isalpha()) else None,
    "number": lambda word: "1" if _is_number(word) else None,
}


def find_attribute(name: str) -> Callable[[str], str | None]:
    """Return the attribute of that name: one of the above, `prefixN` or `suffixN`."""
    if name in ATTRIBUTES:
        return ATTRIBUTES[name]
    kind, n = name[:-1], int(name[-1])
    if kind == "prefix":
        return lambda word: word[:n] if len(word) >= n else None
    if kind == "suffix":
        return lambda word: word[-n:] if len(word) >= n else None
    raise KeyError(f"attribute: expected {', '.join(ATTRIBUTES)}, prefixN or suffixN; found {name!r}")


class Values(dict[str, str | None]):
    """A cache of what a chain of attributes makes of a column value, with the prefix `before`."""

    def __init__(self, attributes: Sequence[str], before: str = "") -> None:
        super().__init__()
        self.steps = [find_attribute(name) for name in attributes]
        self.before = before

    def __missing__(self, word: str) -> str | None:
        value: str | None = word
        if not word.startswith(OUTSIDE):
            for step in self.steps:
                value = step(value) if value is not None else None
        self[word] = made = None if value is None else self.before + value
        return made


class AttributeMaker:
    """Makes the features of every token of a sentence as lists of strings."""

    def __init__(self, patterns: Sequence[Pattern]) -> None:
        self.reach = max((abs(offset) for pattern in patterns for _, _, offset in pattern), default=0)
        self.single = [(i, p[0]) for i, p in enumerate(patterns) if len(p) == 1]
        self.joined = [(i, p) for i, p in enumerate(patterns) if len(p) > 1]
        self.ready = {i: Values(attributes, f"{i}=") for i, (_, attributes, _) in self.single}
        self.parts = {a: Values(a) for _, pattern in self.joined for _, a, _ in pattern}

    def __call__(self, columns: Columns) -> list[list[str]]:
        """Return the features of every token."""
        T = len(next(iter(columns.values())))
        reach = self.reach
        before = [f"{OUTSIDE}-{reach - k}" for k in range(reach)]
        after = [f"{OUTSIDE}+{k + 1}" for k in range(reach)]
        padded = {name: [*before, *values, *after] for name, values in columns.items()}
        made: list[Sequence[str | None]] = []
        for i, (column, _, offset) in self.single:
            at = reach + offset
            made.append([*map(self.ready[i].__getitem__, padded[column][at : at + T])])
        for i, pattern in self.joined:
            fields = [self.values(padded[column][reach + o :][:T], attributes) for column, attributes, o in pattern]
            made.append([_join(i, values) for values in zip(*fields, strict=True)])
        return [[f for f in token if f is not None] for token in zip(*made, strict=True)]

    def values(self, words: list[str], attributes: tuple[str, ...]) -> Sequence[str | None]:
        """Return what the attributes make of the words; None where they have no value."""
        return [*map(self.parts[attributes].__getitem__, words)] if attributes else words


def _join(number: int, values: Sequence[str | None]) -> str | None:
    try:
        return f"{number}=" + "|".join(values)  # type: ignore[arg-type]
    except TypeError:  # one of them is None
        return None
