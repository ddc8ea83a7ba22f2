"""Why a model prefers another label to the one that is given: the features that differ most."""

from __future__ import annotations

from collections.abc import Sequence

from perceptag.errors import DataError, NotOfferedError
from perceptag.models.explanation import Contribution, Explanation
from perceptag.models.protocol import ReadyModel
from perceptag.review.data import Labelled

MOST = 3  # features for each side


def contributions(
    model: ReadyModel, data: Labelled, place: int, given: Sequence[str | None], token: int
) -> tuple[Contribution, ...]:
    """Return what each feature gives to the given label of a token, and to what the model likes best instead.

    Empty if the model cannot explain, or has never seen one of the given labels.
    """
    document, number = data.document(place) if model.looks_at_documents() else ([data.sentences[place]], 0)
    labels: list[Sequence[str | None]] = [[None] * len(sentence) for sentence in document]
    labels[number] = given
    try:
        found = model.explain_given(document, labels)[number]
    except (DataError, NotOfferedError):
        return ()
    return found.details[token].contributions if isinstance(found, Explanation) else ()


def strongest(found: Sequence[Contribution], sign: int) -> tuple[Contribution, ...]:
    """Return the features that speak most for the given label (`sign` = 1) or for the other one (-1)."""
    ranked = sorted(found, key=lambda c: sign * (c.rival_weight - c.weight))
    return tuple(c for c in ranked[:MOST] if sign * (c.weight - c.rival_weight) > 0)
