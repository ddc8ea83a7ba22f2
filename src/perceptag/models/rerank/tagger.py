"""A re-ranking model made ready to tag: a second model chooses from the lists of the first."""

from __future__ import annotations

from perceptag.errors import ModelError, brief
from perceptag.models.document.global_weights import CandidateScorer
from perceptag.models.document.tagger import NonLocalTagger
from perceptag.models.model import HEAVIEST
from perceptag.models.model_file import has_second, second_arrays


class RerankTagger(NonLocalTagger):
    """Tags documents with two models; the first one is the local part."""

    def make_scorer(self) -> CandidateScorer:
        """The second model without non-local features: local weights, or a weight of the first model's score."""
        arrays = self.model.arrays
        if has_second(arrays):
            [second] = self.local.unpack_vectors(second_arrays(arrays))
            second.prepare()
            return CandidateScorer(second=second)
        weight = self.model.facts.get("score_weight")
        if isinstance(weight, bool) or not isinstance(weight, (int, float)) or not abs(weight) <= HEAVIEST:
            raise ModelError(f"facts.score_weight: expected a number up to {HEAVIEST:g}, found {brief(weight)}")
        return CandidateScorer(float(weight))
