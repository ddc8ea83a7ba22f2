"""Labels that deserve a second look, as JSON values: what `perceptag.review` finds among the examples."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from perceptag.review.inconsistent import inconsistent
from perceptag.review.names import misspelt_labels
from perceptag.review.scheme import scheme_faults
from perceptag.review.suspects import TooLittleDataError, suspects
from perceptag.workbench.learning.messages import COLUMN, Example

LIMIT = 200
KINDS = ("errors", "inconsistent", "scheme", "labels")


def issues(examples: Sequence[Example], kind: str, between: Callable[[], None]) -> dict[str, Any]:
    """Return the issues of one kind; `between` is called between the steps of long work."""
    sentences, ids = [example.sentence() for example in examples], [example.text.id for example in examples]
    try:
        if kind == "errors":
            found = suspects(sentences, COLUMN, limit=LIMIT, progress=lambda *_: between())
            items = [_with_id(one.to_dict(), ids) for one in found.suspects]
        elif kind == "inconsistent":
            items = [_sides_with_ids(one.to_dict(), ids) for one in inconsistent(sentences, COLUMN, limit=LIMIT).groups]
        elif kind == "scheme":
            items = [_with_id(one.to_dict(), ids) for one in scheme_faults(sentences, COLUMN)[:LIMIT]]
        else:
            items = [_places_with_ids(one.to_dict(), ids) for one in misspelt_labels(sentences, COLUMN)[:LIMIT]]
    except TooLittleDataError as error:
        return {"kind": kind, "items": [], "reason": str(error)}
    return {"kind": kind, "items": items, "reason": ""}


def _with_id(item: dict[str, Any], ids: Sequence[int]) -> dict[str, Any]:
    return {"id": ids[item["sentence"]], **{key: value for key, value in item.items() if key != "sentence"}}


def _sides_with_ids(item: dict[str, Any], ids: Sequence[int]) -> dict[str, Any]:
    sides = [{**side, "examples": [_with_id(use, ids) for use in side["examples"]]} for side in item["sides"]]
    return {**item, "sides": sides}


def _places_with_ids(item: dict[str, Any], ids: Sequence[int]) -> dict[str, Any]:
    return {**item, "places": [{"id": ids[i], "token": t} for i, t in item["places"]]}
