"""Explain why a model prefers another label to the given one: the features that differ most."""

from __future__ import annotations

from collections.abc import Sequence

from perceptag.errors import DataError
from perceptag.models.explanation import Contribution, Explained, Explanation
from perceptag.models.protocol import ReadyModel
from perceptag.review.data import LabelledData

MOST = 3  # features for each side
_EVERYWHERE = "bias"  # a feature that every token has explains nothing


def contributions(
    model: ReadyModel, data: LabelledData, place: int, given: Sequence[str | None], token: int
) -> tuple[Contribution, ...]:
    """Return what each feature gives to the given label of a token, and to what the model likes best instead.

    If the model has never seen one of the given labels, its own label is compared with the next best one, which then
    stands in for the given one. Empty if the model cannot explain.
    """
    document, number = data.document(place) if model.looks_at_documents() else ([data.sentences[place]], 0)
    labels: list[Sequence[str | None]] = [[None] * len(sentence) for sentence in document]
    labels[number] = given
    if "explain-given" not in model.offers:
        return ()
    try:
        return _of_token(model.explain_given(document, labels)[number], token)
    except DataError:
        found = _of_token(model.explain(document)[number], token)
        return tuple(Contribution(c.feature, c.rival_weight, c.weight) for c in found)


def _of_token(found: Explained, token: int) -> tuple[Contribution, ...]:
    return found.details[token].contributions if isinstance(found, Explanation) else ()


def strongest(found: Sequence[Contribution], sign: int) -> tuple[Contribution, ...]:
    """Return the features that speak most for the given label (`sign` = 1) or for the other one (-1)."""
    telling = [c for c in found if c.feature != _EVERYWHERE and sign * (c.weight - c.rival_weight) > 0]
    return tuple(sorted(telling, key=lambda c: sign * (c.rival_weight - c.weight))[:MOST])
