"""Requests: bytes to JSON, and JSON to sentences or text. Errors name the key, or the sentence and the token."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from perceptag._core import are_texts
from perceptag.errors import brief, nearest
from perceptag.pipeline.pipeline import Pipeline
from perceptag.pipeline.text_documents import checked_text, passages
from perceptag.server.limits import Limits, check_runs, check_sizes
from perceptag.server.problems import HttpProblem, too_much
from perceptag.server.served import ModelTable, Served
from perceptag.system.strict_json import NotStrictError, strict_loads
from perceptag.text.documents import as_document
from perceptag.text.inputs import as_sentences, checked_given
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


def sentences_of_text(
    text: str, split: str, tokenizer: str, opened: Pipeline, table: ModelTable, limits: Limits
) -> SplitText:
    """Cut a text with the tokeniser of the model, or with the one that is named; without any, at white space."""
    check_runs(text, limits)
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


GIVEN_AS = ("tokens", "sentences", "rows", "text")


def parse_json(data: bytes) -> Any:
    """Parse JSON. Refuse repeated keys, numbers that are not finite, and lists that are nested too deep."""
    try:
        return strict_loads(data)
    except UnicodeDecodeError as error:
        raise HttpProblem(400, f"body: expected JSON in UTF-8, found the byte 0x{data[error.start]:02X}") from None
    except json.JSONDecodeError as error:
        place = {"line": error.lineno, "column": error.colno}
        raise HttpProblem(400, f"body: expected JSON, found a mistake: {error.msg}", where=place) from None
    except NotStrictError as error:
        raise HttpProblem(400, f"body: expected JSON: {error}") from None
    except ValueError:
        raise HttpProblem(400, "body: expected JSON, found a number with too many digits to be read") from None


@dataclass(frozen=True, slots=True)
class BodyKey:
    """A key of a request: what it must be, and how messages call that."""

    kind: type | tuple[type, ...]
    expected: str
    default: Any = None
    check: Callable[[Any], bool] = field(default=lambda _: True)


def read_keys(body: object, keys: dict[str, BodyKey]) -> dict[str, Any]:
    """Return the values of all keys; refuse keys that are not known, and values of another kind."""
    if not isinstance(body, dict):
        raise HttpProblem(422, f"body: expected a JSON object, found {brief(body)}")
    for name in body:
        if name not in keys:
            raise HttpProblem(
                422, f"body: expected the keys {', '.join(keys)}; found {name[:60]!r}{nearest(name, keys)}"
            )
    return {name: _value(name, key, body[name]) if name in body else key.default for name, key in keys.items()}


def _value(name: str, key: BodyKey, value: Any) -> Any:
    is_bool = isinstance(value, bool) and key.kind is not bool
    if value is None or is_bool or not isinstance(value, key.kind) or not key.check(value):
        raise HttpProblem(422, f"{name}: expected {key.expected}, found {brief(value)}")
    return value


INPUT = {
    "model": BodyKey(str, "the name of a model", ""),
    "layer": BodyKey(str, "the name of a layer", ""),
    "sentences": BodyKey(list, "a list of lists of tokens"),
    "rows": BodyKey(list, "a list of lists of objects, one for each token"),
    "tokens": BodyKey(list, "a list of tokens"),
    "text": BodyKey(str, "a text"),
    "split": BodyKey(str, "sentences or lines", "sentences", lambda s: s in ("sentences", "lines")),
    "tokenizer": BodyKey(str, "the name of a model with a tokeniser, or white-space", ""),
    "documents": BodyKey(list, "a list of numbers of sentences"),
    "given": BodyKey(list, "a list of labels or null for each sentence"),
}


@dataclass(frozen=True, slots=True)
class Asked:
    """The sentences of a request, and the model that it names."""

    served: Served
    opened: Pipeline
    sentences: list[Sentence]
    given: list[list[str | None]] | None
    offsets: list[list[tuple[int, int]]] | None  # of tokens in running text
    tokenizer: str  # what found them
    notes: list[str]


def read_input(keys: dict[str, Any], table: ModelTable, limits: Limits) -> Asked:
    """Return the sentences of a request."""
    served = table.find(keys["model"])
    opened = served.ending_with(keys["layer"] or served.usual)
    named = [name for name in GIVEN_AS if keys.get(name) is not None]
    if len(named) != 1:
        found = " and ".join(named) or "none of them"
        expected = ", ".join(name for name in GIVEN_AS if name in keys)
        raise HttpProblem(422, f"body: expected one of {expected}; found {found}")
    split = SplitText([], None, "", [])
    if named == ["text"]:
        split = _text(keys, opened, table, limits)
    else:
        split.sentences = _listed(named[0], keys[named[0]], limits)
    _check_columns(opened, split.sentences)
    sentences = _with_documents(split.sentences, keys.get("documents"))
    given = keys["given"]
    if given is not None:
        given = checked_given(sentences, [given] if named == ["tokens"] else given)
    return Asked(served, opened, sentences, given, split.offsets, split.tokenizer, split.notes)


def _listed(name: str, value: list[Any], limits: Limits) -> list[Sentence]:
    given = [value] if name == "tokens" else value
    of_kind = dict if name == "rows" else str
    for i, sentence in enumerate(given):
        if not isinstance(sentence, list):
            raise HttpProblem(422, f"{name}: expected a list, found {brief(sentence)}", where={"sentence": i})
    check_sizes([len(sentence) for sentence in given], limits)
    is_plain = of_kind is str and all(map(are_texts, given))
    for i, sentence in enumerate(() if is_plain else given):
        if not {of_kind}.issuperset(map(type, sentence)):
            t, token = next((t, token) for t, token in enumerate(sentence) if type(token) is not of_kind)
            expected, place = "an object" if name == "rows" else "a string", {"sentence": i, "token": t}
            raise HttpProblem(422, f"{name}: expected {expected}, found {brief(token)}", where=place)
    sentences = as_sentences(given)
    check_characters(sentences, limits)
    return sentences


def check_characters(sentences: Sequence[Sentence], limits: Limits) -> None:
    """Refuse a token, or a value in another column, that is too long."""
    for i, sentence in enumerate(sentences):
        for values in sentence.columns.values():
            if values and max(map(len, values)) > limits.token_characters:
                t = next(t for t, value in enumerate(values) if len(value) > limits.token_characters)
                place = {"sentence": i, "token": t}
                raise too_much("token_characters", limits.token_characters, len(values[t]), where=place)


def _text(keys: dict[str, Any], opened: Pipeline, table: ModelTable, limits: Limits) -> SplitText:
    text = checked_text(keys["text"])
    if len(text) > limits.text:
        raise too_much("text", limits.text, len(text), 413)
    split = sentences_of_text(text, keys["split"], keys["tokenizer"], opened, table, limits)
    check_sizes([len(sentence) for sentence in split.sentences], limits)
    check_characters(split.sentences, limits)
    return split


def _check_columns(opened: Pipeline, sentences: Sequence[Sentence]) -> None:
    """Refuse sentences without a column that the model needs, whatever layer would ask for it first."""
    inputs = opened.inputs
    for i, sentence in enumerate(sentences):
        if not len(sentence):
            sentence.columns = {column: [] for column in inputs}
        if any(column not in sentence.columns for column in inputs):
            needed, found = ", ".join(inputs), ", ".join(sentence.columns)
            detail = f"expected rows with the columns {needed}, which the model looks at; found {found}"
            raise HttpProblem(422, detail, where={"sentence": i})


def _with_documents(sentences: list[Sentence], documents: list[Any] | None) -> list[Sentence]:
    """Mark the sentences with which documents begin."""
    if documents is None:
        return sentences
    for number in documents:
        if isinstance(number, bool) or not isinstance(number, int) or not 0 <= number < len(sentences):
            expected = f"numbers of sentences, below {len(sentences)}"
            raise HttpProblem(422, f"documents: expected {expected}, found {brief(number)}")
    starts = set(documents)
    for number, sentence in enumerate(sentences):
        sentence.starts_document = number in starts
    return sentences


def as_one_document(sentences: Sequence[Sentence], limits: Limits) -> list[Sentence]:
    """Return sentences as a document one of whose sentences is to be explained."""
    if len(sentences) > limits.explain_sentences:
        raise too_much("explain_sentences", limits.explain_sentences, len(sentences), 413)
    return as_document(sentences)
