"""How good every label at every token is under local and non-local features together.

Candidates count with all their features, given what is chosen in the other sequences of the document. Where no
candidate has a label, the best labelling of the local part does, as if it had the non-local features of the chosen one.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from perceptag import _core
from perceptag.encoder import Ints
from perceptag.nonlocal_ import Floats, Stage


def label_scores(stage: Stage, lists: Sequence[_core.NBest], weights: Floats, marginals: Floats) -> tuple[Ints, Floats]:
    """The labels of a document whose candidates are chosen, and the scores of all: int32[tokens], float64[tokens, L].

    `lists` are the candidates of its sequences, `marginals` the max-marginals of the local part.
    """
    chosen, scores = [np.zeros(0, np.int32)], [np.zeros((0, marginals.shape[1]))]
    begin = 0
    for s, best in enumerate(lists):
        candidates: Ints = best.labels
        local = np.array(best.scores)
        beyond = stage.scores(s, weights)[: len(local)]
        k, rows = stage.chosen[s], np.arange(candidates.shape[1])
        own = marginals[begin : begin + len(rows)] + local[0] + beyond[k]
        listed = np.full_like(own, -np.inf)
        for labels, score in zip(candidates, local + beyond, strict=True):
            listed[rows, labels] = np.maximum(listed[rows, labels], score)
        chosen.append(candidates[k])
        scores.append(np.where(np.isfinite(listed), listed, own))
        begin += len(rows)
    return np.concatenate(chosen), np.concatenate(scores)
