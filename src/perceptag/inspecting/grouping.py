"""Group sentences that must stay together: those of a document, and equal ones."""

from __future__ import annotations

from collections.abc import Sequence

from perceptag.errors import SettingError
from perceptag.text.documents import iter_documents
from perceptag.text.sentence import Sentence

DOCUMENT, SENTENCE = "document", "sentence"


def units_of(sentences: Sequence[Sentence], by: str) -> list[list[int]]:
    """Return the numbers of the sentences of each document, or each sentence alone."""
    if by == SENTENCE:
        return [[number] for number in range(len(sentences))]
    if not any(sentence.starts_document for sentence in sentences):
        raise SettingError("--by document: expected marks of documents in the file, found none; try --by sentence")
    units: list[list[int]] = []
    number = 0
    for document in iter_documents(sentences):
        units.append(list(range(number, number + len(document))))
        number += len(document)
    return units


def usual_unit(sentences: Sequence[Sentence]) -> str:
    """Return "document" if documents are marked, else "sentence"."""
    return DOCUMENT if any(sentence.starts_document for sentence in sentences) else SENTENCE


def joined_units(units: Sequence[Sequence[int]], sentences: Sequence[Sentence], shortest: int) -> list[list[int]]:
    """Join units that have a sentence with the same words, if it has `shortest` tokens or more.

    >>> some = [Sentence({"form": text.split()}) for text in ("a b", "c", "a b")]
    >>> joined_units([[0], [1], [2]], some, 2)
    [[0, 2], [1]]
    """
    parent = list(range(len(units)))

    def root(unit: int) -> int:
        while parent[unit] != unit:
            parent[unit] = parent[parent[unit]]
            unit = parent[unit]
        return unit

    seen: dict[tuple[str, ...], int] = {}
    for number, unit in enumerate(units):
        for words in (tuple(sentences[i].tokens) for i in unit if len(sentences[i]) >= max(1, shortest)):
            first, second = root(seen.setdefault(words, number)), root(number)
            parent[max(first, second)] = min(first, second)
    groups: dict[int, list[int]] = {}
    for number, unit in enumerate(units):
        groups.setdefault(root(number), []).extend(unit)
    return list(groups.values())
