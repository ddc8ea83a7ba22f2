"""The chunker as feedback learning sees it: functions that move one by one."""

from __future__ import annotations

from dataclasses import dataclass

from perceptag import _core
from perceptag.models.chunker.model import BEGIN, INSIDE, Functions, Layers
from perceptag.numeric.arrays import Ints


@dataclass(frozen=True, slots=True)
class Function:
    """One of the functions that share support vectors."""

    vectors: _core.SupportVectors
    column: int
    step: int  # the size of an update, for coefficients in units smaller than one

    def add(self, instance: Ints, sign: int) -> None:
        """w += sign * instance."""
        self.vectors.add(instance, self.column, sign * self.step)


class Chunker:
    """A `perceptag.learn.chunker.Chunker`; `layers` recognise phrases with `functions`."""

    def __init__(self, layers: Layers, functions: Functions, step: int = 1) -> None:
        self.layers = layers
        self._words, self._phrases = words, phrases = functions
        self.begin, self.inside = Function(words, BEGIN, step), Function(words, INSIDE, step)
        self.score = [Function(phrases, k, step) for k in range(phrases.columns)]

    def recognise(self, x: _core.ChunkSentence) -> _core.Recognition:
        """The phrases of a sentence, and the scores of words that they were found with."""
        return self.layers.recognise(x)

    def tick(self, x: _core.ChunkSentence, seen: _core.Recognition) -> None:
        """Count decisions: functions of words about every word, functions of phrases about every candidate."""
        self._words.tick(len(x))
        self._phrases.tick(seen.candidates)

    def word(self, x: _core.ChunkSentence, i: int) -> Ints:
        """The features of a word."""
        return self.layers.features.word(x, i)

    def phrase(self, x: _core.ChunkSentence, seen: _core.Recognition, s: int, e: int) -> Ints:
        """The features of a phrase with the left context that it was scored with."""
        return self.layers.instance(x, seen, s, e)
