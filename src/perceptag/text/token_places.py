"""The tokens of a text as arrays of places, from which tokens and words are made when they are asked for."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from perceptag.text.tokens import Passage, TextSentence, Token

if TYPE_CHECKING:
    import numpy.typing as npt

    from perceptag.arrays import Longs

_TOKEN, _PARAGRAPH = 0, 2  # what begins with a token, as the core says it


class TokenPlaces:
    """Where the tokens of a text begin and end, and where words begin inside tokens; in order, without overlaps."""

    def __init__(self, text: str, start: int, begin: Longs, end: Longs, cuts: Longs) -> None:
        self.text = text
        self.start = start  # the place of the text in the whole; the arrays count from here
        self.begin, self.end, self.cuts = begin, end, cuts
        if len(cuts):
            self.word_begin: Longs = np.sort(np.concatenate([begin, cuts]))
            inside = np.searchsorted(begin, self.word_begin, "right") - 1
            self.word_end: Longs = np.minimum(end[inside], np.append(self.word_begin[1:], len(text)))
        else:
            self.word_begin, self.word_end = begin, end

    def first_words(self, tokens: Longs) -> Longs:
        """Return for each of these tokens how many words the tokens before it have."""
        found: Longs = tokens + np.searchsorted(self.cuts, self.begin[tokens])
        return found

    def first_word(self, token: int) -> int:
        """Return the same for one token, or for the number after the last one."""
        return token + int(np.searchsorted(self.cuts, self.begin[token])) if token < len(self.begin) else self.words

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
        cuts = self.cuts[np.searchsorted(self.cuts, first) : np.searchsorted(self.cuts, last)].tolist()
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

    def passage(self, kinds: npt.NDArray[np.uint8]) -> Passage:
        """Return the text with its sentences; `kinds` says what begins with each token."""
        first = np.flatnonzero(kinds != _TOKEN)
        bounds = [*first.tolist(), len(kinds)]
        places = zip(self.begin[first].tolist(), self.end[np.array(bounds[1:], np.int64) - 1].tolist(), strict=True)
        paragraphs = (kinds[first] == _PARAGRAPH).tolist()
        sentences = [
            TextSentence._at(self, a, b, self.start + begin, self.start + end, is_paragraph)
            for (a, b), (begin, end), is_paragraph in zip(pairwise(bounds), places, paragraphs, strict=True)
        ]
        return Passage(self.text, self.start, sentences)
