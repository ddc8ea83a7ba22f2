"""Word classes learned from plain text: words with similar neighbours share a class.

A text may be clustered into several sizes, say 64 and 256 classes. Then every word has a class of each size. Classes
of a size are numbered from 0, the one with the most tokens of the text first.
"""

from __future__ import annotations

import hashlib
import re
import threading
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any
from weakref import WeakValueDictionary

from perceptag import _core
from perceptag.arrays import Ints, Longs, np, plain
from perceptag.errors import ModelError, SettingError, brief

if TYPE_CHECKING:
    import numpy.typing as npt

MAX_CLASSES = 8192  # of one size; the table of class bigrams is as large as the square of this
FOLDINGS = ("digits", "lower", "case")  # case: the text keeps its case, but words are found in any
WORDS, COUNTS, NUMBERS = "classes.words", "classes.counts", "classes.numbers"  # the arrays of a file
TYPES = {WORDS: "uint8", COUNTS: "uint32", NUMBERS: "uint16"}
_FORMATS = {"uint8": "B", "uint32": "I", "uint16": "H"}  # what Python calls them

_DIGIT = re.compile(r"\d")


def fold_digits(text: str) -> str:
    """Return the text with every decimal digit, of any script, replaced by 0.

    >>> fold_digits("1,234 B2B")
    '0,000 B0B'
    """
    return _DIGIT.sub("0", text)


def spellings(word: str) -> Iterator[str]:
    """Yield the forms under which a word is looked up, the best first.

    1. as it is written;
    2. with its digits written as 0;
    3. the same in lower case;
    4. if it is in capitals, with only its first character as a capital.

    >>> list(spellings("PARIS-2"))
    ['PARIS-2', 'PARIS-0', 'paris-0', 'Paris-0']
    """
    yield word
    folded = fold_digits(word)
    yield folded
    yield folded.lower()
    if folded.isupper():
        yield folded[:1] + folded[1:].lower()


@dataclass(frozen=True, eq=False)
class WordClassTable:
    """The classes of the words of a text."""

    sizes: tuple[int, ...]  # numbers of classes, ascending
    words: tuple[str, ...]  # the most frequent first; of equally frequent ones in the order of code points
    counts: Longs  # how often each word occurs in the text
    numbers: Ints  # [words, sizes]: the class of each word, from 0
    folding: tuple[str, ...] = ()  # some of `FOLDINGS`

    def of(self, word: str, size: int) -> int | None:
        """Return the class of a word among `size` classes; None if no spelling of it is known.

        The first of its `spellings` that the text has decides. If the digits of the text were not folded, the most
        frequent word that looks the same with folded digits stands for all of them: 7,312 may get the class of 1,500.
        With the folding "case" a word in lower case is also found by the most frequent word that differs in case alone.

        >>> classes = WordClassTable((2,), ("the", "1,500", "Paris"), np.array([9, 4, 2]), np.array([[0], [1], [1]]))
        >>> [classes.of(word, 2) for word in ("The", "7,312", "PARIS", "London")]
        [0, 1, 1, None]
        """
        row = self.row(word)
        return None if row is None else int(self.numbers[row, self.column(size)])

    def row(self, word: str) -> int | None:
        """Return the place of the word that `of` decides by."""
        if not isinstance(word, str):
            raise SettingError(f"word: expected a string, found {brief(word)}")
        found = map(self.native.row, spellings(word))
        return next((row for row in found if row is not None), None)

    def column(self, size: int) -> int:
        """Return the place of a size; refuse one that these classes do not have."""
        if size not in self.sizes:
            have = ", ".join(map(str, self.sizes))
            raise SettingError(f"word classes: expected one of the sizes {have}, found {brief(size)}")
        return self.sizes.index(size)

    @cached_property
    def native(self) -> _core.ClassTable:
        """The same table in the core, which knows every spelling: `reference.class_index` says which."""
        return _core.ClassTable(*self._listed(), self.sizes, "case" in self.folding, _forms)

    def _listed(self) -> tuple[bytes, Any, Any]:
        """Return words, counts and classes as a file has them."""
        return "\n".join(self.words).encode(), self.counts.astype(np.uint32), self.numbers.astype(np.uint16).ravel()

    @property
    def lowered(self) -> LoweredWords:
        """The words in lower case."""
        return LoweredWords(self.native)

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name != "native"}

    def examples(self, size: int, number: int, n: int = 3) -> str:
        """Return the most frequent words of a class, as ``Paris·London·Tokyo…``; the dots mean that there are more.

        >>> classes = WordClassTable((2,), ("the", "Rome", "Paris"), np.array([9, 4, 2]), np.array([[0], [1], [1]]))
        >>> classes.examples(2, 1), classes.examples(2, 1, 1)
        ('Rome·Paris', 'Rome…')
        """
        members = self.members(size, number)
        return "·".join(self.words[place] for place in members[:n]) + ("…" if len(members) > n else "")

    def members(self, size: int, number: int) -> Longs:
        """Return the places of the words of a class, the most frequent first."""
        order, ends = self._by_class[self.column(size)]
        if not isinstance(plain(number), int) or not 0 <= number < size:
            raise SettingError(f"word classes: expected a class from 0 to {size - 1}, found {brief(number)}")
        return order[ends[number] : ends[number + 1]]

    @cached_property
    def _by_class(self) -> list[tuple[Longs, Longs]]:
        """For each size, the places of words in order of their classes, and where each class begins there."""
        return [
            (np.argsort(column, kind="stable"), np.searchsorted(np.sort(column), np.arange(size + 1)))
            for size, column in zip(self.sizes, self.numbers.T, strict=True)
        ]

    def only(self, sizes: Sequence[int]) -> WordClassTable:
        """Return the classes of some of the sizes."""
        if isinstance(sizes, str) or not isinstance(sizes, Collection):
            raise SettingError(f"sizes: expected a list of sizes, found {brief(sizes)}")
        places = {size: self.column(size) for size in sizes}
        kept = tuple(sorted(places))
        columns = [places[size] for size in kept]
        return WordClassTable(kept, self.words, self.counts, self.numbers[:, columns], self.folding)

    def __eq__(self, other: object) -> bool:
        """Return whether two objects say the same of every word."""
        if not isinstance(other, WordClassTable):
            return NotImplemented
        same = (self.sizes, self.words, self.folding) == (other.sizes, other.words, other.folding)
        return same and np.array_equal(self.counts, other.counts) and np.array_equal(self.numbers, other.numbers)

    def __hash__(self) -> int:
        return hash((self.sizes, self.words, self.folding))

    # --- as arrays ---

    def to_arrays(self) -> tuple[dict[str, npt.NDArray[Any]], dict[str, Any]]:
        """Return vectors and JSON facts for a sealed file; the same for the same classes."""
        text = "\n".join(self.words).encode()
        arrays: dict[str, npt.NDArray[Any]] = {
            WORDS: np.frombuffer(text, np.uint8),
            COUNTS: self.counts.astype(np.uint32),
            NUMBERS: self.numbers.astype(np.uint16).ravel(),
        }
        return arrays, {"sizes": list(self.sizes), "folding": list(self.folding)}

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, Any], facts: Mapping[str, Any]) -> WordClassTable:
        """The inverse of `to_arrays`. It checks everything, since a file may contain anything.

        Models that have the same classes share one object.
        """
        words, counts, numbers = (_bytes(arrays, name, dtype) for name, dtype in TYPES.items())
        key = _digest([repr((facts.get("sizes"), facts.get("folding"))).encode(), words, counts, numbers])
        with _LOCK:
            found = _SHARED.get(key)
            if found is None:
                sizes, folding = _sizes(facts.get("sizes")), _folding(facts.get("folding"))
                found = _SHARED[key] = StoredClassTable(sizes, folding, words, counts, numbers)
        return found


class StoredClassTable(WordClassTable):
    """The classes in a file. Words and numbers become Python objects only if someone asks for them."""

    _words: bytes
    _counts: bytes
    _numbers: bytes

    def __init__(
        self, sizes: tuple[int, ...], folding: tuple[str, ...], words: bytes, counts: bytes, numbers: bytes
    ) -> None:
        stored = {"_words": words, "_counts": counts, "_numbers": numbers}
        self.__dict__.update(sizes=sizes, folding=folding, **stored)  # a frozen data class takes them in no other way
        total = words.count(b"\n") + 1
        if len(counts) != 4 * total or len(numbers) != 2 * total * len(sizes):
            raise ModelError(f"word classes: expected a count and {len(sizes)} classes for each of {total} words")
        if not _core.are_falling(self._listed()[1]):
            raise ModelError("word classes: expected counts of words from the highest down to 1, found others")
        try:
            words.decode()
            _ = self.native
        except UnicodeDecodeError:
            raise ModelError(f"array {WORDS!r}: expected text in UTF-8, found other bytes") from None
        except ValueError as error:
            raise ModelError(f"word classes: {error}") from None

    @cached_property
    def words(self) -> tuple[str, ...]:
        """The words, the most frequent first."""
        return tuple(self._words.decode().split("\n"))

    @cached_property
    def counts(self) -> Longs:
        """How often each word occurs in the text."""
        return np.frombuffer(self._counts, np.uint32).astype(np.int64)

    @cached_property
    def numbers(self) -> Ints:
        """[words, sizes]: the class of each word."""
        return np.frombuffer(self._numbers, np.uint16).astype(np.int32).reshape(-1, len(self.sizes))

    def _listed(self) -> tuple[bytes, Any, Any]:
        return self._words, memoryview(self._counts).cast("I"), memoryview(self._numbers).cast("H")


@dataclass(frozen=True, slots=True)
class LoweredWords:
    """The words of a text in lower case."""

    native: _core.ClassTable

    def __contains__(self, word: object) -> bool:
        return isinstance(word, str) and self.native.has_lowered(word)


def _forms(word: str) -> tuple[str, str]:
    """Return a word with its digits as 0, and in lower case."""
    return fold_digits(word), word.lower()


_SHARED: WeakValueDictionary[bytes, WordClassTable] = WeakValueDictionary()  # by the digest of what is in a file
_LOCK = threading.Lock()  # layers of a pipeline are loaded in several threads


def _digest(parts: Iterable[bytes]) -> bytes:
    sha = hashlib.sha256()
    for part in parts:
        sha.update(len(part).to_bytes(8, "little"))
        sha.update(part)
    return sha.digest()


def _bytes(arrays: Mapping[str, Any], name: str, dtype: str) -> bytes:
    """Return the bytes of a vector of this type: an array of numpy or a memory view."""
    array = arrays.get(name)
    view = None if array is None else memoryview(array)
    if view is None or view.format != _FORMATS[dtype] or view.ndim != 1:
        found = "none" if view is None else f"{view.ndim}-d {getattr(array, 'dtype', view.format)}"
        raise ModelError(f"array {name!r}: expected a vector of {dtype}, found {found}")
    return view.tobytes()


def _sizes(found: object) -> tuple[int, ...]:
    fits = isinstance(found, list) and all(type(size) is int and 1 < size <= MAX_CLASSES for size in found)
    if not isinstance(found, list) or not fits or not found or sorted(set(found)) != found:
        raise ModelError(f"word classes: expected ascending sizes from 2 to {MAX_CLASSES}, found {brief(found)}")
    return tuple(found)


def _folding(found: object) -> tuple[str, ...]:
    if not isinstance(found, list) or found != [name for name in FOLDINGS if name in found]:
        raise ModelError(f"word classes: expected a folding of {', '.join(FOLDINGS)}, found {brief(found)}")
    return tuple(found)
