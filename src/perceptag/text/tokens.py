"""Tokens of running text with their offsets, as tokenisers and treebanks produce them.

    text   "I didn't."      tokens "I", "didn't", "."      words "I", "did", "n't", "."

A token is a piece of the text. Most tokens are one word; some are several words written together.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field


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


@dataclass(slots=True)
class TextSentence:
    """The tokens of a sentence, and what begins with it."""

    tokens: list[Token]
    starts_paragraph: bool = False
    starts_document: bool = False


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
