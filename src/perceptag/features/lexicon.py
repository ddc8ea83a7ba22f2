"""Map column values to type ids. The attributes of each type are computed once.

A `ValueNumbers` numbers the values of one attribute. A `Lexicon` numbers the values of one column and passes their
attribute values to the native table.
"""

from __future__ import annotations

import threading
from collections.abc import Hashable, Iterable, Sequence
from itertools import count
from typing import cast

from perceptag._core import (
    AttributeReader,
    ColumnText,
    GrowingReader,
    TypeNumbers,
    TypeTable,
    ValueTable,
    new_type_ids,
    type_ids,
)
from perceptag.arrays import Ints
from perceptag.errors import DataError, brief
from perceptag.features.attributes import Amounts, Attribute, Value, as_values

NONE = -1
MAX_TYPES = 200_000  # per column: a tagger with more forgets them all, so that endless input needs bounded memory


class ValueNumbers(dict[str, int]):
    """Numbers for the values of one attribute. The first `reserved` numbers stand for padding."""

    def __init__(self, reserved: int, values: Iterable[str] = ()) -> None:
        super().__init__()
        self.reserved = reserved
        self.extend(values)

    def number(self, value: str) -> int:
        """Return the number of `value`; give it a new one if it has none."""
        return self.setdefault(value, len(self) + self.reserved)

    def extend(self, values: Iterable[str]) -> None:
        """Number new values, which must all be different."""
        self.update(zip(values, count(len(self) + self.reserved)))

    @property
    def size(self) -> int:
        """The number of ids in use, padding included."""
        return len(self) + self.reserved


Vocabulary = ValueNumbers | ValueTable  # a table comes from a model file and never grows


class Lexicon(dict[Hashable, int]):
    """Type ids of one column: ``lexicon[value]`` is the id, made on the first look-up.

    In tagging, words whose attributes the core can compute are known to `TypeNumbers` alone: see `numbers`.
    While `grows` is true, new attribute values enter the vocabularies; afterwards they count as absent, so that a
    feature never seen in training cannot fire.
    """

    def __init__(
        self,
        attributes: Sequence[Attribute],
        vocabularies: Sequence[Vocabulary],
        grows: bool,
        reader: AttributeReader | None = None,
        growing: GrowingReader | None = None,
    ) -> None:
        super().__init__()
        self.attributes = attributes
        self.vocabularies = vocabularies
        self.grows = grows
        self.table = TypeTable(len(attributes))
        self._growing = growing  # computes the attributes of most words, much faster
        self.types = TypeNumbers(self.table, reader)  # the same in tagging; words that it has seen are not in here
        self._lock = threading.Lock()

    def __missing__(self, value: Hashable) -> int:
        with self._lock:
            known = self.get(value)
            if known is not None:
                return known
            type_id = self.table.add(self._row(value))
            self[value] = type_id  # last: a thread that sees the id can rely on the row
            return type_id

    def numbers(self, sequences: Sequence[Sequence[Hashable]]) -> Ints:
        """Return the type ids of all values of some sequences, one after the other."""
        try:
            if self.grows:
                return new_type_ids(self, sequences, self.table, self._growing)
            return cast("Ints", type_ids(self, sequences, self.types))
        except DataError as error:
            raise self._placed(error, sequences) from None

    def _placed(self, error: DataError, sequences: Sequence[Sequence[Hashable]]) -> DataError:
        """Return the error about a value with its place, if the sequences know their places."""
        where = getattr(sequences, "where", None)
        if where is None:
            return error
        values = ((n, t, value) for n, some in enumerate(sequences) for t, value in enumerate(some))
        found = ((n, t, fault) for n, t, value in values if (fault := self._fault(value)))
        return next((DataError(str(fault), where(n, t)) for n, t, fault in found), error)

    def _fault(self, value: Hashable) -> DataError | None:
        try:
            self[value]
        except DataError as error:
            return error
        return None

    def numbers_of_text(self, text: ColumnText, column: int) -> Ints:
        """Return the type ids of a column of a text."""
        return cast("Ints", text.type_ids(column, self, self.types))

    def _row(self, value: Hashable) -> list[int]:
        row = []
        for attribute, vocabulary in zip(self.attributes, self.vocabularies, strict=True):
            # A token may have several values in a computed column, as a tuple.
            if isinstance(value, tuple):
                found: Value = [result for part in value for result in as_values(attribute(part))]
            else:
                found = attribute(value)  # type: ignore[arg-type]  # a value that is not a tuple is a string
            if isinstance(found, str):  # by far the most frequent case; and most values are known
                known = vocabulary.get(found)
                row.append(self._number(vocabulary, found, value) if known is None else known)
            elif isinstance(found, Amounts):
                row.append(self._amounts(vocabulary, found, value))
            else:
                row.append(NONE if found is None else self._several(vocabulary, as_values(found), value))
        return row

    def _amounts(self, vocabulary: Vocabulary, results: Amounts, value: Hashable) -> int:
        found = [(self._number(vocabulary, result, value), amount) for result, amount in results.items()]
        known = [(number, amount) for number, amount in found if number != NONE]
        return self.table.add_bag([n for n, _ in known], [amount for _, amount in known]) if known else NONE

    def _several(self, vocabulary: Vocabulary, results: list[str], value: Hashable) -> int:
        every = [self._number(vocabulary, result, value) for result in dict.fromkeys(results)]
        numbers = [number for number in every if number != NONE]
        if not numbers:
            return NONE
        return numbers[0] if len(numbers) == 1 else self.table.add_bag(numbers)

    def _number(self, vocabulary: Vocabulary, result: str, value: Hashable) -> int:
        known = vocabulary.get(result)
        if known is None:
            if self.grows and isinstance(vocabulary, ValueNumbers):
                return vocabulary.number(_checked(result, value))
            return NONE
        return known


def _checked(result: str, value: Hashable) -> str:
    """Return an attribute value if a model file can contain it: no NUL, no lone surrogates."""
    if "\0" in result or (not result.isascii() and any("\ud800" <= c <= "\udfff" for c in result)):
        raise DataError(
            f"attribute of {brief(value)}: expected a string without NUL and lone surrogates, found {brief(result)}"
        )
    return result
