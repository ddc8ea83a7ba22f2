"""Lines of words with their labels: ``John/NNP lives/VBZ in/IN Oslo/NNP ./.``, or ``John_NNP lives_VBZ``.

A line is a sentence. The last slash or underscore of a field separates the label from the word, so labels that contain
the separator cannot be read; `recognise` refuses fields whose label does not look like one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from perceptag.errors import DataError
from perceptag.foreign.texts import ForeignSentence

NAME, TITLE = "inline", "words with labels (word/label)"
_FORGOTTEN = 0.1  # the share of words that may lack their label: prose has many more
_LABELS = {"/": re.compile(r"[^\s/]{1,30}"), "_": re.compile(r"[^\s/_]{1,30}")}  # by what separates them from words


def separator_of(lines: Sequence[str]) -> str:
    """Return what separates words from labels in nearly all fields of some lines; an empty string if nothing does."""
    fields = [field for line in lines for field in line.split()]
    has_columns = any("\t" in line.strip() for line in lines)
    if len(fields) <= len(lines) or has_columns or all("://" in field for field in fields):
        return ""
    return next((mark for mark in _LABELS if _are_labelled(fields, mark)), "")


def _are_labelled(fields: Sequence[str], mark: str) -> bool:
    """Return whether fields are words with labels, but for a few, which `read` refuses.

    In prose (and/or, he/she), most words have a label of their own.
    """
    found = [_pair(field, mark) for field in fields]
    if found.count(None) > _FORGOTTEN * len(fields):
        return False
    pairs = {pair for pair in found if pair}
    labels = {label for _, label in pairs}
    are_words = all(label.isalpha() and label.islower() and len(label) > 1 for label in labels)
    return not are_words or 5 * len(labels) < 4 * len(pairs)


def read(text: str, name: str) -> Iterator[ForeignSentence]:
    """Read all sentences."""
    lines = text.split("\n")
    mark = separator_of([line for line in lines if line.strip()][:200])
    number = 0
    for line_number, line in enumerate(lines, 1):
        pairs = []
        for field in line.split():
            if (pair := _pair(field, mark)) is None:
                expected = f"expected a word and its label, such as word{mark or '/'}LABEL"
                raise DataError(f"{expected}, found {field!r}", f"{name}:{line_number}")
            pairs.append(pair)
        if pairs:
            words, labels = ([pair[side] for pair in pairs] for side in (0, 1))
            yield ForeignSentence(f"{name}:{line_number}", number, words, [], labels)
            number += 1


def _pair(field: str, mark: str) -> tuple[str, str] | None:
    word, _, label = field.rpartition(mark or "/")
    return (word, label) if word and _LABELS[mark or "/"].fullmatch(label) else None
