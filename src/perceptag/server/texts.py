"""Running text in a request: its sentences, the places of their tokens, and what found them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from perceptag.pipeline.pipeline import Pipeline
from perceptag.pipeline.text_documents import passages
from perceptag.server.problems import HttpProblem
from perceptag.server.served import ModelTable
from perceptag.text.sentence import Sentence
from perceptag.text.text_layout import TextLayout, sentences_of
from perceptag.text.tokens import Passage, TextSentence, Token, joined

WHITE_SPACE = "white-space"


@dataclass(slots=True)
class SplitText:
    """The sentences of a text."""

    sentences: list[Sentence]
    offsets: list[list[tuple[int, int]]] | None
    tokenizer: str
    notes: list[str]


def sentences_of_text(text: str, split: str, tokenizer: str, opened: Pipeline, table: ModelTable) -> SplitText:
    """Cut a text with the tokeniser of the model, or with the one that is named; without any, at white space."""
    found, name, notes = opened.tokenizer, "own", []
    if tokenizer and tokenizer != WHITE_SPACE:
        found, name = table.find(tokenizer).ending_with("").tokenizer, tokenizer
        if found is None:
            raise HttpProblem(409, f"tokenizer: expected a model that has a tokeniser, found {tokenizer!r}")
    if found is None or tokenizer == WHITE_SPACE:
        found, name = None, WHITE_SPACE
    if found is None and split != "lines":
        notes.append("no tokeniser was used: every line is a sentence, and its tokens are what white space separates")
    passage = _with_tokenizer(found, text, split) if found is not None else _at_white_space(text)
    sentences = sentences_of(passage)
    return SplitText(sentences, [_places(sentence) for sentence in sentences], name, notes)


def cut_at(tokenizer: Any, text: str) -> list[tuple[list[str], list[tuple[int, int]]]]:
    """Return the tokens of each sentence of a text, and their places; without a tokeniser, white space cuts."""
    passage = _with_tokenizer(tokenizer, text, "sentences") if tokenizer is not None else _at_white_space(text)
    return [(sentence.tokens, _places(sentence)) for sentence in sentences_of(passage)]


def _places(sentence: Sentence) -> list[tuple[int, int]]:
    assert isinstance(sentence.layout, TextLayout)
    return sentence.layout.places()


def _with_tokenizer(tokenizer: Any, text: str, split: str) -> Passage:
    if split != "lines":
        return joined(list(passages(tokenizer, [text])))
    found = Passage(text)
    for start, line in _lines(text):
        tokens = [token for sentence in tokenizer.tokenize_part(line, start).sentences for token in sentence.tokens]
        if tokens:
            found.sentences.append(TextSentence(tokens, starts_document=not found.sentences))
    return found


def _at_white_space(text: str) -> Passage:
    found = Passage(text)
    for start, line in _lines(text):
        tokens: list[Token] = []
        for word in line.split():
            begin = line.index(word, tokens[-1].end - start if tokens else 0)
            tokens.append(Token(word, start + begin, start + begin + len(word), (word,)))
        if tokens:
            found.sentences.append(TextSentence(tokens, starts_document=not found.sentences))
    return found


def _lines(text: str) -> Iterator[tuple[int, str]]:
    place = 0
    for line in text.split("\n"):
        yield place, line
        place += len(line) + 1
