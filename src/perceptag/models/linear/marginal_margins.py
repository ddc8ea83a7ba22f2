"""Margins of models that were trained to give probabilities: the log-odds of their marginals.

The logistic function of such a margin is the marginal itself, so these models have a confidence before any calibration.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from perceptag import _core
from perceptag.confidence.margins import LIMIT, Margins
from perceptag.corpus.dataset import document_begins, make_dataset
from perceptag.labels.schemes import spans
from perceptag.models.linear.marginals import span_marginals
from perceptag.models.linear.tagger import LinearTagger
from perceptag.numeric.arrays import Floats, cut
from perceptag.text.sentence import Sentence


def marginal_margins(tagger: LinearTagger, sentences: Sequence[Sentence], threads: int = 1) -> list[Margins]:
    """The labels of each sentence, and the log-odds that they, as the model writes them, and their spans are right."""
    data = make_dataset(sentences, tagger.columns, computed=tagger.computed)
    units = document_begins(sentences) if tagger.whole_documents else data.begin
    linear = tagger.linear
    ids = linear.tag(data.columns, units, threads)
    flat = _core.marginals(linear.vectors[0], linear.encode(data.columns, units), linear.dictionary, threads=threads)
    tokens = flat.reshape(len(ids), -1)[np.arange(len(ids)), ids] if len(ids) else np.zeros(0)
    labels = tagger.label_writer(ids, data.begin)
    margins = cut(_log_odds(tokens), data.begin)
    scheme = tagger.model.label_set.outer
    if scheme == "none":
        return [Margins(y, m, []) for y, m in zip(labels, margins, strict=True)]
    found = [spans(y, scheme) for y in labels]
    of_spans = [_log_odds(np.array(p)) for p in span_marginals(tagger, sentences, found, threads=threads)]
    return [
        Margins(y, m, list(zip(some, odds, strict=True)))
        for y, m, some, odds in zip(labels, margins, found, of_spans, strict=True)
    ]


def _log_odds(p: Floats) -> list[float]:
    with np.errstate(divide="ignore"):
        odds: list[float] = np.clip(np.log(p) - np.log1p(-np.minimum(p, 1.0)), -LIMIT, LIMIT).tolist()
    return odds
