"""Convert character spans to token labels. A span that does not fit is an error and is never moved.

White space at the ends of a span is not part of any token, so it does not matter.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field

from perceptag.errors import brief
from perceptag.foreign.texts import EMPTY, OPEN, WHOLE, AnnotatorSpans, CharacterSpan, ForeignToken
from perceptag.labels.schemes import Span, spans_to_labels
from perceptag.system.plural import plural

Sentence = Sequence[ForeignToken]
Labels = list[str]
Draft = list["str | None"]


@dataclass(slots=True)
class Fitted:
    """The labels or the draft of each sentence of a text, from the spans of one person."""

    labels: list[Labels | None] = field(default_factory=list)
    drafts: list[Draft | None] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)


def fit(text: str, sentences: Sequence[Sentence], reading: AnnotatorSpans) -> Fitted:
    """Fit the spans of a text to its sentences."""
    found = Fitted()
    places: list[list[Span]] = [[] for _ in sentences]
    spoilt = [False] * len(sentences)
    faults = {span: _fault(text, span) for span in reading.spans}
    faults |= _overlaps([span for span, fault in faults.items() if not fault])
    tokens = _Tokens(sentences)
    for span, fault in faults.items():
        inside = None if fault else tokens.of(span, text)
        if isinstance(inside, tuple):
            number, place = inside
            places[number].append(place)
            continue
        found.faults.append(f"{_shown(text, span)}: {fault or inside}")
        for number, sentence in enumerate(sentences):
            spoilt[number] |= _touches(span, sentence, len(text))
    for sentence, own, bad in zip(sentences, places, spoilt, strict=True):
        labels = spans_to_labels(own, len(sentence), "IOB2")
        whole = reading.said == WHOLE and not bad
        found.labels.append(labels if whole else None)
        found.drafts.append(_draft(labels) if not whole and reading.said not in (OPEN, EMPTY) and own else None)
    return found


def _draft(labels: Labels) -> Draft:
    """Return only what is known: tokens outside spans may be in others."""
    return [None if label == "O" else label for label in labels]


def _fault(text: str, span: CharacterSpan) -> str:
    """Describe a fault of a span that does not depend on tokens, or return an empty string."""
    if not 0 <= span.start <= span.end <= len(text):
        return f"outside the text, which has {plural(len(text), 'character')}"
    if not text[span.start : span.end].strip():
        return "without a word"
    if not span.label:
        return "without a label"
    if span.fault:
        return span.fault
    if span.text is not None and span.text != text[span.start : span.end]:
        return f"the file says that it is {brief(span.text)}"
    return ""


def _overlaps(found: Sequence[CharacterSpan]) -> dict[CharacterSpan, str]:
    """Return for each overlapping span the one it overlaps."""
    faults: dict[CharacterSpan, str] = {}
    furthest: CharacterSpan | None = None  # of the spans so far
    for span in sorted(found, key=lambda s: (s.start, s.end)):
        if furthest and span.start < furthest.end:
            faults[span] = _of_other(furthest)
            faults.setdefault(furthest, _of_other(span))
        if furthest is None or span.end > furthest.end:
            furthest = span
    return faults


def _of_other(other: CharacterSpan) -> str:
    return f"overlaps {other.start} to {other.end}, {other.label}"


class _Tokens:
    """The tokens of all sentences of a text, by their places."""

    def __init__(self, sentences: Sequence[Sentence]) -> None:
        self.pieces = [(n, t, piece) for n, sentence in enumerate(sentences) for t, piece in enumerate(sentence)]
        self.starts = [piece.start for _, _, piece in self.pieces]
        self.ends = [piece.end for _, _, piece in self.pieces]

    def of(self, span: CharacterSpan, text: str) -> tuple[int, Span] | str:
        """Return the sentence of a span and its tokens there, or what is wrong."""
        words = text[span.start : span.end]
        start, end = span.start + len(words) - len(words.lstrip()), span.end - len(words) + len(words.rstrip())
        touched = self.pieces[bisect_right(self.ends, start) : bisect_left(self.starts, end)]
        if not touched:
            return "without a token"
        (number, first, begins), (last_number, last, ends) = touched[0], touched[-1]
        if number != last_number:
            return "in more than one sentence"
        if begins.start != start:
            return f"begins inside the token {brief(begins.text)}"
        if ends.end != end:
            return f"ends inside the token {brief(ends.text)}"
        return number, Span(first, last + 1, span.label)


def _touches(span: CharacterSpan, sentence: Sentence, length: int) -> bool:
    """Return whether a faulty span concerns a sentence; one outside the text concerns all."""
    if not 0 <= span.start <= span.end <= length or not sentence:
        return True
    return sentence[0].start < max(span.end, span.start + 1) and span.start < sentence[-1].end


def _shown(text: str, span: CharacterSpan) -> str:
    return f"span {span.start} to {span.end}, {span.label or 'no label'}, {brief(text[max(0, span.start) : span.end])}"
