"""The characters of a text as tokens with labels, so that everything that trains and measures taggers fits.

sentence   begins a sentence                 "He didn't."   sentence inside between token inside inside word inside …
token      begins a token
word       begins a word inside a token
inside     continues a token
between    lies between tokens: all white space. Where a token has white space in it, the next character is inside.

Where the words of a token do not spell it (French *des* may be *de* and *les*), the column `SEVERAL` has them at its
first character (`perceptag.models.tokenizer.multiword`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain

from perceptag.arrays import Bytes, np
from perceptag.errors import DataError, brief
from perceptag.text.sentence import Sentence, SentenceLayout
from perceptag.text.tokens import Token
from perceptag.text.treebank import GoldSentence, Treebank

CHARACTER, LABEL = "form", "label"
SEVERAL = "words"  # a column that only treebanks with such tokens have
LABELS = ("inside", "sentence", "token", "word")  # by their numbers in the core
BETWEEN = "between"
NAMES = (*LABELS, BETWEEN)
NUMBERS = {name: number for number, name in enumerate(NAMES)}


def as_characters(bank: Treebank) -> list[Sentence]:
    """Return a sentence of characters, with the gap after it, for each sentence of a treebank."""
    return [_characters(gold, bank.whole > 0) for gold in bank.sentences]


def _characters(gold: GoldSentence, has_several: bool) -> Sentence:
    labels = [BETWEEN if c.isspace() else "inside" for c in gold.text]
    for number, token in enumerate(gold.tokens):
        for place in word_starts(token):
            labels[place] = "word"
        labels[token.start] = "sentence" if number == 0 else "token"
    several = [""] * len(labels)
    for token in gold.tokens:
        several[token.start] = "" if token.is_spelt else "\n".join(token.words)
    columns = {CHARACTER: list(gold.text), **({SEVERAL: several} if has_several else {}), LABEL: labels}
    where = gold.sentence
    return Sentence(columns, where.source, where.line, gold.starts_paragraph, SentenceLayout() if where.line else None)


def word_starts(token: Token) -> Iterable[int]:
    """Return where the words of a token begin, but for the first; a token that they do not spell stays whole."""
    place = token.start
    for word in token.words[:-1] if token.is_spelt else ():
        place += len(word)
        yield place


def text_of(sentences: Sequence[Sentence]) -> str:
    """Return the text of sentences of characters."""
    for sentence in sentences:
        for t, value in enumerate(sentence.columns.get(CHARACTER, ())):
            if len(value) != 1:
                raise DataError(f"expected single characters, found {brief(value)}", sentence.where(t))
    return "".join(chain.from_iterable(sentence.columns[CHARACTER] for sentence in sentences))


def codes_of(sentences: Sequence[Sentence]) -> Bytes:
    """Return the numbers of the labels of sentences of characters; only white space may lie between tokens."""
    found: list[int] = []
    for sentence in sentences:
        for t, (c, label) in enumerate(zip(sentence.columns[CHARACTER], sentence.columns[LABEL], strict=True)):
            if label not in NUMBERS or (label == BETWEEN) != c.isspace():
                expected = BETWEEN if c.isspace() else " or ".join(LABELS)
                raise DataError(f"label of {c!r}: expected {expected}, found {brief(label)}", sentence.where(t))
            found.append(NUMBERS[label])
    return np.array(found, np.uint8)


def has_joined(codes: Bytes) -> bool:
    """Return whether a token continues behind white space."""
    behind = codes[1:][codes[:-1] == NUMBERS[BETWEEN]]
    return bool(np.isin(behind, [NUMBERS["inside"], NUMBERS["word"]]).any())
