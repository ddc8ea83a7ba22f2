"""``/v1/explain`` and ``/v1/order``: why a sentence gets its labels, and in which order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from perceptag.models.explanation import Contribution, Explanation, TokenExplanation
from perceptag.pipeline.explaining import explain_document, with_rival
from perceptag.server.limits import Limits, check_steps, steps_of_explaining, steps_of_tagging
from perceptag.server.problems import HttpProblem
from perceptag.server.request_body import INPUT, Asked, BodyKey, as_one_document
from perceptag.text.sentence import Sentence

TOP = 20  # contributions that are listed for each token
_ONE = {name: key for name, key in INPUT.items() if name != "documents"} | {
    "sentence": BodyKey(int, "the number of a sentence, counted from 0", 0, lambda n: n >= 0),
}
ORDER_KEYS = _ONE
EXPLAIN_KEYS = _ONE | {
    "token": BodyKey(int, "the number of a token, counted from 0", None, lambda n: n >= 0),
    "rival": BodyKey(str, "a label to compare with that of the token", ""),
    "top": BodyKey(int, "a number from 0 on; 0: all", TOP, lambda n: n >= 0),
}


def check_explain(asked: Asked, keys: dict[str, Any], limits: Limits) -> int:
    """Refuse a sentence or token that is not there, or too much work; return how many steps it takes."""
    number, token = keys["sentence"], keys.get("token")
    if number >= len(asked.sentences):
        raise HttpProblem(422, f"sentence: expected a number below {len(asked.sentences)}, found {number}")
    if token is not None and token >= len(asked.sentences[number]):
        raise HttpProblem(422, f"token: expected a number below {len(asked.sentences[number])}, found {token}")
    if keys.get("rival") and token is None:
        raise HttpProblem(422, "rival: expected the number of a token too, found none")
    document = as_one_document(asked.sentences, limits)
    steps = steps_of_explaining(asked.opened.top.ready, document) + steps_of_tagging(asked.opened, document)
    check_steps(steps, limits)
    return steps


def explain_reply(asked: Asked, keys: dict[str, Any], limits: Limits) -> dict[str, Any]:
    """Explain one sentence of a document."""
    document, given, number = _document(asked, keys["sentence"], limits)
    token, rival = keys["token"], keys["rival"]
    layers = asked.opened.layers
    if rival:
        explained = with_rival(layers, document, given, (number, token), rival)
    else:
        explained = explain_document(layers, document, given)[number]
    return _about(asked, keys) | _explanation(explained, token, keys["top"])


def order_reply(asked: Asked, keys: dict[str, Any], limits: Limits) -> dict[str, Any]:
    """Show the order in which the tokens of a sentence are labelled; or of its document, if that is one sequence."""
    document, given, number = _document(asked, keys["sentence"], limits)
    ready = asked.opened.top.ready
    orders = ready.inference_orders(document) if given is None else ready.inference_orders_given(document, given)
    return _about(asked, keys) | orders[number if len(orders) == len(document) else 0].to_dict()


def _about(asked: Asked, keys: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = {"model": asked.served.to_dict(), "layer": asked.opened.top.name}
    if asked.offsets is not None:
        found |= {"tokenizer": asked.tokenizer, "offsets": asked.offsets[keys["sentence"]]}
    return found | {"sentence": keys["sentence"], "notes": asked.notes}


def _document(asked: Asked, number: int, limits: Limits) -> tuple[list[Sentence], Any, int]:
    """Return the sentences that matter for one of them, what is given of them, and its number among them."""
    document: Sequence[Sentence] = as_one_document(asked.sentences, limits)
    given = asked.given
    if not asked.opened.looks_at_documents():
        document, given, number = [document[number]], given and [given[number]], 0
    asked.opened.add_lower(document)
    return list(document), given, number


def _explanation(explained: Any, token: int | None, top: int) -> dict[str, Any]:
    if not isinstance(explained, Explanation):
        found: dict[str, Any] = explained.to_dict()  # a chunker explains phrases
        return found
    chosen = range(len(explained.tokens)) if token is None else [token]
    details = [_token(explained.details[t], t, top) for t in chosen]
    whole = [asdict(c) for c in explained.nonlocal_contributions]
    return {
        "tokens": explained.tokens,
        "labels": explained.labels,
        "score": explained.score,
        "details": details,
        "nonlocal_contributions": whole,
    }


def _contribution(c: Contribution) -> dict[str, Any]:
    return asdict(c) | {"meaning": c.in_words}


def _token(detail: TokenExplanation, position: int, top: int) -> dict[str, Any]:
    """Return one token, with the sums of what is not listed and of what is decided elsewhere, so that all adds up."""
    listed = [_contribution(c) for c in detail.contributions[: top or None]]
    rest = detail.contributions[len(listed) :]
    here = sum(c.weight - c.rival_weight for c in detail.contributions)
    return {
        "position": position,
        **{name: getattr(detail, name) for name in ("token", "label", "score", "rival", "rival_labels", "margin")},
        "contributions": listed,
        "rest": {
            "count": len(rest),
            "weight": sum(c.weight for c in rest),
            "rival_weight": sum(c.rival_weight for c in rest),
        },
        "elsewhere": None if detail.margin is None else detail.margin - here,
    }
