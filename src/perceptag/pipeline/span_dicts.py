"""Spans as dictionaries: the same in JSON lines, from Python, in tables and over HTTP."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from perceptag.text.text_layout import TextLayout
from perceptag.text.word_spacing import offsets_of, spaces_after, text_of

if TYPE_CHECKING:
    from perceptag.pipeline.layers import Layer
    from perceptag.text.sentence import Sentence

Marked = tuple[int, int, str]  # the first word, the word after the last, the label
SPAN = {
    "layer": str,
    "label": str,
    "start": int,  # the number of the first word in its sentence
    "end": int,  # that of the word after the last
    "start_char": int,  # the same in characters of the text, if that is known
    "end_char": int,
    "text": str,
    "confidence": float,  # of calibrated layers
    "value": str,  # of rules
}


def span_dict(values: Iterable[Any]) -> dict[str, Any]:
    """Return a span as a dictionary; `values` are those of `SPAN`, and None is left out."""
    return {name: value for name, value in zip(SPAN, values, strict=True) if value is not None}


def spans_of_sentence(
    sentence: Sentence, layer: Layer, marked: Iterable[Marked], sure: Mapping[Marked, float | None]
) -> list[dict[str, Any]]:
    """Return spans of a layer; `sure` has the confidence of those for which it is known."""
    listed = list(marked)
    if not listed:
        return []
    places, text = _text(sentence)
    values, spaces = layer.ready.values_of(sentence), spaces_after(sentence)
    found = []
    for start, end, label in listed:
        key = (start, end, label)
        where: tuple[int | None, int | None, str]
        if places and isinstance(text, str):
            a, b = places[start][0], places[end - 1][1]
            where = a, b, text[a - places[0][0] : b - places[0][0]]
        else:
            where = None, None, text_of(sentence, start, end, spaces)
        found.append(span_dict((layer.name, label, start, end, *where, sure.get(key), values.get(key))))
    return found


def _text(sentence: Sentence) -> tuple[list[tuple[int, int]], Any]:
    """Return the places of the words, and the text of the sentence, if they are known."""
    if isinstance(sentence.layout, TextLayout):
        return sentence.layout.places(), sentence.layout.text
    record = getattr(sentence.layout, "record", None) or {}
    return offsets_of(sentence), record.get("text")
