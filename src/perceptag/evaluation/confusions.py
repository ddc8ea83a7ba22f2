"""Which labels are confused with which."""

from __future__ import annotations

from collections import Counter

from perceptag.evaluation.chunks import Corpus
from perceptag.evaluation.scoring import check_pair
from perceptag.numeric.scalars import whole_number


def top_confusions(gold: Corpus, predicted: Corpus, n: int = 10) -> list[tuple[str, str, int]]:
    """Return the `n` most frequent (gold label, predicted label, times) of wrongly labelled tokens.

    >>> top_confusions([["NN", "VB", "NN"]], [["VB", "VB", "VB"]])
    [('NN', 'VB', 2)]
    """
    n = whole_number("n", n, 0)
    check_pair(gold, predicted)
    pairs: Counter[tuple[str, str]] = Counter()
    for gs, ps in zip(gold, predicted, strict=True):
        pairs.update(zip(gs, ps, strict=True))
    wrong = [(g, p, times) for (g, p), times in pairs.items() if g != p]
    return sorted(wrong, key=lambda row: (-row[2], row))[:n]
