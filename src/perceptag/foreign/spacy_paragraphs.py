"""Training data of spaCy 2 as ``spacy convert`` wrote it: documents of paragraphs, whose sentences have tokens.

    [{"id": 0, "paragraphs": [{"raw": …, "sentences": [{"tokens": [{"orth": "Anna", "tag": "NNP", "ner": "U-PER"}]}]}]}]

Labels are those of the file: BILOU, which is read wherever IOBES is. The label ``-`` means that nothing is known.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from perceptag.errors import DataError, brief
from perceptag.foreign.json_records import Record
from perceptag.foreign.texts import ForeignSentence, objects, unread_keys

NAME, TITLE = "spacy-paragraphs", "training data of spaCy 2"
UNKNOWN = "-"
_COLUMNS = {"tag": "pos"}  # of a token if all tokens have it, and what the column is called
_READ = {"id", "orth", "ner"}


def is_mine(record: dict[str, Any]) -> bool:
    """Return whether a record has paragraphs of sentences."""
    paragraphs = record.get("paragraphs")
    return isinstance(paragraphs, list) and any(isinstance(p, dict) and "sentences" in p for p in paragraphs)


def read(found: Iterable[Record]) -> Iterator[ForeignSentence]:
    """Read all sentences; each record is a document."""
    unread: dict[str, list[str]] = {}
    sentences = list(_sentences(found, unread))
    keys = [
        key for key in _COLUMNS if all(isinstance(t.get(key), str) and t[key] for _, _, some in sentences for t in some)
    ]
    for number, where, tokens in sentences:
        made = _sentence(tokens, number, where, keys)
        made.left_out += unread.pop(where, [])
        yield made


def _sentences(
    found: Iterable[Record], unread: dict[str, list[str]]
) -> Iterator[tuple[int, str, list[dict[str, Any]]]]:
    """Yield the number of the document of each sentence, where it is, and its tokens; add unread keys by place."""
    for number, (where, value) in enumerate(found):
        others = unread.setdefault(where, unread_keys("document", value, ("id", "paragraphs")))
        for paragraph in objects(value.get("paragraphs"), "paragraphs", where):
            others += unread_keys("paragraphs", paragraph, ("raw", "sentences"))
            for sentence in objects(paragraph.get("sentences"), "sentences", where):
                others += unread_keys("sentences", sentence, ("tokens",))
                if tokens := objects(sentence.get("tokens"), "tokens", where):
                    yield number, where, tokens


def _sentence(tokens: list[dict[str, Any]], document: int, where: str, keys: Sequence[str]) -> ForeignSentence:
    words = [_word(token, where) for token in tokens]
    known: list[str | None] = [_label(token, where) for token in tokens]
    labels = [label for label in known if label is not None]
    columns = {_COLUMNS[key]: [token[key] for token in tokens] for key in keys}
    is_whole, has_any = len(labels) == len(words), bool(labels)
    told = [{key: value for key, value in token.items() if value != 0} for token in tokens]  # 0: no head
    return ForeignSentence(
        where,
        document,
        words,
        [],
        labels if is_whole else None,
        draft=known if has_any and not is_whole else None,
        columns=columns,
        left_out=unread_keys("tokens", told, {*_READ, *keys}),
    )


def _word(token: dict[str, Any], where: str) -> str:
    word = token.get("orth")
    if not isinstance(word, str) or not word.strip():
        raise DataError(f"'orth': expected a word, found {brief(word)}", where)
    return word


def _label(token: dict[str, Any], where: str) -> str | None:
    """Return the label of a token; None if it is not known."""
    label = token.get("ner", UNKNOWN)
    if not isinstance(label, str) or not label:
        raise DataError(f"'ner': expected a label, such as U-PER or O, found {brief(label)}", where)
    return None if label == UNKNOWN else label
