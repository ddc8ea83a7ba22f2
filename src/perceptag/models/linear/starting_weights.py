"""What a run takes from an earlier model: features in the same rows, weights under new label ids.

    earlier weight (row, code of earlier label ids) ──▶ the same row, code of the labels as they are numbered now

Rows keep their numbers because the features of the earlier model come first (`Encoder.start_from`). Whatever the
earlier model does not have starts at zero.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from perceptag import _core
from perceptag.arrays import Ints, np
from perceptag.errors import ModelError
from perceptag.features.encoder import Encoder
from perceptag.labels.label_parts import LabelParts
from perceptag.labels.label_set import LabelSet
from perceptag.labels.span_labels import span_types

if TYPE_CHECKING:
    import numpy.typing as npt

_OFTEN = 2**31  # weights of the earlier model count as seen this often, so no cut-off drops them

Entries: TypeAlias = "tuple[Ints, npt.NDArray[np.uint32], npt.NDArray[np.float32]]"  # rows, codes of labels, weights


@dataclass(frozen=True, slots=True)
class StartingWeights:
    """Encoder and weights of an earlier model."""

    encoder: Encoder
    weights: _core.Weights
    labels: Ints  # [L + 1] earlier label id -> label id now; the last is the start of a sequence
    parts: Ints | None = None  # the same for the labels and their parts, if they have any
    types: Sequence[str] = ()  # of the spans, by their earlier numbers

    def entries(self, block: int) -> Entries:
        """Every weight of a block that is not zero, its labels numbered as they are now."""
        w, _ = self.weights.get(block)
        used = np.flatnonzero(np.isfinite(w) & (w != 0))  # constraints are made again
        rows, labels = self.weights.owners(block, used)
        if block == 0 and self.parts is not None:
            return rows, self.parts[labels[0]].astype(np.uint32), w[used]
        return rows, _core.label_codes(self.labels[labels], int(self.labels[-1])), w[used]

    def join(self, order: int, support: _core.Support) -> _core.Support:
        """The support of the data together with that of the earlier model."""
        rows, codes, _ = self.entries(order)
        return support.join(rows, codes, _OFTEN)

    def free(self, order: int, fixed: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
        """Flags of transitions that stay at zero; transitions of the earlier model do not."""
        flags: npt.NDArray[np.uint8] = fixed.copy()
        flags[self.entries(_core.plain_block(order))[1]] = 0
        return flags

    def set(self, weights: _core.Weights) -> None:
        """Give new weights the values of the earlier ones."""
        for block in range(_core.BLOCKS):
            rows, codes, w = self.entries(block)
            if not len(w):
                continue
            try:
                places = weights.places(block, rows, codes)
            except ValueError as error:
                raise ModelError(f"weights: expected those of the features of the model; {error}") from error
            if weights.is_lined(block):
                _core.put_moved(weights, block, places, w, np.zeros(len(w)))
                continue
            now, sums = weights.get(block)
            now[places] = w
            weights.set(block, now, sums)

    def set_spans(self, weights: _core.Weights, label_set: LabelSet) -> None:
        """The same for features of whole spans, whose rows come first. `label_set`: the labels as they are now."""
        if not self.weights.has_spans:
            return
        types = span_types(label_set.names)
        before = self.weights.get(_core.SPAN_BLOCK)[0].reshape(self.weights.rows(_core.SPAN_BLOCK), -1)
        now, sums = weights.get(_core.SPAN_BLOCK)
        table = now.reshape(weights.rows(_core.SPAN_BLOCK), len(types))
        table[: len(before), [types.index(one) for one in self.types]] = before
        weights.set(_core.SPAN_BLOCK, table.ravel(), sums)


def part_map(earlier: LabelSet, before: LabelParts | None, now: LabelParts | None, labels: Ints) -> Ints | None:
    """Numbers of labels and parts of an earlier model as they are now; None if neither has parts.

    `labels`: what `label_map` gives.
    """
    if now is None and before is not None:
        raise ModelError("labels.parts: expected those of the model to continue from, found none")
    if now is None:
        return None
    return before.numbers_in(now, labels) if before else labels[: len(earlier.names)]


def label_map(earlier: LabelSet, now: LabelSet) -> Ints:
    """Label ids of an earlier model as they are numbered now; the last is the start of a sequence."""
    numbers = {name: i for i, name in enumerate(now.names)}
    return np.array([*(numbers[name] for name in earlier.names), len(now.names)], np.int32)
