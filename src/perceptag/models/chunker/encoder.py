"""From sentences to the features of the chunker: predicates once per word type, everything else native.

    columns of strings ──Lexicon──▶ type ids ──▶ predicates of each token ──ChunkFeatures──▶ instances
                          (Python, once per type)                 (native, with offsets, patterns, phrases)

Carreras, Màrquez & Padró (2003), sections 4 and 5.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from perceptag import _core
from perceptag.arrays import Ints
from perceptag.features.attributes import Attribute
from perceptag.features.dataset import SequenceReader
from perceptag.features.encoder import values_of
from perceptag.features.lexicon import MAX_TYPES, Lexicon, ValueNumbers
from perceptag.features.predicates import WORD_TYPES, affixes, orthographic, word_type
from perceptag.learn.chunker import Phrase
from perceptag.text.sentence import Sentence


@dataclass(slots=True)
class Encoded:
    """Sentences as the core takes them."""

    tables: list[_core.TypeTable]
    columns: list[Ints]
    begin: Ints  # [N + 1]

    def sentences(self) -> list[_core.ChunkSentence]:
        """One handle for each sentence."""
        return _core.encode_chunks(self.tables, self.columns, self.begin)


@dataclass(slots=True)
class Vocabularies:
    """Numbers for predicates of words, predicates that phrases take from their words, words, and word types."""

    window: ValueNumbers = field(default_factory=lambda: ValueNumbers(0))
    inside: ValueNumbers = field(default_factory=lambda: ValueNumbers(0))
    word: ValueNumbers = field(default_factory=lambda: ValueNumbers(0))
    type: ValueNumbers = field(default_factory=lambda: ValueNumbers(0, WORD_TYPES))

    def slots(self) -> list[ValueNumbers]:
        """All vocabularies in the order of the native core."""
        return [self.window, self.inside, self.word, self.type]


class ChunkEncoder:
    """Lexicons of the columns that the chunker uses.

    `word` is the column whose values are the words: the form, or the lemma in its place. Spelling (orthographic
    predicates, affixes, word types) is always that of the form. `further` columns are predicates as they are.
    """

    def __init__(
        self, form: str, word: str, further: Sequence[str], functional: Iterable[str], vocabularies: Vocabularies
    ) -> None:
        self.form, self.word, self.further = form, word, tuple(further)
        self.functional = frozenset(functional)
        self.vocabularies = vocabularies
        self.reader = SequenceReader(list(dict.fromkeys([form, word, *further])))
        self.lexicons = self.fresh_lexicons(grows=True)
        self._lock = threading.Lock()

    @property
    def columns(self) -> Sequence[str]:
        """The columns that it uses."""
        return self.reader.columns

    def fresh_lexicons(self, grows: bool = False) -> dict[str, Lexicon]:
        """Empty lexicons over the vocabularies as they are now."""
        slots = self.vocabularies.slots()
        return {c: Lexicon(self._attributes(c), slots, grows) for c in self.columns}

    def _attributes(self, column: str) -> list[Attribute]:
        """The attribute that fills each slot of a column's types."""
        window: list[Callable[[str], list[str]]] = []
        inside: list[Callable[[str], list[str]]] = []
        if column == self.word:
            window.append(lambda value: [f"form={value}"])
            inside.append(lambda value: [f"form={value}"])
        if column == self.form:
            window += [lambda value: orthographic(value, self.functional), affixes]
            inside.append(affixes)
        if column in self.further:
            window.append(lambda value: [f"{column}={value}"])
        return [
            lambda value: [p for predicate in window for p in predicate(value)],
            lambda value: [p for predicate in inside for p in predicate(value)],
            lambda value: value if column == self.word else None,
            lambda value: word_type(value, self.functional) if column == self.form else None,
        ]

    def freeze(self) -> None:
        """Stop learning: from now on new words add nothing."""
        for lexicon in self.lexicons.values():
            lexicon.grows = False

    def encode(self, sentences: Sequence[Sentence]) -> Encoded:
        """Look up every token."""
        with self._lock:
            if any(len(lexicon.table) > MAX_TYPES for lexicon in self.lexicons.values()):
                self.lexicons = self.fresh_lexicons()
            lexicons = self.lexicons
        data = self.reader.read(sentences)
        ids = [lexicons[c].numbers(values_of(data.columns, c)) for c in self.columns]
        return Encoded([lexicons[c].table for c in self.columns], ids, data.begin)


def left_context(s: int, phrases: Iterable[Phrase], width: int) -> list[int]:
    """Categories of the words before s, nearest first; -1 where there is no phrase.

    >>> left_context(3, [(0, 1, 7)], 3)
    [-1, 7, 7]
    """
    left = [-1] * width
    for start, end, k in phrases:
        for i in range(max(start, s - width), min(end + 1, s)):
            left[s - i - 1] = k
    return left


def gazetteer_of(
    sentences: Sequence[Sequence[str]], gold: Sequence[Iterable[Phrase]]
) -> dict[tuple[str, ...], list[int]]:
    """All phrases of the training data with their categories, in a fixed order."""
    found: dict[tuple[str, ...], set[int]] = {}
    for words, phrases in zip(sentences, gold, strict=True):
        for s, e, k in phrases:
            found.setdefault(tuple(words[s : e + 1]), set()).add(k)
    return {entry: sorted(found[entry]) for entry in sorted(found)}


def make_gazetteer(
    features: _core.ChunkFeatures, vocabulary: Mapping[str, int], entries: Mapping[tuple[str, ...], Iterable[int]]
) -> _core.Gazetteer:
    """The native form of some entries."""
    gazetteer = _core.Gazetteer()
    for words, categories in entries.items():
        node = features.insert_form([vocabulary[word] for word in words])
        for k in categories:
            gazetteer.add(features, node, k)
    return gazetteer


def visible(entries: Mapping[tuple[str, ...], list[int]], share: int, seed: int) -> dict[tuple[str, ...], list[int]]:
    """The `share` per cent of the entries that training may see, drawn once.

    A phrase of the training data is always an entry, so without this the gazetteer would know all answers.
    """
    names = list(entries)
    chosen = np.random.default_rng([seed, len(names)]).permutation(len(names))[: round(len(names) * share / 100)]
    return {names[i]: entries[names[i]] for i in sorted(chosen.tolist())}


def count_features(
    features: _core.ChunkFeatures,
    sentences: Sequence[_core.ChunkSentence],
    tokens: Sequence[Sequence[str]],
    gold: Sequence[Iterable[Phrase]],
    gazetteer: _core.Gazetteer,
    width: int,
) -> None:
    """Count the features of all words, of gold phrases, and of every one or two words that start with a capital.

    The paper does not say over which phrases features are counted; candidates exist only once there is a model.
    """
    for x, words, phrases in zip(sentences, tokens, gold, strict=True):
        features.count_words(x)
        spans = {(s, e) for s, e, _ in phrases}
        for s, word in enumerate(words):
            if word[:1].isupper():
                spans |= {(s, e) for e in (s, s + 1) if e < len(words)}
        for s, e in sorted(spans):
            features.count_phrase(x, s, e, left_context(s, phrases, width), gazetteer)
