"""Margins of models that were trained to give probabilities: the log-odds of their marginals.

The logistic function of such a margin is the marginal itself, so these models have a confidence before any calibration.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from perceptag.confidence.margins import LIMIT, Margins
from perceptag.labels.schemes import spans
from perceptag.models.linear.marginals import Marginals
from perceptag.numeric.arrays import Floats, Ints, cut
from perceptag.text.sentence import Sentence


def marginal_margins(
    marginals: Marginals, sentences: Sequence[Sentence], ids: Ints, labels: Sequence[list[str]], threads: int = 1
) -> list[Margins]:
    """The log-odds that labels, as the model writes them, and their spans are right.

    `ids` are the labels inside the model, `labels` the same as the data writes them.
    """
    data = marginals.reader.read(sentences)
    tokens = marginals.of_labels(data, threads)[np.arange(len(ids)), ids] if len(ids) else np.zeros(0)
    margins = cut(_log_odds(tokens), data.begin)
    scheme = marginals.label_set.outer
    if scheme == "none":
        return [Margins(y, m, []) for y, m in zip(labels, margins, strict=True)]
    found = [spans(y, scheme) for y in labels]
    of_spans = [_log_odds(np.array(p)) for p in marginals.of_spans(sentences, found, threads)]
    return [
        Margins(y, m, list(zip(some, odds, strict=True)))
        for y, m, some, odds in zip(labels, margins, found, of_spans, strict=True)
    ]


def _log_odds(p: Floats) -> list[float]:
    with np.errstate(divide="ignore"):
        odds: list[float] = np.clip(np.log(p) - np.log1p(-np.minimum(p, 1.0)), -LIMIT, LIMIT).tolist()
    return odds
