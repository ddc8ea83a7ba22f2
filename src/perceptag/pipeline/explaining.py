"""Explain labels: the one way below `perceptag explain`, ``/v1/explain`` and `Document.explain`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from perceptag.errors import DataError
from perceptag.labels.given import Given, GivenLabels
from perceptag.labels.label_set import LabelSet
from perceptag.models.explanation import TOP, Contribution, Explained, Explanation, TokenExplanation
from perceptag.pipeline.layers import Layer, explaining
from perceptag.text.documents import iter_documents
from perceptag.text.sentence import Sentence


@dataclass(frozen=True, repr=False)
class Why:
    """The reasons for the labels of sentences, or of one token of a single sentence; notebooks draw them."""

    explanations: tuple[Explained, ...]
    token: int | None = None  # counted from 1

    def render(self, *, top: int = TOP, raw: bool = False) -> str:
        """Return the text that `perceptag explain` prints."""
        return "\n".join(one.render(self.token, top=top, raw=raw) for one in self.explanations)

    def __repr__(self) -> str:
        return self.render()

    def _repr_html_(self) -> str:
        return "".join(one.html(self.token) for one in self.explanations)


def explain_document(
    layers: Sequence[Layer],
    document: Sequence[Sentence],
    given: Sequence[Given] | None = None,
    *,
    argument: str = "layer",
) -> Sequence[Explained]:
    """Explain the sentences of a document, which have the labels of the lower layers, by the last layer.

    `given`: labels that are kept. `argument`: what chooses a layer, for errors.
    """
    ready = explaining(layers, argument)
    return ready.explain(document) if given is None else ready.explain_given(document, given)


def with_rival(
    layers: Sequence[Layer],
    document: Sequence[Sentence],
    given: Sequence[Given] | None,
    place: tuple[int, int],
    rival: str,
) -> Explained:
    """Explain the sentence of a token, by the numbers of both, next to a label of the token that is no best rival."""
    number, token = place
    explained = explain_document(layers, document, given)
    written = _as_written(layers[-1].ready.model.label_set, explained[number], token, rival)
    if not written:
        return explained[number]
    marks = [list(one) for one in given or [[None] * len(sentence) for sentence in document]]
    marks[number][token] = written
    return _compared(explained, explain_document(layers, document, marks), number, token)


def find_sentence(sentences: Iterable[Sentence], number: int, source: str) -> tuple[list[Sentence], int]:
    """Return the document that contains sentence `number`, counted from 1, and its place there, counted from 0."""
    before = 0
    for document in iter_documents(sentences):
        if number <= before + len(document):
            return document, number - before - 1
        before += len(document)
    raise DataError(f"there is no sentence number {number}, only {before}", where=source)


def _as_written(label_set: LabelSet, explained: Any, token: int, rival: str) -> str:
    """Return a rival as the data writes it. Details have labels of the model; their own rival needs no comparison."""
    is_inner = rival in label_set.names and not GivenLabels(label_set, constrained=False).agreeing(rival)
    if not is_inner or not isinstance(explained, Explanation):
        return rival
    if rival == explained.details[token].rival:
        return ""
    labels = [detail.label for detail in explained.details]
    return label_set.to_outer([*labels[:token], rival, *labels[token + 1 :]])[token]


def _compared(ours: Sequence[Any], theirs: Sequence[Any], number: int, token: int) -> Explanation:
    """Explain a token next to the best labelling that has another label there, in place of the best rival."""
    mine, other = ours[number].details[token], theirs[number].details[token]
    weights, rivals = _weights(mine), _weights(other)
    said = {c.feature: c.meaning for c in (*mine.contributions, *other.contributions)}
    listed = [Contribution(f, weights.get(f, 0.0), rivals.get(f, 0.0), meaning) for f, meaning in said.items()]
    listed = [c for c in listed if c.weight or c.rival_weight]
    listed.sort(key=lambda c: -abs(c.weight - c.rival_weight))
    labels = tuple(detail.label for detail in theirs[number].details)
    margin = sum(e.score for e in ours) - sum(e.score for e in theirs)
    found = replace(mine, rival=other.label, rival_labels=labels, margin=margin, contributions=tuple(listed))
    details = list(ours[number].details)
    details[token] = found
    explanation: Explanation = replace(ours[number], details=tuple(details))
    return explanation


def _weights(detail: TokenExplanation) -> dict[str, float]:
    """Return what each feature gives to the label of a token."""
    found: dict[str, float] = {}
    for c in detail.contributions:
        found[c.feature] = found.get(c.feature, 0.0) + c.weight
    return found
