"""Sentences of other tools as sentences of perceptag, with a label for each token."""

from __future__ import annotations

import io
from collections.abc import Iterable

from perceptag.foreign.read_export import MISSING, ForeignFile, as_jsonl
from perceptag.foreign.texts import ForeignSentence
from perceptag.system.plural import plural
from perceptag.text import jsonl
from perceptag.text.sentence import Sentence

LABEL = "label"  # the column of the labels


def as_sentences(found: ForeignFile, unlabelled: str = "O") -> list[Sentence]:
    """Return all sentences. Unknown labels are '_'; texts without spans have O, or '_' if `unlabelled` is missing."""
    sentences = list(jsonl.read_jsonl(io.BytesIO(as_jsonl(found.sentences))))
    has_labels = any(origin.labels or origin.draft or origin.is_unmarked for origin in found.sentences)
    for sentence, origin in zip(sentences, found.sentences, strict=True):
        if has_labels and LABEL not in sentence.columns:
            value = "O" if origin.is_unmarked and unlabelled == "O" else MISSING
            sentence.columns[LABEL] = [value] * len(sentence)
        sentence.source, sentence.line = origin.where, 0
    return sentences


def is_known(origin: ForeignSentence) -> bool:
    """Return whether the labels of a sentence are known, or it is of a text without spans."""
    return origin.labels is not None or origin.is_unmarked


def notes_on_unmarked(sentences: Iterable[ForeignSentence], unlabelled: str) -> list[str]:
    """Say what texts without spans mean."""
    unmarked = {origin.document: origin.where for origin in sentences if origin.is_unmarked}
    if not unmarked:
        return []
    many = plural(len(unmarked), "text")
    meaning = "all their tokens are O; 'perceptag convert --unlabelled missing' leaves them without labels"
    if unlabelled != "O":
        meaning = "they are left without labels"
    return [f"{many} without spans: {meaning}; first: {next(iter(unmarked.values()))}"]
