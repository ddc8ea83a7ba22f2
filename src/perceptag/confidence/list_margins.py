"""Margins of models that rank whole labellings and know no more: from their n-best lists.

What no labelling of a list does is at least as far behind as the last of the list, and that is taken for its margin.
"""

from __future__ import annotations

from collections.abc import Sequence

from perceptag.confidence.margins import LIMIT, Margins
from perceptag.labels.schemes import Span, spans

LENGTH = 50  # of the lists

Labellings = Sequence[tuple[Sequence[str], float]]  # of one sentence, with scores


def list_margins(labels: list[str], best: Labellings, scheme: str, complete: bool) -> Margins:
    """The margins of a sentence whose labels were chosen; `complete`: the list has all labellings there are."""
    floor = float("-inf") if complete or not best else min(score for _, score in best)
    tokens = [_margin([(y[t] == labels[t], score) for y, score in best], floor) for t in range(len(labels))]
    marked: list[tuple[Span, float]] = []
    if scheme != "none":
        listed = [(set(spans(y, scheme)), score) for y, score in best]
        marked = [
            (span, _margin([(span in found, score) for found, score in listed], floor))
            for span in spans(labels, scheme)
        ]
    return Margins(labels, tokens, marked)


def _margin(scores: Sequence[tuple[bool, float]], floor: float) -> float:
    """The best score of those that agree, less the best of the others."""
    mine = max((score for agrees, score in scores if agrees), default=floor)
    rival = max((score for agrees, score in scores if not agrees), default=floor)
    return max(-LIMIT, min(LIMIT, mine - rival)) if mine != rival else 0.0
