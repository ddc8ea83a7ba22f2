"""A re-ranking model made ready to tag: a second model chooses from the lists of the first."""

from __future__ import annotations

from perceptag.arrays import np
from perceptag.errors import ModelError, brief
from perceptag.models.document.global_weights import CandidateScorer
from perceptag.models.document.tagger import NonLocalTagger
from perceptag.models.model import HEAVIEST, AnyArrays, Arrays

# weights.N          the first model                   as in every linear model
# second.weights.N   the second, in the same layout    re-ranking 2 only
_WEIGHTS = "weights."
_SECOND = "second."


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


def has_second(arrays: AnyArrays) -> bool:
    """Return whether there is a second model with weights of local features."""
    return any(name.startswith(_SECOND) for name in arrays)


def second_arrays(arrays: AnyArrays) -> Arrays:
    """Return the arrays of the second model under the names of a single model."""
    features = {name: a for name, a in arrays.items() if not name.startswith((_WEIGHTS, _SECOND))}
    return features | {name.removeprefix(_SECOND): a for name, a in arrays.items() if name.startswith(_SECOND)}


def set_apart(arrays: AnyArrays) -> Arrays:
    """Split two weight vectors, one after the other as in a model that votes, into a first and a second model."""
    apart: Arrays = {}
    for name, array in arrays.items():
        if name.startswith(_WEIGHTS):
            apart[name], apart[_SECOND + name] = np.split(array, 2)
        else:
            apart[name] = array
    return apart
