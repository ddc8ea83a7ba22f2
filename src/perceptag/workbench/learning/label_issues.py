"""Labels that deserve a second look, as JSON values: what `perceptag.inspecting` finds among the examples."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from perceptag.inspecting.inconsistent import inconsistent
from perceptag.inspecting.labelled import scheme_faults
from perceptag.inspecting.suspects import Suspect, TooLittleDataError, suspects
from perceptag.labels.label_names import misspelt_labels
from perceptag.workbench.learning.messages import COLUMN, Example

LIMIT = 200
LIKELY = 0.3  # how sure the model must be at least, where that is known
FEWEST_LISTED = 5
KINDS = ("errors", "inconsistent", "scheme", "labels")


def issues(examples: Sequence[Example], kind: str, between: Callable[[], None]) -> dict[str, Any]:
    """Return the issues of one kind; `between` is called between the steps of long work."""
    sentences, ids = [example.sentence() for example in examples], [example.text.id for example in examples]
    try:
        if kind == "errors":
            found = suspects(sentences, COLUMN, limit=LIMIT, progress=lambda *_: between())
            listed = worth_a_look(found.suspects, len(sentences))
            items = [_with_id(one.to_dict(), ids) for one in listed]
            return {"kind": kind, "items": items, "reason": "", "weaker": found.total - len(items)}
        if kind == "inconsistent":
            items = [_sides_with_ids(one.to_dict(), ids) for one in inconsistent(sentences, COLUMN, limit=LIMIT).groups]
        elif kind == "scheme":
            items = [_with_id(one.to_dict(), ids) for one in scheme_faults(sentences, COLUMN)[:LIMIT]]
        else:
            items = [_places_with_ids(one.to_dict(), ids) for one in misspelt_labels(sentences, COLUMN)[:LIMIT]]
    except TooLittleDataError as error:
        return {"kind": kind, "items": [], "reason": str(error)}
    return {"kind": kind, "items": items, "reason": ""}


def worth_a_look(found: Sequence[Suspect], sentences: int) -> list[Suspect]:
    """Return the first doubts: one for every eight sentences, without those in which the model is hardly ever right.

    A model of few sentences doubts nearly everything, and a list of all that teaches to ignore it.
    """
    likely = [one for one in found if one.confidence is None or one.confidence >= LIKELY]
    return likely[: max(FEWEST_LISTED, sentences // 8)]


def _with_id(item: dict[str, Any], ids: Sequence[int]) -> dict[str, Any]:
    return {"id": ids[item["sentence"]], **{key: value for key, value in item.items() if key != "sentence"}}


def _sides_with_ids(item: dict[str, Any], ids: Sequence[int]) -> dict[str, Any]:
    sides = [{**side, "examples": [_with_id(use, ids) for use in side["examples"]]} for side in item["sides"]]
    return {**item, "sides": sides}


def _places_with_ids(item: dict[str, Any], ids: Sequence[int]) -> dict[str, Any]:
    return {**item, "places": [{"id": ids[i], "token": t} for i, t in item["places"]]}
