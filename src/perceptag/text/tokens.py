"""Tokens of running text with their offsets, as tokenisers and treebanks produce them.

    text   "I didn't."      tokens "I", "didn't", "."      words "I", "did", "n't", "."

A token is a piece of the text. Most tokens are one word; some are several words written together.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from perceptag.text.token_places import TokenPlaces


@dataclass(slots=True)
class Token:
    """``text[start:end]`` of some text, and the words that it consists of."""

    text: str
    start: int  # in characters
    end: int
    words: tuple[str, ...]

    @property
    def is_spelt(self) -> bool:
        """Whether the concatenated words are the token; those of French ``au`` (``à`` and ``le``) are not."""
        return len(self.words) == 1 or "".join(self.words) == self.text

    @property
    def places(self) -> list[tuple[int, int]]:
        """Where its words begin and end; words that do not spell it have the place of the whole token."""
        if not self.is_spelt:
            return [(self.start, self.end)] * len(self.words)
        found: list[tuple[int, int]] = []
        place = self.start
        for word in self.words:
            found.append((place, place + len(word)))
            place += len(word)
        return found


@dataclass(slots=True)
class TextSentence:
    """The tokens of a sentence, and what begins with it. Tokens of a tokeniser are made when they are asked for."""

    tokens: list[Token]
    starts_paragraph: bool = False
    starts_document: bool = False
    _places: SentencePlaces | None = field(default=None, repr=False, compare=False)

    @classmethod
    def _at(cls, of: TokenPlaces, first: int, last: int, start: int, end: int, starts_paragraph: bool) -> TextSentence:
        """Return the sentence of the tokens from number `first` to before `last`, which are at these characters."""
        sentence = cls.__new__(cls)  # without tokens: `__getattr__` makes them
        sentence.starts_paragraph, sentence.starts_document = starts_paragraph, False
        sentence._places = SentencePlaces(of, first, last, start, end)
        return sentence

    def __getattr__(self, name: str) -> list[Token]:
        if name != "tokens" or self._places is None:
            raise AttributeError(name)
        self.tokens = self._places.of.tokens(self._places.first, self._places.last)
        return self.tokens

    @property
    def places(self) -> SentencePlaces | None:
        """Where the tokens are, if a tokeniser has found them."""
        return self._places

    @property
    def start(self) -> int:
        """Where its first token begins."""
        return self._places.start if self._places else self.tokens[0].start

    @property
    def end(self) -> int:
        """Where its last token ends."""
        return self._places.end if self._places else self.tokens[-1].end

    def __len__(self) -> int:
        return self._places.last - self._places.first if self._places else len(self.tokens)

    def __reduce__(self) -> tuple[Any, ...]:
        return TextSentence, (self.tokens, self.starts_paragraph, self.starts_document)


class SentencePlaces(NamedTuple):
    """Which tokens of a text a sentence has."""

    of: TokenPlaces
    first: int
    last: int  # the number after its last token
    start: int  # in characters, from the beginning of the whole text
    end: int


@dataclass(slots=True)
class Passage:
    """A part of a running text with its sentences; offsets of tokens count from the beginning of the whole text."""

    text: str
    start: int = 0  # the place of this part in the whole
    sentences: list[TextSentence] = field(default_factory=list)
    ends_document: bool = False  # what follows is certainly another document

    def between(self, start: int, end: int) -> str:
        """Return the text between two places of the whole."""
        return self.text[start - self.start : end - self.start]

    def gaps(self) -> list[str]:
        """Return the text before the first token, after it, and so on, and after the last."""
        tokens = [token for sentence in self.sentences for token in sentence.tokens]
        ends = [self.start, *(token.end for token in tokens)]
        starts = [*(token.start for token in tokens), self.start + len(self.text)]
        return [self.between(end, start) for end, start in zip(ends, starts, strict=True)]


def joined(parts: Sequence[Passage]) -> Passage:
    """Return consecutive parts of a text as one."""
    start = parts[0].start if parts else 0
    return Passage("".join(p.text for p in parts), start, [s for p in parts for s in p.sentences])
