"""``/v1/tag``: what a pipeline says of sentences, as JSON values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from perceptag.arrays import cut, offsets
from perceptag.errors import brief
from perceptag.labels.schemes import spans, type_name
from perceptag.models.calibration import Calibration
from perceptag.models.confident import with_confidence
from perceptag.models.margins import Margins
from perceptag.models.protocol import ReadyModel
from perceptag.pipeline.layers import Layer
from perceptag.pipeline.span_dicts import spans_of_sentence
from perceptag.server.limits import Limits, check_reply, check_steps, steps_of_tagging
from perceptag.server.problems import HttpProblem, too_much
from perceptag.server.request_body import INPUT, Asked, BodyKey
from perceptag.tagging.confidence import withhold
from perceptag.text.sentence import Sentence

LABEL_BYTES = 4  # of the shortest label in a reply: "O",
WANTS = ("spans", "confidence", "margin", "nbest", "layers")
Found = list[dict[str, Any]]  # for each sentence

KEYS = {name: key for name, key in INPUT.items() if name != "tokens"} | {
    "want": BodyKey(list, f"a list of some of {', '.join(WANTS)}", (), lambda v: all(w in WANTS for w in v)),
    "n": BodyKey(int, "a number from 1 on", 1, lambda n: n >= 1),
    "min_confidence": BodyKey((int, float), "a number from 0 to 1", 0.0, lambda p: 0 <= p <= 1),
}


@dataclass(frozen=True, slots=True)
class ReplyOptions:
    """What is wanted of each sentence."""

    spans: bool = False
    confidence: bool = False
    margin: bool = False
    nbest: bool = False
    layers: bool = False
    n: int = 1
    min_confidence: float = 0.0


def read_wanted(keys: dict[str, Any], limits: Limits) -> ReplyOptions:
    """Return what a request wants."""
    if keys["n"] > limits.nbest:
        raise too_much("nbest", limits.nbest, keys["n"])
    return ReplyOptions(**dict.fromkeys(keys["want"], True), n=keys["n"], min_confidence=keys["min_confidence"])


def check_wanted(asked: Asked, wanted: ReplyOptions, limits: Limits) -> int:
    """Refuse what the model cannot do, or what takes too long; return how many steps it takes."""
    layer = asked.opened.top
    if wanted.spans and layer.scheme == "none":
        raise HttpProblem(409, f"spans: the labels of layer {layer.name!r} are not spans")
    if wanted.confidence or wanted.min_confidence:
        checked_calibration(layer)
    if asked.given is not None and (wanted.confidence or wanted.margin or wanted.nbest or wanted.min_confidence):
        raise HttpProblem(
            422, "given: labels that are given have no confidence, margins or lists; leave out the others"
        )
    steps = steps_of_tagging(asked.opened, asked.sentences, wanted.n if wanted.nbest else 1)
    check_steps(steps, limits)
    if wanted.nbest:
        check_reply(LABEL_BYTES * wanted.n * sum(map(len, asked.sentences)), limits)
    return steps


def tag_reply(asked: Asked, wanted: ReplyOptions, tagged: Found | None = None) -> dict[str, Any]:
    """Return the reply to a request, whose sentences may be tagged already."""
    reply: dict[str, Any] = {"model": asked.served.to_dict(), "layer": asked.opened.top.name}
    if asked.tokenizer:
        reply["tokenizer"] = asked.tokenizer
    return {**reply, "sentences": tag_sentences(asked, wanted) if tagged is None else tagged, "notes": asked.notes}


def tag_sentences(asked: Asked, wanted: ReplyOptions) -> Found:
    """Return what is wanted of each sentence."""
    opened, sentences = asked.opened, asked.sentences
    found: Found = [{"tokens": sentence.tokens if sentence.columns else []} for sentence in sentences]
    if asked.offsets is not None:
        _put(found, "offsets", asked.offsets)
    below = {layer.name: _of_lower_layer(layer, sentences, wanted) for layer in opened.layers[:-1]}
    for own, entry in zip(_of_top_layer(opened.top, sentences, asked.given, wanted), found, strict=True):
        entry.update(own)
    if wanted.layers:
        for i, entry in enumerate(found):
            entry["layers"] = {name: values[i] for name, values in below.items()}
    return found


def _of_lower_layer(layer: Layer, sentences: Sequence[Sentence], wanted: ReplyOptions) -> Found:
    """Put the labels of a layer into sentences, and return them with spans and confidence where it has them."""
    own = ReplyOptions(
        spans=layer.scheme != "none", confidence=wanted.confidence and wanted.layers and layer.calibration() is not None
    )
    found = _of_top_layer(layer, sentences, None, own)
    for sentence, entry in zip(sentences, found, strict=True):
        sentence.columns[layer.name] = entry["labels"]
    return found


def _of_top_layer(layer: Layer, sentences: Sequence[Sentence], given: Any, wanted: ReplyOptions) -> Found:
    ready = layer.ready
    found: Found = [{} for _ in sentences]
    if given is not None:
        _put(found, "labels", ready.tag_given(sentences, given))
    elif wanted.confidence or wanted.margin or wanted.min_confidence:
        _put_margins(found, layer, ready.margins(sentences), wanted)
    else:
        _put(found, "labels", ready.tag(sentences))
    if wanted.spans:
        for sentence, entry in zip(sentences, found, strict=True):
            rated = entry.get("spans", [(span, None) for span in spans(entry["labels"], layer.scheme)])
            sure = {(s.start, s.end, type_name(s.label)): c for s, c in rated}
            entry["spans"] = spans_of_sentence(sentence, layer, sure, sure)
    if wanted.nbest:
        _put(found, "nbest", lists_of(ready, sentences, wanted.n))
    return found


def _put(found: Found, name: str, values: Sequence[Any]) -> None:
    for entry, value in zip(found, values, strict=True):
        entry[name] = value


def _put_margins(found: Found, layer: Layer, margins: Sequence[Margins], wanted: ReplyOptions) -> None:
    if not wanted.confidence and not wanted.min_confidence:
        _put(found, "labels", [m.labels for m in margins])
    else:
        rated = with_confidence(checked_calibration(layer), margins)
        shown = [withhold(c, wanted.min_confidence, layer.scheme) for c in rated]
        _put(found, "labels", [s.labels for s in shown])
        if wanted.confidence:
            _put(found, "confidence", [s.tokens for s in shown])
        if wanted.spans and layer.scheme != "none":
            _put(found, "spans", [[(s, c if wanted.confidence else None) for s, c in one.spans] for one in shown])
    if wanted.margin:
        _put(found, "margin", [m.tokens for m in margins])


def checked_calibration(layer: Layer) -> Calibration:
    """Return the calibration of a layer that is asked for confidence; refuse one that has none."""
    if not layer.ready.has_margins:
        raise HttpProblem(409, f"confidence: layer {layer.name!r} has rules and no model, so it has no confidence")
    known = layer.calibration()
    if known is None:
        raise HttpProblem(409, f"confidence: layer {layer.name!r} is not calibrated; 'perceptag train --dev' does it")
    return known


def lists_of(ready: ReadyModel, sentences: Sequence[Sentence], n: int) -> list[Found]:
    """Return the n best labellings of each sentence; of a model that labels documents, its part of theirs."""
    found: list[Found] = []
    for sequence, best in zip(ready.reader.sequences(sentences), ready.nbest(sentences, n), strict=True):
        begin = offsets([len(sentence) for sentence in sequence])
        parts = [(cut(labels, begin), score) for labels, score in best]
        found += [[{"labels": labels[i], "score": score} for labels, score in parts] for i in range(len(sequence))]
    return found


def words_in(text: str, name: str) -> list[str]:
    """Return the words of a parameter such as ``spans,confidence``."""
    words = [word for word in text.split(",") if word]
    if any(word not in WANTS for word in words):
        raise HttpProblem(422, f"{name}: expected some of {', '.join(WANTS)}; found {brief(text)}")
    return words
