"""The words that a tokeniser knows where spaces do not separate words, as in Chinese, Japanese and Vietnamese.

Features look at the known words that end, begin or continue at a character. All words of the training data are known,
so in training a word must not see itself: in each fold of the training data only words of other folds are known.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, MutableMapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from perceptag import _core
from perceptag.arrays import np
from perceptag.errors import ModelError
from perceptag.models.model import Arrays, Model, view_of
from perceptag.models.tokenizer.characters import BETWEEN, CHARACTER, LABEL
from perceptag.text.character_classes import MARK, class_of, small_letter
from perceptag.text.sentence import Sentence

if TYPE_CHECKING:
    import numpy.typing as npt

KEYS = "lexicon.0"
FOLDS = 10
SEED = 11
# Spaces do not separate words if so many tokens begin between two letters, or so many have white space inside.
UNSPACED, JOINED = 0.1, 0.03


@dataclass(frozen=True, slots=True)
class KnownWords:
    """Known words, as fingerprints of their small letters; those of a file are a view of memory."""

    keys: npt.NDArray[np.uint64]  # increasing

    @classmethod
    def of_words(cls, words: Iterable[str]) -> KnownWords:
        """Make the lexicon of some words."""
        return cls(np.array(sorted({known_word_key(word) for word in words}), np.uint64))

    @classmethod
    def of_arrays(cls, arrays: MutableMapping[str, npt.NDArray[Any]]) -> KnownWords:
        """Read and check the lexicon of a model."""
        keys = view_of(arrays, KEYS, "uint64")
        if not _core.are_rising(keys):
            raise ModelError(f"array {KEYS!r}: expected different words in order, found others")
        return cls(keys)

    def to_arrays(self) -> Arrays:
        """Return the arrays for a model file."""
        return {KEYS: np.asarray(self.keys)}

    def native(self) -> _core.KnownWords:
        """Return the lexicon as the core looks it up."""
        return _core.KnownWords(self.keys)


def known_words_of(model: Model) -> KnownWords | None:
    """Return the lexicon of a model; None: its features look at no words."""
    return KnownWords.of_arrays(model.arrays) if KEYS in model.arrays else None


def known_word_key(word: str) -> int:
    """Return the fingerprint of a word, as the core computes it. White space in it is one space."""
    key = SEED
    for character in " ".join(word.split()):
        key = (key ^ ord(small_letter(character))) * 0x9FB21C651E98DF25 % 2**64
        key ^= key >> 32
    return key


class WordFolds:
    """The words of the training data, counted in parts of about the same number of sentences.

    Changed copies of sentences, the last ones, are not counted: they have the words of others.
    """

    def __init__(self, sentences: Sequence[Sentence], copies: int = 0) -> None:
        size, self._copies = len(sentences) - copies, copies
        self.borders = [size * number // FOLDS for number in range(FOLDS + 1)]
        self.counts = [
            Counter(word for sentence in sentences[first:last] for word in words_of(sentence))
            for first, last in zip(self.borders, self.borders[1:], strict=False)
        ]

    def words(self) -> set[str]:
        """Return all words."""
        return {word for counts in self.counts for word in counts}

    def known_words(self) -> Iterator[tuple[int, int, KnownWords]]:
        """Yield for each fold its first sentence, the one behind its last, and the words of all other folds.

        For copies, yield the words of at least two folds: they are in another one than that of the copied sentence.
        """
        for number, (first, last) in enumerate(zip(self.borders, self.borders[1:], strict=False)):
            others = {word for place, counts in enumerate(self.counts) if place != number for word in counts}
            yield first, last, KnownWords.of_words(others)
        if self._copies:
            folds = Counter(word for counts in self.counts for word in counts)
            first, words = self.borders[-1], (word for word, found in folds.items() if found > 1)
            yield first, first + self._copies, KnownWords.of_words(words)


def words_of(sentence: Sentence) -> Iterator[str]:
    """Yield the tokens of a sentence of characters, in small letters."""
    word = ""
    for character, label in zip(sentence.columns[CHARACTER], sentence.columns[LABEL], strict=True):
        if label in ("sentence", "token"):
            yield from [word.strip()] if word else []
            word = ""
        word += small_letter(character)
    yield from [word.strip()] if word else []


def needs_known_words(sentences: Iterable[Sentence]) -> bool:
    """Return whether spaces do not separate the words of training data."""
    tokens = unspaced = joined = 0
    for sentence in sentences:
        labels = sentence.columns[LABEL]
        characters = sentence.columns[CHARACTER]
        for before, here, label, label_before in zip(characters, characters[1:], labels[1:], labels, strict=False):
            tokens += label in ("sentence", "token")
            unspaced += (
                label == "token" and class_of(here) <= MARK and not before.isspace() and class_of(before) <= MARK
            )
            joined += label == "inside" and label_before == BETWEEN
    return unspaced >= UNSPACED * tokens > 0 or joined >= JOINED * tokens > 0
