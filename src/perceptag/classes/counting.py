"""Count the words and bigrams of a text of any length in bounded memory."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from perceptag import _core
from perceptag.errors import DataError, SettingError, brief
from perceptag.features.class_table import FOLDINGS, MAX_CLASSES, fold_digits

MIN_COUNT = 2
MOST_WORDS = 4_000_000  # different words that are counted at once: about 0.2 GB
MOST_BIGRAMS = 24_000_000  # different bigrams that are counted at once: about 0.6 GB

_FOLD: dict[str, Callable[[str], str]] = {"digits": fold_digits, "lower": str.lower, "case": str}


@dataclass(frozen=True, slots=True)
class Counted:
    """The counts of a text, and what a user should know about them."""

    counts: _core.BigramCounts
    facts: dict[str, Any]  # JSON values
    folding: tuple[str, ...]

    def check(self, sizes: Sequence[int]) -> None:
        """Refuse more classes than there are words."""
        if max(sizes) > len(self.counts):
            raise DataError(
                f"sizes: expected at most {len(self.counts)}, the number of words seen {self.facts['min_count']} "
                f"times or more; found {max(sizes)}"
            )


class Counting:
    """Counts a text, piece by piece.

    `most_words` and `most_bigrams` bound the memory. Beyond the first, the rarest words are counted together; beyond
    the second, the rarest bigrams are forgotten.
    """

    def __init__(
        self, folding: Sequence[str] = (), most_words: int = MOST_WORDS, most_bigrams: int = MOST_BIGRAMS
    ) -> None:
        self.folding = checked_folding(folding)
        self._counter = _core.BigramCounter(most_words, most_bigrams)

    def add_text(self, text: str) -> None:
        """Count whole lines: a sentence on each, its words separated by spaces or tabs."""
        with _limited():
            self._counter.add_text(self._folded(text))

    def add_sentence(self, words: Sequence[str]) -> None:
        """Count one sentence."""
        for word in words:
            if not isinstance(word, str) or not word or "\n" in word:
                raise DataError(f"expected words, each a string without a line end; found {brief(word)}")
        with _limited():
            self._counter.add_sentence([self._folded(word) for word in words])

    def _folded(self, text: str) -> str:
        for name in self.folding:
            text = _FOLD[name](text)
        return text

    @property
    def tokens(self) -> int:
        """The number of words counted so far."""
        return self._counter.tokens

    def finish(self, min_count: int = MIN_COUNT) -> Counted:
        """Return the counts of words seen at least `min_count` times; all others are counted together."""
        counter = self._counter
        if not counter.tokens:
            raise DataError("the text has no words")
        names = ("tokens", "sentences", "types", "bigrams", "dropped_words", "dropped_bigrams")
        facts = {name: getattr(counter, name) for name in names}
        counts = counter.finish(min_count)
        if len(counts) < 2:
            raise DataError(
                f"expected two words or more that were seen {min_count} times or more, found {len(counts)} among "
                f"{facts['types']} words"
            )
        return Counted(counts, {**facts, "min_count": min_count}, self.folding)


@contextmanager
def _limited() -> Iterator[None]:
    try:
        yield
    except _core.LimitExceeded as error:
        raise DataError(f"the text is too long: {error}") from None


def checked_folding(folding: Sequence[str]) -> tuple[str, ...]:
    """Check the foldings, and return each once in a fixed order."""
    if not isinstance(folding, Collection):
        raise SettingError(f"fold: expected a list of names, found {brief(folding)}")
    for name in folding:
        if name not in FOLDINGS:
            raise SettingError(f"fold: expected {', '.join(FOLDINGS[:-1])} or {FOLDINGS[-1]}, found {brief(name)}")
    return tuple(name for name in FOLDINGS if name in folding)


def checked_sizes(sizes: Sequence[int]) -> tuple[int, ...]:
    """Return numbers of classes in ascending order."""
    if not isinstance(sizes, Collection):
        raise SettingError(f"sizes: expected a list of whole numbers, found {brief(sizes)}")
    for size in sizes:
        if not isinstance(size, int) or isinstance(size, bool) or not 2 <= size <= MAX_CLASSES:
            raise SettingError(f"sizes: expected whole numbers from 2 to {MAX_CLASSES}, found {brief(size)}")
    if not sizes or len(set(sizes)) != len(sizes):
        raise SettingError(f"sizes: expected one or more different numbers, found {brief(list(sizes))}")
    return tuple(sorted(sizes))
