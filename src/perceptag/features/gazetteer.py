"""Lists of phrases as features: the longest matches of a sentence, marked B- and I-.

A file has one phrase a line, its tokens separated by spaces; it is given a class in the recipe:
``gazetteer = ["city=cities.txt"]``. Templates then use the column ``gazetteer``: ``gazetteer[0]``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from perceptag.errors import SettingError
from perceptag.text.lines import whole_lines

COLUMN = "gazetteer"


@dataclass(slots=True)
class Gazetteer:
    """Phrases by class. Matching is case-sensitive, longest first, left to right, for each class by itself."""

    phrases: dict[str, set[tuple[str, ...]]] = field(default_factory=dict)

    def match(self, tokens: Sequence[str]) -> list[tuple[str, ...]]:
        """For each token the marks of all classes that match there.

        >>> Gazetteer({"city": {("New", "York"), ("York",)}}).match(["in", "New", "York"])
        [(), ('B-city',), ('I-city',)]
        """
        marks: list[list[str]] = [[] for _ in tokens]
        for name, phrases in self.phrases.items():
            longest = max(map(len, phrases), default=0)
            start = 0
            while start < len(tokens):
                length = self._longest(phrases, tokens, start, longest)
                for t in range(start, start + length):
                    marks[t].append(f"{'B' if t == start else 'I'}-{name}")
                start += max(1, length)
        return [tuple(m) for m in marks]

    @staticmethod
    def _longest(phrases: set[tuple[str, ...]], tokens: Sequence[str], start: int, longest: int) -> int:
        for length in range(min(longest, len(tokens) - start), 0, -1):
            if tuple(tokens[start : start + length]) in phrases:
                return length
        return 0

    def to_dict(self) -> dict[str, list[list[str]]]:
        """As JSON can hold it, in a fixed order."""
        return {name: [list(p) for p in sorted(phrases)] for name, phrases in sorted(self.phrases.items())}

    @classmethod
    def from_dict(cls, data: Mapping[str, Iterable[Sequence[str]]]) -> Gazetteer:
        """The inverse of `to_dict`."""
        return cls({name: {tuple(p) for p in phrases} for name, phrases in data.items()})


def read_gazetteer(entries: Iterable[str]) -> Gazetteer:
    """Read the lists that a recipe names as ``class=file``."""
    gazetteer = Gazetteer()
    for entry in entries:
        name, equals, path = entry.partition("=")
        if not equals or not name or not path:
            raise SettingError(f"gazetteer: expected class=file, found {entry!r}")
        gazetteer.phrases.setdefault(name, set()).update(_read(path))
    return gazetteer


def _read(path: str) -> set[tuple[str, ...]]:
    text = "".join(block.text for block in whole_lines(path))
    phrases = {tuple(line.split()) for line in text.split("\n")}
    phrases.discard(())
    return phrases
