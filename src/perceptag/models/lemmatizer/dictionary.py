"""The lemmas of the words of the training data, by word and tags."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from perceptag.errors import ModelError
from perceptag.models.model import AnyArrays, Arrays
from perceptag.models.stored_lists import string_arrays, strings_in

Row = tuple[str, ...]  # a word and its tags: the values of the columns that the model reads, the word first

_ARRAY = "lemmas"


class LemmaDictionary:
    """The most frequent lemma of each word with its tags; of words with new tags, that of as many as are known."""

    def __init__(self, lemmas: dict[Row, str]) -> None:
        self.lemmas = lemmas  # of whole rows
        self._parts: dict[Row, str] = {}
        counts: dict[Row, Counter[str]] = {}  # only of those with several lemmas, since most have one
        for row, lemma in lemmas.items():
            for part in _parts(row):
                if self._parts.setdefault(part, lemma) != lemma:
                    counts[part] = Counter()
        for row, lemma in lemmas.items() if counts else ():
            for part in _parts(row):
                if part in counts:
                    counts[part][lemma] += 1
        self._parts.update({part: _most_frequent(found) for part, found in counts.items()})

    @classmethod
    def of(cls, rows: Iterable[Row], lemmas: Iterable[str]) -> LemmaDictionary:
        """Count the lemmas of words. Of equally frequent ones, the first in the alphabet wins."""
        counts: dict[Row, Counter[str]] = {}
        for row, lemma in zip(rows, lemmas, strict=True):
            counts.setdefault(row, Counter())[lemma] += 1
        return cls({row: _most_frequent(found) for row, found in counts.items()})

    def find(self, row: Row) -> str | None:
        """Return the lemma of a word with its tags, or with the first of them; None if it is not known."""
        found = self.lemmas.get(row)
        return found if found is not None else next(filter(None, map(self._parts.get, _parts(row))), None)

    def to_arrays(self) -> Arrays:
        """Return the dictionary as arrays of a model."""
        return string_arrays(_ARRAY, [value for row, lemma in self.lemmas.items() for value in (*row, lemma)])

    @classmethod
    def from_arrays(cls, arrays: AnyArrays, columns: int) -> LemmaDictionary:
        """The inverse of `to_arrays`, for a model that reads this number of columns; a file may hold anything."""
        number, strings = strings_in(arrays, _ARRAY)
        if number % (columns + 1):
            raise ModelError(f"array {_ARRAY!r}: expected {columns} values and a lemma in every entry, found others")
        same: dict[str, str] = {}  # equal strings once: tags occur many times
        values = (same.setdefault(value, value) for value in strings)
        return cls({tuple(row): lemma for *row, lemma in zip(*[values] * (columns + 1), strict=True)})


def _most_frequent(counts: Counter[str]) -> str:
    return min(counts, key=lambda lemma: (-counts[lemma], lemma))


def _parts(row: Row) -> Iterator[Row]:
    """Yield the row with fewer and fewer tags, at least one."""
    for length in range(len(row) - 1, 1, -1):
        yield row[:length]
