"""How good every label at every token is under local and non-local features together.

Candidates count with all their features, given what is chosen in the other sequences of the document. If no candidate
has a label, the best labelling of the local part that has it counts, with the non-local features of the chosen one.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from perceptag._core import best_by_label
from perceptag.arrays import Floats, Ints
from perceptag.models.document.features import CandidateDocument


def label_scores(
    document: CandidateDocument, local: Sequence[Floats], weights: Floats, marginals: Floats
) -> tuple[Ints, Floats]:
    """The chosen labels of a document, and the scores of all labels: int32[tokens], float64[tokens, L].

    `local` are the local scores of the candidates of its sequences, `marginals` the max-marginals of the local part.
    """
    chosen, scores = [np.zeros(0, np.int32)], [np.zeros((0, marginals.shape[1]))]
    begin = 0
    for s, (candidates, own) in enumerate(zip(document.candidates, local, strict=True)):
        beyond = document.scores(s, weights)[: len(own)]
        mine = candidates[document.chosen[s]].numpy()
        unlisted = marginals[begin : begin + len(mine)] + own.max() + beyond[document.chosen[s]]
        listed = best_by_label(candidates, own + beyond, marginals.shape[1]).reshape(unlisted.shape)
        chosen.append(mine)
        scores.append(np.where(np.isfinite(listed), listed, unlisted))
        begin += len(mine)
    return np.concatenate(chosen), np.concatenate(scores)
