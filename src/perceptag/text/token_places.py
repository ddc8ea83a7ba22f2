"""The tokens of a text as arrays of places, from which tokens and words are made when they are asked for."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from itertools import pairwise
from typing import Any, TypeAlias

from perceptag import _core
from perceptag.text.tokens import Passage, TextSentence, Token

_PARAGRAPH = 2  # begins with a token, as the core says it; 1: a sentence, 0: neither
_STARTS = re.compile(rb"[^\0]")
Places: TypeAlias = Any  # a view of whole numbers, which the core takes as it takes an array


class TokenPlaces:
    """Where the tokens of a text begin and end, and where words begin inside tokens; in order, without overlaps."""

    def __init__(self, text: str, start: int, begin: Places, end: Places, cuts: Places) -> None:
        self.text = text
        self.start = start  # the place of the text in the whole; the arrays count from here
        self.begin, self.end, self.cuts = begin, end, cuts
        self.word_begin: Places = begin
        self.word_end: Places = end
        if len(cuts):
            self.word_begin, self.word_end = _core.word_places(begin, end, cuts)

    def first_word(self, token: int) -> int:
        """Return how many words the tokens before a token have; also for the number after the last one."""
        if token == len(self.begin):
            return self.words
        return token + bisect_left(self.cuts, self.begin[token])

    @property
    def words(self) -> int:
        """How many words there are."""
        return len(self.word_begin)

    def tokens(self, first: int, last: int) -> list[Token]:
        """Make the tokens from number `first` to before `last`."""
        text, start = self.text, self.start
        found: list[Token] = []
        for a, b in zip(self.begin[first:last].tolist(), self.end[first:last].tolist(), strict=True):
            form = text[a:b]
            found.append(Token(form, start + a, start + b, (form,)))
        if len(self.cuts) and found:
            self._cut_words(found)
        return found

    def _cut_words(self, tokens: list[Token]) -> None:
        """Set the words of the tokens that consist of several."""
        first, last = tokens[0].start - self.start, tokens[-1].end - self.start
        every = self.cuts
        cuts = every[bisect_left(every, first) : bisect_left(every, last)].tolist()
        places: dict[int, list[int]] = {}
        rest = iter(enumerate(tokens))
        number, token = next(rest)
        for cut in cuts:
            while token.end <= self.start + cut:
                number, token = next(rest)
            places.setdefault(number, []).append(self.start + cut - token.start)
        for number, inside in places.items():
            token = tokens[number]
            token.words = tuple(token.text[a:b] for a, b in pairwise((0, *inside, len(token.text))))

    def passage(self, kinds: memoryview[int]) -> Passage:
        """Return the text with its sentences; `kinds` says what begins with each token."""
        start, begin, end = self.start, self.begin, self.end
        sentences = [
            TextSentence._at(self, a, b, start + begin[a], start + end[b - 1], kinds[a] == _PARAGRAPH)
            for a, b in pairwise([*_sentence_starts(kinds.tobytes()), len(kinds)])
        ]
        return Passage(self.text, self.start, sentences)


def _sentence_starts(kinds: bytes) -> Iterator[int]:
    """Yield the numbers of the tokens with which sentences begin."""
    return (match.start() for match in _STARTS.finditer(kinds))
