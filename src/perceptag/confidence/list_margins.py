"""Margins of models that only rank whole labellings, computed from their n-best lists.

A label that no labelling of the list has is at least as far behind as the last of the list, so that distance is taken
as the margin.
"""

from __future__ import annotations

from collections.abc import Sequence

from perceptag.confidence.margins import LIMIT, Margins
from perceptag.labels.schemes import Span, spans
from perceptag.numeric.arrays import cut, offsets

LENGTH = 50  # of the lists

Labellings = Sequence[tuple[Sequence[str], float]]  # of one sentence, with scores


def list_margins(labels: list[str], best: Labellings, scheme: str, complete: bool) -> Margins:
    """Return the margins of a sentence with the chosen `labels`. `complete`: the list has all possible labellings."""
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
    """Return the margins of sentences with the chosen `labels`, from the lists of their sequences.

    `lengths` holds the lengths of the sentences in each sequence, `lists` its `n` best labellings, or all there are.
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
    """Return the best score of those that agree minus the best score of the others."""
    mine = max((score for agrees, score in scores if agrees), default=floor)
    rival = max((score for agrees, score in scores if not agrees), default=floor)
    return max(-LIMIT, min(LIMIT, mine - rival)) if mine != rival else 0.0
