"""The weights of non-local features in training, and the scores of candidates in re-ranking.

Kazama and Torisawa (2007), section 6.3. Next to the non-local features, the second model has

    re-ranking 1   the score of the first model, as one feature
    re-ranking 2   the local features, with weights of its own
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from perceptag import _core
from perceptag.arrays import Floats, np
from perceptag.errors import ModelError
from perceptag.models.document.features import NonLocal
from perceptag.models.model import AnyArrays, Arrays, array_of, reals

UNIT = 2.0**-20  # averaged and mixed weights are multiples of it


class GlobalChanges(NamedTuple):
    """What a part of a pass over shards did."""

    change: Floats
    visited: Floats  # the sum of the vectors that the part visited, each without the vector that the part started from


class GlobalWeights:
    """The weights of non-local features, with their sums for the average. New features make them longer."""

    def __init__(self, features: NonLocal, w: Floats | None = None) -> None:
        """`w`: weights to start from, which are copied."""
        self.features = features
        self.clear()
        if w is not None:
            self.w, self.sum = w.copy(), np.zeros(len(w))

    def clear(self) -> None:
        """Set all weights and sums to zero."""
        self.w = np.zeros(len(self.features.numbers))
        self.sum = np.zeros(len(self.features.numbers))

    def copy(self) -> GlobalWeights:
        """The same weights and sums, of their own."""
        own = GlobalWeights(self.features)
        own.w, own.sum = self.w.copy(), self.sum.copy()
        return own

    def set_mean(self, of: Sequence[GlobalWeights]) -> None:
        """Become the mean of others, whose features are the same."""
        self.w = np.mean([one.w for one in of], axis=0)
        self.sum = np.mean([one.sum for one in of], axis=0)

    def move(self, difference: Floats, scale: float, tick: float) -> None:
        """w += scale * difference."""
        missing = len(difference) - len(self.w)
        if missing > 0:
            self.w = np.append(self.w, np.zeros(missing))
            self.sum = np.append(self.sum, np.zeros(missing))
        self.w[: len(difference)] += scale * difference
        self.sum[: len(difference)] += tick * scale * difference

    def score(self, values: Floats) -> Floats:
        """Phi^g . alpha of one vector, or of each row; a feature that has no weight yet counts as zero."""
        width = min(len(self.w), values.shape[-1])
        scores: Floats = values[..., :width] @ self.w[:width]
        return scores

    def averaged(self, ticks: float) -> Floats:
        """The average over all ticks, on the grid of `UNIT`."""
        average: Floats = self.w - self.sum / max(1.0, ticks)
        return np.round(average / UNIT) * UNIT

    # --- shards: the formulas are those of cpp/include/perceptag/linear/mixing.hpp ---

    def changes(self, start: Floats, ticks: float) -> GlobalChanges:
        """What a part of `ticks` examples has changed, with these weights as its own."""
        change = self.w - _padded(start, len(self.w))
        return GlobalChanges(change, ticks * change - self.sum)

    def mix(self, changes: Sequence[GlobalChanges], rule: str, shards: int, ticks: float) -> None:
        """Move the weights by what all shards have changed; `ticks`: the clock after the mixing.

        Any document may have any of these features, so ``present`` divides by the number of all shards. Values need
        not be whole numbers of a unit (`NonLocal.scale`), so changes must come in the order of the shards.
        """
        size = max([len(self.w), *(len(one.change) for one in changes)])
        total, visited, touched = np.zeros(size), np.zeros(size), np.zeros(size)
        for change, own in changes:
            total[: len(change)] += change
            visited[: len(change)] += own
            touched[: len(change)] += change != 0
        by = np.maximum(1.0, touched) if rule == "touched" else shards
        mixed = np.round(total / by / UNIT) * UNIT
        self.w = _padded(self.w, size) + mixed
        self.sum = _padded(self.sum, size) + ticks * mixed - visited


def _padded(values: Floats, size: int) -> Floats:
    return np.append(values, np.zeros(size - len(values)))


def global_state(weights: GlobalWeights) -> Arrays:
    """The names of non-local features, their weights and sums, for a checkpoint."""
    names = np.frombuffer("\0".join(weights.features.numbers).encode(), np.uint8)
    return {"nonlocal.w": weights.w, "nonlocal.sum": weights.sum, "nonlocal.names": names}


def restore_global(weights: GlobalWeights, arrays: AnyArrays) -> None:
    """The inverse of `global_state`."""
    blob = array_of(arrays, "nonlocal.names", np.uint8).tobytes()
    names = blob.decode().split("\0") if blob else []
    for name in names:
        weights.features.number(name)
    if list(weights.features.numbers) != names:
        raise ModelError("array 'nonlocal.names': expected different names with the built-in ones first, found others")
    weights.w = kept_global(weights, arrays, "nonlocal.w")
    weights.sum = reals(arrays, "nonlocal.sum", len(weights.w))


def kept_global(weights: GlobalWeights, arrays: AnyArrays, name: str = "nonlocal") -> Floats:
    """Non-local weights from an array: at least one for each built-in feature, and at most one for each name."""
    found, features = reals(arrays, name), weights.features
    if not features.built_in <= len(found) <= len(features.numbers):
        raise ModelError(
            f"array {name!r}: expected {features.built_in} to {len(features.numbers)} numbers, found {len(found)}"
        )
    return found


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
