"""What plain text and lists tell a tokeniser of words: which are abbreviations, and how they are written.

    abbreviation   how often a word has a full stop behind it, how often a small letter, a digit or a comma follows that
                   full stop, so that no sentence ends there; and whether the word is in a list of abbreviations
    usage          how often it is capitalised inside sentences, and how often sentences begin with it

The facts are ranges of these shares, as features of a model; so they may be wrong. Kiss and Strunk (2006),
"Unsupervised multilingual sentence boundary detection", count the same for their tests.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, MutableMapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from perceptag import _core
from perceptag.arrays import np
from perceptag.errors import ModelError
from perceptag.models.model import Arrays, Model, in_rows, view_of
from perceptag.text.character_classes import MARK, class_of, small_letter
from perceptag.text.lines import read_text, whole_lines

if TYPE_CHECKING:
    import numpy.typing as npt

KEYS, FACTS = "words.0", "words.1"
EACH = 2  # facts of a word
FEWEST = 20  # a word that is seen less often tells nothing
FEWEST_STOPS = 4  # the same for words with a full stop
LISTED = 16  # added to the abbreviation of a word in a list
STOPPED = (0.1, 0.5, 0.9)  # shares of a word that have a full stop behind them
CONTINUED = (0.05, 0.25)  # shares of its full stops behind which the sentence continues
CAPITAL = (0.02, 0.2, 0.8, 0.98)  # shares of a word inside sentences that are capitalised
FIRST = (0.02, 0.1, 0.3)  # shares of a word that begin a sentence
_ENDS = frozenset(".!?")


@dataclass(slots=True)
class WordCounts:
    """Counts of words in small letters, without the marks around them."""

    stopped: Counter[str] = field(default_factory=Counter)  # with a full stop behind
    continued: Counter[str] = field(default_factory=Counter)  # with a full stop behind which no sentence begins
    plain: Counter[str] = field(default_factory=Counter)  # without a full stop
    capital: Counter[str] = field(default_factory=Counter)  # inside a sentence
    small: Counter[str] = field(default_factory=Counter)
    first: Counter[str] = field(default_factory=Counter)  # capitalised behind the end of a sentence
    listed: set[str] = field(default_factory=set)  # in a list of abbreviations

    def add(self, line: str) -> None:
        """Count a line of plain text."""
        runs = line.split()
        end = ""  # of the run before
        for number, run in enumerate(runs):
            core = _core_of(run)
            if core:
                self._add(core, run, end, runs[number + 1] if number + 1 < len(runs) else "")
            end = run[-1]

    def _add(self, core: str, run: str, end: str, following: str) -> None:
        word, tail = small_letters(core), run[run.rindex(core) + len(core) :]
        if tail[:1] != ".":
            self.plain[word] += 1
        elif following or len(tail) > 1:
            self.stopped[word] += 1
            if tail[1:2] == "," or (len(tail) == 1 and (following[0].islower() or following[0].isdigit())):
                self.continued[word] += 1
        if end and (end.isalnum() or end == ","):
            (self.capital if core[0].isupper() else self.small)[word] += 1
        elif end in _ENDS and core[0].isupper():
            self.first[word] += 1

    def words(self) -> list[str]:
        """Return the words that something is known of."""
        often = (word for word, count in self._all().items() if count >= FEWEST)
        stopped = (word for word, count in self.stopped.items() if count >= FEWEST_STOPS)
        return sorted({*often, *stopped, *self.listed})

    def _all(self) -> Counter[str]:
        return self.plain + self.stopped

    def abbreviation(self, word: str) -> int:
        """Return a number for what is known of a word as an abbreviation; 0: nothing."""
        stops, plain = self.stopped[word], self.plain[word]
        known = 0
        if stops >= FEWEST_STOPS:
            continued = bisect_right(CONTINUED, self.continued[word] / stops)
            known = 1 + bisect_right(STOPPED, stops / (stops + plain)) * (len(CONTINUED) + 1) + continued
        return known + (LISTED if word in self.listed else 0)

    def usage(self, word: str) -> int:
        """Return a number for how a word is written; 0: it is too rare."""
        inside = self.capital[word] + self.small[word]
        if inside + self.first[word] < FEWEST:
            return 0
        capital = bisect_right(CAPITAL, self.capital[word] / inside) if inside else len(CAPITAL)
        first = bisect_right(FIRST, self.first[word] / (inside + self.first[word]))
        return 1 + capital * (len(FIRST) + 1) + first


def word_key(word: str) -> int:
    """Return the fingerprint of a word in small letters, as the core computes it."""
    key = 9
    for character in word:
        key = (key ^ ord(character)) * 0x9FB21C651E98DF25 % 2**64
        key ^= key >> 32
    return key


def small_letters(word: str) -> str:
    """Return a word in small letters, character by character."""
    return word.lower() if word.isascii() else "".join(map(small_letter, word))


def _core_of(run: str) -> str:
    """Return a run without the marks around it."""
    if run.isalnum():
        return run
    begin, end = 0, len(run)
    while begin < end and class_of(run[begin]) > MARK:
        begin += 1
    while end > begin and class_of(run[end - 1]) > MARK:
        end -= 1
    return run[begin:end]


def count_words(texts: Iterable[str], abbreviations: Iterable[str]) -> WordCounts:
    """Count the words of files of plain text, and read files with an abbreviation on each line."""
    counts = WordCounts()
    for path in texts:
        for block in whole_lines(path):
            for line in block.text.split("\n"):
                counts.add(line)
    for path in abbreviations:
        lines = read_text(path).split("\n")
        counts.listed |= {small_letters(core) for line in lines if (core := _core_of(line.strip()))}
    return counts


@dataclass(frozen=True, slots=True)
class WordTable:
    """Facts by the fingerprints of words, as a model holds them; those of a file are views of memory."""

    keys: npt.NDArray[np.uint64]  # increasing
    facts: npt.NDArray[np.uint8]  # [words, EACH]: abbreviation, usage

    @classmethod
    def of_counts(cls, counts: WordCounts) -> WordTable:
        """Make the table of counted words."""
        rows = {word_key(word): (counts.abbreviation(word), counts.usage(word)) for word in counts.words()}
        known = sorted((key, facts) for key, facts in rows.items() if any(facts))
        facts = np.array([facts for _, facts in known], np.uint8)
        return cls(np.array([key for key, _ in known], np.uint64), facts.reshape(-1, EACH))

    @classmethod
    def of_arrays(cls, arrays: MutableMapping[str, npt.NDArray[Any]]) -> WordTable:
        """Read and check the table of a model."""
        keys, facts = view_of(arrays, KEYS, "uint64"), view_of(arrays, FACTS, "uint8")
        if len(facts) != EACH * len(keys):
            raise ModelError(f"array {FACTS!r}: expected {EACH} for each of {len(keys)} words, found others")
        if not _core.are_rising(keys):
            raise ModelError(f"array {KEYS!r}: expected different words in order, found others")
        return cls(keys, in_rows(facts, EACH))

    def to_arrays(self) -> Arrays:
        """Return the arrays for a model file."""
        return {KEYS: np.asarray(self.keys), FACTS: np.asarray(self.facts).ravel()}

    def native(self) -> _core.WordFacts:
        """Return the table as the core looks it up."""
        return _core.WordFacts(self.keys, self.facts)


def table_of(model: Model) -> WordTable | None:
    """Return the table of a model; None: its features look at no kinds and words."""
    return WordTable.of_arrays(model.arrays) if KEYS in model.arrays else None
