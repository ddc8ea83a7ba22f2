"""Margins of models that rank whole labellings and know no more: from their n-best lists.

What no labelling of a list does is at least as far behind as the last of the list, and that is taken for its margin.
"""

from __future__ import annotations

from collections.abc import Sequence

from perceptag.confidence.margins import LIMIT, Margins
from perceptag.labels.schemes import Span, spans
from perceptag.numeric.arrays import cut, offsets

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


def margins_of_lists(
    lengths: Sequence[Sequence[int]],
    labels: Sequence[list[str]],
    lists: Sequence[Labellings],
    scheme: str,
    n: int = LENGTH,
) -> list[Margins]:
    """The margins of sentences whose labels were chosen, from the lists of their sequences.

    `lengths` are those of the sentences of each sequence, `lists` its `n` best labellings, or all there are.
    """
    chosen = iter(labels)
    found = []
    for sequence, best in zip(lengths, lists, strict=True):
        begin = offsets(sequence)
        parts = [(cut(list(y), begin), score) for y, score in best]
        for i in range(len(sequence)):
            mine = [(y[i], score) for y, score in parts]
            found.append(list_margins(next(chosen), mine, scheme, complete=len(best) < n))
    return found


def _margin(scores: Sequence[tuple[bool, float]], floor: float) -> float:
    """The best score of those that agree, less the best of the others."""
    mine = max((score for agrees, score in scores if agrees), default=floor)
    rival = max((score for agrees, score in scores if not agrees), default=floor)
    return max(-LIMIT, min(LIMIT, mine - rival)) if mine != rival else 0.0
