"""Confidence for every kind of model: the probability that a label or a span is right.

A model gives margins; its calibration, learned on held-out data, turns them into probabilities.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from perceptag.errors import SettingError
from perceptag.evaluation.reliability import Reliability, reliability
from perceptag.labels.schemes import Span
from perceptag.models import calibration
from perceptag.models.calibration import Calibration, judge, logistic
from perceptag.models.margins import Margins, PartScore
from perceptag.models.model import Model
from perceptag.text.documents import describe, split_documents
from perceptag.text.sentence import Sentence


class Confident(NamedTuple):
    """The labels of a sentence, with the probabilities of labels and spans."""

    labels: list[str]
    tokens: list[float]
    spans: list[tuple[Span, float]]

    def by_token(self) -> list[float]:
        """Return the confidence of each token: that of its span if it is in one, else that of its own label."""
        found = list(self.tokens)
        for span, confidence in self.spans:
            found[span.start : span.end] = [confidence] * (span.end - span.start)
        return found


def calibration_of(model: Model, margins_are_log_odds: bool) -> Calibration:
    """Return the calibration of a model; raise an error if it has none and its margins are not log-odds."""
    found = calibration.unpack(model)
    if found is not None:
        return found
    if margins_are_log_odds:
        return Calibration(logistic, logistic if model.label_set.outer != "none" else None)
    raise SettingError(
        "the model is not calibrated, so it cannot give confidence; train it with dev data (perceptag train --dev), "
        "or calibrate it in Python (Tagger.calibrate)"
    )


def with_confidence(known: Calibration, found: Sequence[Margins]) -> Iterator[Confident]:
    """Turn margins into probabilities, sentence by sentence."""
    for m in found:
        of_spans = known.spans([margin for _, margin in m.spans]) if known.spans else []
        confident = [(span, c) for (span, _), c in zip(m.spans, of_spans, strict=True)]
        yield Confident(m.labels, known.tokens(m.tokens), confident)


def with_part_confidence(
    known: Calibration | None, found: Sequence[Sequence[Sequence[PartScore]]]
) -> list[list[list[PartScore]]]:
    """Turn the margins of parts into probabilities, as those of whole labels; without a calibration, do not."""
    if known is None:
        return [[list(token) for token in sentence] for sentence in found]

    def confident(token: Sequence[PartScore]) -> list[PartScore]:
        found = known.tokens([part.margin for part in token])
        return [part._replace(confidence=confidence) for part, confidence in zip(token, found, strict=True)]

    return [[confident(token) for token in sentence] for sentence in found]


def calibrate(model: Model, found: Sequence[Margins], data: Sequence[Sentence]) -> Model:
    """Calibrate a model on held-out labelled sentences. `found`: their margins."""
    known = calibration.fit_calibration(found, model.label_set.gold(data), model.label_set.outer)
    return calibrated(model, known, data)


def calibrated(model: Model, known: Calibration, data: Sequence[Sentence]) -> Model:
    """Return the model with a calibration learned from `data`."""
    arrays = calibration.without_calibration(model.arrays) | calibration.pack(known)
    return dataclasses.replace(model, arrays=arrays, manifest={**model.manifest, "calibration": describe(data)})


def measure(known: Calibration, found: Sequence[Margins], gold: Sequence[Sequence[str]], scheme: str) -> Reliability:
    """Measure how reliable the confidence of spans is, or of tokens if labels do not mark spans."""
    judged = judge(found, gold, scheme)
    return reliability(what_has(scheme), known.main(judged.margins), judged.right)


def crossed(
    data: Sequence[Sentence], found: Sequence[Margins], gold: Sequence[Sequence[str]], scheme: str
) -> Reliability | None:
    """Estimate the quality of a calibration: calibrate on every other document, measure on the rest.

    This is done both ways, with both results in one table. None if there is only one document.
    """
    halves = halves_of(data)
    if not all(any(found[i].labels for i in half) for half in halves):
        return None
    confidences: list[float] = []
    right: list[bool] = []
    for mine, other in (halves, halves[::-1]):
        known = calibration.fit_calibration([found[i] for i in mine], [gold[i] for i in mine], scheme)
        judged = judge([found[i] for i in other], [gold[i] for i in other], scheme)
        confidences += known.main(judged.margins)
        right += judged.right
    return reliability(what_has(scheme), confidences, right)


def what_has(scheme: str) -> str:
    """Return the main unit of confidence: spans or tokens."""
    return "tokens" if scheme == "none" else "spans"


def halves_of(data: Sequence[Sentence]) -> tuple[list[int], list[int]]:
    """Split the numbers of the sentences by every other document; a sentence outside documents counts as one."""
    numbers = iter(range(len(data)))
    documents = [[next(numbers) for _ in document] for document in split_documents(data)]
    return [i for d in documents[::2] for i in d], [i for d in documents[1::2] for i in d]
