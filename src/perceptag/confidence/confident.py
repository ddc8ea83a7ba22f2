"""Confidence for every kind of model: the probability that a label, or a span, is right.

A model gives margins; its calibration, learned on held-out data, makes probabilities of them.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import NamedTuple

from perceptag.confidence import calibration
from perceptag.confidence.calibration import Calibration, judge, logistic
from perceptag.confidence.list_margins import LENGTH, list_margins
from perceptag.confidence.margins import Margins
from perceptag.corpus.dataset import batches
from perceptag.corpus.digest import describe
from perceptag.errors import SettingError
from perceptag.evaluation.reliability import Reliability, reliability
from perceptag.labels.schemes import Span
from perceptag.learn.learners import PROBABILISTIC
from perceptag.models.protocol import Compiled, HasMargins
from perceptag.numeric.arrays import cut, offsets
from perceptag.store.model import Model
from perceptag.text.documents import split_documents
from perceptag.text.sentence import Sentence

BATCH = 10_000  # tokens


class Confident(NamedTuple):
    """The labels of a sentence with the probabilities that they, and the spans that they mark, are right."""

    labels: list[str]
    tokens: list[float]
    spans: list[tuple[Span, float]]

    def by_token(self) -> list[float]:
        """That of the span where a token is in one, else that of its own label."""
        found = list(self.tokens)
        for span, confidence in self.spans:
            found[span.start : span.end] = [confidence] * (span.end - span.start)
        return found


def find_margins(model: Model, compiled: Compiled, sentences: Sequence[Sentence], threads: int = 1) -> list[Margins]:
    """The labels of each sentence, and by how much they win: as the model knows it, or as its n-best lists tell."""
    find = _finder(model, compiled)
    return [margins for batch in batches(sentences, BATCH) for margins in find(batch, threads)]


def _finder(model: Model, compiled: Compiled) -> Callable[[Sequence[Sentence], int], list[Margins]]:
    if model.recipe.learner in PROBABILISTIC:
        from perceptag.models.linear.marginal_margins import marginal_margins
        from perceptag.models.linear.tagger import LinearTagger  # see perceptag.compiled

        if isinstance(compiled, LinearTagger):
            return partial(marginal_margins, compiled)
    return compiled.margins if isinstance(compiled, HasMargins) else partial(_from_lists, model, compiled)


def _from_lists(model: Model, compiled: Compiled, sentences: Sequence[Sentence], threads: int) -> list[Margins]:
    lists = compiled.nbest(sentences, LENGTH, threads)
    documents = len(lists) != len(sentences)  # a sequence is a sentence or a document
    labels = iter(compiled.tag(sentences, threads))
    found = []
    for sequence, best in zip(
        split_documents(sentences) if documents else ([s] for s in sentences), lists, strict=True
    ):
        begin = offsets([len(s) for s in sequence])
        parts = [(cut(list(y), begin), score) for y, score in best]
        for i in range(len(sequence)):
            mine = [(y[i], score) for y, score in parts]
            found.append(list_margins(next(labels), mine, model.label_set.outer, complete=len(best) < LENGTH))
    return found


def calibration_of(model: Model) -> Calibration:
    """What the margins of a model are worth; if it has neither calibration nor probabilities of its own, an error."""
    found = calibration.unpack(model)
    if found is not None:
        return found
    if model.recipe.learner in PROBABILISTIC:
        return Calibration(logistic, logistic if model.label_set.outer != "none" else None)
    raise SettingError(
        "the model is not calibrated, so it has no confidence to give; train with dev data, or calibrate it on "
        "labelled data: perceptag calibrate --model MODEL DATA --output NEW (in Python: Tagger.calibrate)"
    )


def with_confidence(known: Calibration, found: Sequence[Margins]) -> Iterator[Confident]:
    """Probabilities in place of margins, sentence by sentence."""
    for m in found:
        of_spans = known.spans([margin for _, margin in m.spans]) if known.spans else []
        confident = [(span, c) for (span, _), c in zip(m.spans, of_spans, strict=True)]
        yield Confident(m.labels, known.tokens(m.tokens), confident)


def calibrate(model: Model, compiled: Compiled, data: Sequence[Sentence], threads: int = 1) -> Model:
    """The same model, calibrated on labelled sentences that it was not trained on."""
    gold = [model.label_set.gold(s) for s in data]
    known = calibration.fit_calibration(find_margins(model, compiled, data, threads), gold, model.label_set.outer)
    return calibrated(model, known, data)


def calibrated(model: Model, known: Calibration, data: Sequence[Sentence]) -> Model:
    """The same model with a calibration, which was learned from `data`."""
    arrays = calibration.without_calibration(model.arrays) | calibration.pack(known)
    return dataclasses.replace(model, arrays=arrays, manifest={**model.manifest, "calibration": describe(data)})


def measure(known: Calibration, found: Sequence[Margins], gold: Sequence[Sequence[str]], scheme: str) -> Reliability:
    """Whether the confidence of spans is right, or of tokens where labels are no spans."""
    judged = judge(found, gold, scheme)
    return reliability(what_has(scheme), known.main(judged.margins), judged.right)


def crossed(
    data: Sequence[Sentence], found: Sequence[Margins], gold: Sequence[Sequence[str]], scheme: str
) -> Reliability | None:
    """What to expect of a calibration on all of the data: calibrate on every other document, measure on the rest.

    Both ways, and both together in one table. None if there is only one document.
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
    """What confidence is mainly about."""
    return "tokens" if scheme == "none" else "spans"


def halves_of(data: Sequence[Sentence]) -> tuple[list[int], list[int]]:
    """The numbers of the sentences of every other document; a sentence without document stands for itself."""
    numbers = iter(range(len(data)))
    documents = [[next(numbers) for _ in document] for document in split_documents(data)]
    return [i for d in documents[::2] for i in d], [i for d in documents[1::2] for i in d]
