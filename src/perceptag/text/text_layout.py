"""Sentences of running text, with the character offsets of their words."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from perceptag.text.sentence import Sentence, SentenceLayout
from perceptag.text.token_formats import form_of
from perceptag.text.tokens import Passage, TextSentence, Token


@dataclass(frozen=True, slots=True)
class TextLayout(SentenceLayout):
    """The position of a sentence in a text. The words of each token spell it."""

    text: str  # of the sentence, from its first token to its last
    tokens: list[Token]
    before: str  # white space before the first token, if it is the first of the text
    after: list[str]  # white space after each token
    starts_paragraph: bool

    def places(self) -> list[tuple[int, int]]:
        """Return the offsets of each word."""
        return [place for token in self.tokens for place in token.places]

    def several(self) -> Iterator[tuple[int, int, int]]:
        """Yield the tokens of several words: the number of the token, of its first word, and after its last."""
        first = 0
        for number, token in enumerate(self.tokens):
            if len(token.words) > 1:
                yield number, first, first + len(token.words)
            first += len(token.words)


def sentences_of(passage: Passage, source: str = "") -> list[Sentence]:
    """Return the sentences of a passage; their column ``form`` has the words as CoNLL-U writes them."""
    before, *after = passage.gaps() if passage.sentences else [""]
    found: list[Sentence] = []
    done = 0
    for sentence in passage.sentences:
        end = done + len(sentence.tokens)
        found.append(_sentence(passage, sentence, before, after[done:end], source))
        before, done = "", end
    return found


def _sentence(passage: Passage, sentence: TextSentence, before: str, after: list[str], source: str) -> Sentence:
    tokens = sentence.tokens
    first = tokens[0].start
    text = passage.between(first, tokens[-1].end)
    forms = [form_of(word) for token in tokens for word in token.words]
    where = f"{source}, character {first}" if source else f"character {first}"
    layout = TextLayout(text, tokens, before, after, sentence.starts_paragraph)
    return Sentence({"form": forms}, where, 0, sentence.starts_document, layout)
