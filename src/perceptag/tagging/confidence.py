"""Write confidence to a file.

    columns  one more column at the end
    conllu   ``Confidence=0.9731`` in the column misc
    jsonl    ``"confidence": [0.9731, …]``, and for spans ``"spans": [{"start": 0, "end": 2, "label": "PER",
             "confidence": 0.9731}, …]``, both ends counted in tokens and `end` not included

A token in a span has the confidence of the span; any other token has that of its own label. What is below the least
confidence that the user accepts is withheld: a span becomes O, the label of a token becomes ``_``. A withheld label has
no confidence: columns have ``_``, CoNLL-U has nothing, and JSON has null.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from perceptag.labels.schemes import Span, spans_to_labels, type_name
from perceptag.models.calibration import Calibration
from perceptag.models.confident import Confident, with_confidence
from perceptag.models.margins import Margins
from perceptag.text import Sentence
from perceptag.text.format import Format
from perceptag.text.sentence import LabelColumn

COLUMN, NOTHING = "confidence", "_"


@dataclass(frozen=True, slots=True)
class Shown:
    """The labels of a sentence that are shown, and their confidence; None for a label that was withheld."""

    labels: list[str]
    tokens: list[float | None]
    spans: list[tuple[Span, float]]


def withhold(confident: Confident, least: float, scheme: str) -> Shown:
    """Withhold what has less confidence than `least`."""
    by_token: list[float | None] = list(confident.by_token())
    if scheme == "none":
        tokens = [c if c is not None and c >= least else None for c in by_token]
        return Shown([NOTHING if c is None else y for y, c in zip(confident.labels, tokens, strict=True)], tokens, [])
    kept = [(span, c) for span, c in confident.spans if c >= least]
    if len(kept) == len(confident.spans):
        return Shown(confident.labels, by_token, kept)
    for span, c in confident.spans:
        if c < least:
            by_token[span.start : span.end] = [None] * (span.end - span.start)
    return Shown(spans_to_labels([span for span, _ in kept], len(by_token), scheme), by_token, kept)


@dataclass(frozen=True, slots=True)
class ConfidenceWriter:
    """Adds labels and confidence to sentences that are to be written in some format."""

    known: Calibration
    scheme: str
    format_: Format
    show: bool  # write the confidence, not only the labels
    least: float
    labels: LabelColumn

    def labelled(self, sentences: Sequence[Sentence], found: Sequence[Margins]) -> list[Sentence]:
        """The sentences of a batch with labels, and with confidence if it is shown."""
        confident = with_confidence(self.known, found)
        return [self._one(s, withhold(c, self.least, self.scheme)) for s, c in zip(sentences, confident, strict=True)]

    def _one(self, sentence: Sentence, brief: Shown) -> Sentence:
        labelled = self.labels.add(sentence, brief.labels)
        if not self.show:
            return labelled
        if self.format_.with_entry:
            return self._entries(labelled, brief, self.format_.with_entry)
        return self.format_.with_values(labelled, COLUMN, [None if c is None else f"{c:.4f}" for c in brief.tokens])

    def _entries(self, sentence: Sentence, brief: Shown, add: Callable[[Sentence, str, object], Sentence]) -> Sentence:
        with_tokens = add(sentence, COLUMN, [None if c is None else round(c, 4) for c in brief.tokens])
        if self.scheme == "none":
            return with_tokens
        listed = [
            {"start": s.start, "end": s.end, "label": type_name(s.label), "confidence": round(c, 4)}
            for s, c in brief.spans
        ]
        return add(with_tokens, "spans", listed)
