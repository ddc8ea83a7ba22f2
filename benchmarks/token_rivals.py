"""Other tokenisers beside that of `en`: the rules of spaCy, and UDPipe trained on the same treebank."""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from perceptag.text.tokens import Passage, TextSentence, Token

TOKENIZER = (
    "dimension=64;epochs=100;initialization_range=0.5;batch_size=50;learning_rate=0.005;dropout=0.1;early_stopping=1"
)


def spacy_rules() -> Callable[[str], Passage] | None:
    """Return spaCy's English tokeniser and its rules for sentences, which need no model; None without spaCy."""
    if find_spec("spacy") is None:
        return None
    import spacy

    english = spacy.blank("en")
    english.add_pipe("sentencizer")

    def tokenize(text: str) -> Passage:
        found = []
        for sentence in english(text).sents:
            tokens = [Token(t.text, t.idx, t.idx + len(t), (t.text,)) for t in sentence if not t.is_space]
            found.append(TextSentence(tokens))
        return Passage(text, 0, [sentence for sentence in found if sentence.tokens])

    return tokenize


def udpipe(train: Path, dev: Path) -> Callable[[str], Passage] | None:
    """Train the tokeniser of UDPipe with its settings for English; None without ufal.udpipe."""
    if find_spec("ufal") is None or find_spec("ufal.udpipe") is None:
        return None
    import ufal.udpipe as library

    model = _trained(library, train, dev)

    def tokenize(text: str) -> Passage:
        sentences = []
        reader = model.newTokenizer("ranges")
        reader.setText(text)
        sentence = library.Sentence()
        while reader.nextSentence(sentence):
            sentences.append(TextSentence(_tokens(sentence)))
            sentence = library.Sentence()
        return Passage(text, 0, sentences)

    return tokenize


def _trained(library: Any, train: Path, dev: Path) -> Any:
    parts = [_sentences(library, path) for path in (train, dev)]
    error = library.ProcessingError()
    data = library.Trainer.train("morphodita_parsito", *parts, TOKENIZER, "none", "none", error)
    if error.occurred():
        raise RuntimeError(error.message)
    return library.Model.load(data)


def _sentences(library: Any, path: Path) -> Any:
    reader = library.InputFormat.newConlluInputFormat()
    reader.setText(path.read_text("utf-8"))
    found, sentence = library.Sentences(), library.Sentence()
    while reader.nextSentence(sentence):
        found.push_back(sentence)
        sentence = library.Sentence()
    return found


def _tokens(sentence: Any) -> list[Token]:
    """Return the tokens of a sentence; those of several words once."""
    several = {token.idFirst: token for token in sentence.multiwordTokens}
    found, covered = [], 0
    for word in list(sentence.words)[1:]:
        if word.id <= covered:
            continue
        token = several.get(word.id)
        if token is None:
            found.append(_placed(word, (word.form,)))
        else:
            covered = token.idLast
            words = [w.form for w in sentence.words if token.idFirst <= w.id <= token.idLast]
            found.append(_placed(token, tuple(words)))
    return found


def _placed(token: Any, words: tuple[str, ...]) -> Token:
    return Token(token.form, token.getTokenRangeStart(), token.getTokenRangeEnd(), words)
