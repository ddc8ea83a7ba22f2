"""The score of the first model's candidates in re-ranking.

Kazama and Torisawa (2007), section 6.3. Next to the non-local features, the second model has

    re-ranking 1   the score of the first model, as one feature
    re-ranking 2   the local features, with weights of its own
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from perceptag import _core
from perceptag.numeric.arrays import Floats


@dataclass(frozen=True, slots=True)
class CandidateScorer:
    """The second model without its non-local features. By default it repeats the first model."""

    score_weight: float = 1.0  # of the first model's score
    second: _core.Weights | None = None  # weights of local features, which replace that score

    def score_lists(self, sequences: Sequence[_core.Sequence], lists: Sequence[_core.NBest]) -> list[Floats]:
        """The score of each candidate in the first model's lists."""
        if self.second is None:
            return [self.score_weight * np.array(best.scores) for best in lists]
        second = self.second
        return [
            _core.rescore(second, x, [best[i] for i in range(len(best))])
            for x, best in zip(sequences, lists, strict=True)
        ]
