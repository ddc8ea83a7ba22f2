"""What is drawn with replacement for an interval: documents where the data marks them, sentences elsewhere.

The words of a document are alike, so sentences drawn one by one would make an interval too narrow. Differences of two
systems are drawn twice over: training orders, and documents or sentences.

    rows: int64[orders, units, K]    totals = sum over drawn orders and units
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from perceptag.evaluation.comparison import count_rows
from perceptag.evaluation.scoring import Score, bootstrap_interval
from perceptag.numeric.arrays import Floats, Longs
from perceptag.text import Sentence

ROUNDS = 1000
Labels = Sequence[Sequence[str]]


def unit_starts(sentences: Sequence[Sentence]) -> list[int]:
    """Return the first sentence of every unit: of documents, or all sentences if there is only one document."""
    starts = [i for i, s in enumerate(sentences) if i == 0 or s.starts_document]
    return starts if len(starts) > 1 else list(range(len(sentences)))


def score_interval(gold: Labels, predicted: Labels, starts: Sequence[int]) -> tuple[float, float]:
    """Return the 95 % interval of the score of one labelling."""
    rows, score = count_rows(_lists(gold), _lists(predicted))
    return bootstrap_interval(_by_unit(rows, starts), score, ROUNDS, 0)


def difference(
    gold: Labels, better: Sequence[Labels], worse: Sequence[Labels], starts: Sequence[int]
) -> tuple[float, float, float]:
    """Return the difference of two systems, each with a labelling for each order, and its 95 % interval."""
    orders = max(len(better), len(worse))
    (ours, score), (others, _) = (_all_rows(gold, side, starts, orders) for side in (better, worse))
    both = np.concatenate([ours, others], axis=2)
    width = ours.shape[2]

    def gain(totals: Longs) -> Floats:
        return np.asarray(score(totals[..., :width]) - score(totals[..., width:]))

    rng = np.random.default_rng(0)
    units = both.shape[1]
    drawn_units = rng.multinomial(units, np.full(units, 1 / units), size=ROUNDS)
    drawn_orders = rng.multinomial(orders, np.full(orders, 1 / orders), size=ROUNDS)
    by_order = np.stack([drawn_units @ rows for rows in both], axis=1)
    low, high = np.percentile(gain((drawn_orders[:, :, None] * by_order).sum(axis=1)), [2.5, 97.5]).tolist()
    return float(gain(both.sum(axis=(0, 1)))), low, high


def _all_rows(gold: Labels, side: Sequence[Labels], starts: Sequence[int], orders: int) -> tuple[Longs, Score]:
    """Return the counts of a system in each order; a system that no order can change is repeated."""
    counted = [count_rows(_lists(gold), _lists(labels)) for labels in side]
    rows = [_by_unit(rows, starts) for rows, _ in counted]
    return np.stack([rows[i % len(rows)] for i in range(orders)]), counted[0][1]


def _by_unit(rows: Longs, starts: Sequence[int]) -> Longs:
    return np.add.reduceat(rows, starts, axis=0)


def _lists(labels: Labels) -> list[list[str]]:
    return [list(given) for given in labels]
