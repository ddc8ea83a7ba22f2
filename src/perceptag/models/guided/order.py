"""The order in which a search labels a sequence, recorded step by step."""

from __future__ import annotations

from collections.abc import Sequence

from perceptag import _core
from perceptag.errors import DataError
from perceptag.models.explanation import LONGEST_COMPARED
from perceptag.models.inference_order import Choice, InferenceOrder, InferenceStep


def follow(search: _core.GuidedSearch, x: _core.Sequence) -> list[_core.Action]:
    """Run a search to its end; the actions that gave the labels, from left to right."""
    search.start(x)
    last = -1
    while (token := search.choose()) >= 0:
        search.accept(token)
        last = token
    return sorted(search.actions(last), key=lambda a: a.token) if last >= 0 else []


def note_steps(
    search: _core.GuidedSearch, x: _core.Sequence, tokens: Sequence[str], names: Sequence[str]
) -> InferenceOrder:
    """The same, with a record of every step; `names` are the names of the labels.

    A step has all spans and choices of its moment, so all steps take time and room that grow with the square of the
    length: longer sequences than `LONGEST_COMPARED` are refused.
    """
    if len(tokens) > LONGEST_COMPARED:
        raise DataError(
            f"order of inference: expected a sequence of at most {LONGEST_COMPARED:,} tokens, found {len(tokens):,}"
        )

    def choice(position: int) -> Choice:
        action = search.top_action(position)
        return Choice(position, tokens[position], names[action.label], action.score)

    search.start(x)
    steps = []
    while (position := search.choose()) >= 0:
        chosen = choice(position)
        others = [choice(other) for other in search.candidates() if other != position]
        runner_up = max(others, key=lambda c: (c.score, -c.position), default=None)
        search.accept(position)
        spans = tuple((first, last + 1) for first, last in search.accepted())
        steps.append(InferenceStep(position, chosen.token, chosen.label, chosen.score, spans, runner_up))
    found = {a.token: names[a.label] for a in search.actions(steps[-1].position)} if steps else {}
    return InferenceOrder(tuple(tokens), tuple(found[t] for t in range(len(tokens))), tuple(steps))
