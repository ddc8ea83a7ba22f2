"""Sentences of an export as perceptag's own JSON lines, in which ``_`` stands for a label that is not known."""

from __future__ import annotations

import json
from collections.abc import Iterable

from perceptag.foreign.reading import ForeignSentence

MISSING = "_"


def as_jsonl(sentences: Iterable[ForeignSentence]) -> bytes:
    """Return a file with one sentence a line: tokens, their places in the text, labels, the number of the document."""
    return "".join(json.dumps(_record(s), ensure_ascii=False) + "\n" for s in sentences).encode()


def _record(sentence: ForeignSentence) -> dict[str, object]:
    record: dict[str, object] = {"tokens": sentence.tokens, "offsets": sentence.offsets}
    labels = sentence.labels or sentence.draft
    if labels is not None:
        record["labels"] = [MISSING if label is None else label for label in labels]
    return record | {"document": sentence.document + 1}
