"""The lemmas of the words of the training data, by word and tags."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from perceptag.errors import ModelError, reading_model
from perceptag.models.model import AnyArrays, Arrays, view_of
from perceptag.models.model_file import json_array

Row = tuple[str, ...]  # a word and its tags: the values of the columns that the model reads, the word first

_ARRAY = "lemmas"


class LemmaDictionary:
    """The most frequent lemma of each word with its tags; of words with new tags, that of as many as are known."""

    def __init__(self, lemmas: Mapping[Row, str]) -> None:
        self.lemmas = dict(lemmas)  # of whole rows
        counts: dict[Row, Counter[str]] = {}
        for row, lemma in self.lemmas.items():
            for part in _parts(row):
                counts.setdefault(part, Counter())[lemma] += 1
        self._parts = {part: min(found, key=lambda lemma: (-found[lemma], lemma)) for part, found in counts.items()}

    @classmethod
    def of(cls, rows: Iterable[Row], lemmas: Iterable[str]) -> LemmaDictionary:
        """Count the lemmas of words. Of equally frequent ones, the first in the alphabet wins."""
        counts: dict[Row, Counter[str]] = {}
        for row, lemma in zip(rows, lemmas, strict=True):
            counts.setdefault(row, Counter())[lemma] += 1
        return cls({row: min(found, key=lambda lemma: (-found[lemma], lemma)) for row, found in counts.items()})

    def find(self, row: Row) -> str | None:
        """Return the lemma of a word with its tags, or with the first of them; None if it is not known."""
        found = self.lemmas.get(row)
        return found if found is not None else next(filter(None, map(self._parts.get, _parts(row))), None)

    def to_arrays(self) -> Arrays:
        """Return the dictionary as arrays of a model."""
        return {_ARRAY: json_array([[*row, lemma] for row, lemma in self.lemmas.items()])}

    @classmethod
    def from_arrays(cls, arrays: AnyArrays, columns: int) -> LemmaDictionary:
        """The inverse of `to_arrays`, for a model that reads this number of columns; a file may hold anything."""
        with reading_model(_ARRAY):
            rows = json.loads(view_of(arrays, _ARRAY, "uint8").tobytes())
        if not isinstance(rows, list) or not all(_is_row(row, columns + 1) for row in rows):
            raise ModelError(f"array {_ARRAY!r}: expected {columns} values and a lemma in every entry, found others")
        return cls({tuple(row[:-1]): row[-1] for row in rows})


def _is_row(row: object, length: int) -> bool:
    return isinstance(row, list) and len(row) == length and all(isinstance(value, str) for value in row)


def _parts(row: Row) -> Iterator[Row]:
    """Yield the row with fewer and fewer tags, at least one."""
    for length in range(len(row) - 1, 1, -1):
        yield row[:length]
