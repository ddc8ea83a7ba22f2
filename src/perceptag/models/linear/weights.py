"""Weights for the features of a corpus: how many there are, and which labels each feature may have."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from perceptag import _core
from perceptag.arrays import np
from perceptag.errors import SettingError
from perceptag.features.encoder import Encoder
from perceptag.labels.label_parts import LabelParts
from perceptag.models.linear.starting_weights import StartingWeights
from perceptag.recipe.recipe import Recipe
from perceptag.system.memory import require

if TYPE_CHECKING:
    import numpy.typing as npt


@dataclass(slots=True)
class WeightLayout:
    """Which weights there are: enough to make them again, all zero, somewhere else."""

    labels: int
    plain: frozenset[int]  # orders with plain transitions
    compact: dict[int, tuple[npt.NDArray[np.uint32], npt.NDArray[np.uint32]]] = field(default_factory=dict)
    dense: dict[int, int] = field(default_factory=dict)  # rows; both by order
    lined: int = 0  # rows of order 0 in place of dense ones, where labels are many and few weights move
    fixed: dict[int, npt.NDArray[np.uint8]] = field(default_factory=dict)  # plain transitions that stay at zero
    mask: tuple[npt.NDArray[np.uint8], npt.NDArray[np.uint8]] | None = None  # what the scheme of the labels allows
    parts: LabelParts | None = None  # of the labels

    def width(self, order: int) -> int:
        """How many weights a feature of an order can have."""
        if order == 0 and self.parts:
            return self.parts.count
        return _core.combinations(order, self.labels)

    def size(self) -> int:
        """The number of weights; that of lined rows grows as they move, and is not counted."""
        compact = sum(len(codes) for _, codes in self.compact.values())
        dense = sum(rows * self.width(order) for order, rows in self.dense.items())
        return compact + dense + sum(_core.combinations(order, self.labels) for order in self.plain)

    def make(self) -> _core.Weights:
        """Zero weights, except for what the scheme forbids."""
        weights = _core.Weights(self.labels, 1 in self.plain, 2 in self.plain)
        if self.parts:
            self.parts.compose(weights)
        for order, (begin, codes) in self.compact.items():
            weights.make_compact(order, begin, codes)
        for order, rows in self.dense.items():
            weights.make_dense(order, rows)
        if self.lined:
            weights.make_lined(self.lined)
        for order, flags in self.fixed.items():
            weights.fix_plain(order, flags)
        if self.mask is not None:
            weights.constrain(*self.mask)
        return weights


class SupportCounts(Protocol):
    """What was counted in the training data."""

    def support(self, order: int, rows: int, labels: int) -> _core.Support:
        """Which combinations of labels go with each feature of an order, and how often."""

    def cut_off(self, support: _core.Support, cutoff: int, whole_rows: bool, order: int) -> _core.Support:
        """Drop what is rare, from the index too."""

    def unseen(self, order: int, labels: int, cutoff: int) -> npt.NDArray[np.uint8]:
        """Flags of the plain transitions that are rare."""


@dataclass(frozen=True, slots=True)
class CorpusCounts:
    """Counts in a corpus, and the index of its features."""

    index: _core.FeatureIndex
    corpus: _core.Corpus
    threads: int = 1

    def support(self, order: int, rows: int, labels: int) -> _core.Support:
        return _core.count_support(self.corpus, order, rows, labels, self.threads)

    def cut_off(self, support: _core.Support, cutoff: int, whole_rows: bool, order: int) -> _core.Support:
        """Drop what is rare, from index and corpus too."""
        return _core.apply_cutoff(support, cutoff, whole_rows, order, self.index, self.corpus, self.threads)

    def unseen(self, order: int, labels: int, cutoff: int) -> npt.NDArray[np.uint8]:
        return _core.unseen_transitions(self.corpus, order, labels, cutoff)


def make_weights(
    encoder: Encoder,
    corpus: _core.Corpus,
    labels: int,
    recipe: Recipe,
    earlier: StartingWeights | None = None,
    threads: int = 1,
    parts: LabelParts | None = None,
) -> _core.Weights:
    """Zero weights for the features of the corpus, after count cut-offs; those of an earlier model keep theirs."""
    counts = CorpusCounts(encoder.frozen_index, corpus, threads)
    weights = make_layout(encoder, counts, labels, recipe, earlier, parts).make()
    if earlier:
        earlier.set(weights)
    return weights


def make_layout(
    encoder: Encoder,
    counts: SupportCounts,
    labels: int,
    recipe: Recipe,
    earlier: StartingWeights | None = None,
    parts: LabelParts | None = None,
) -> WeightLayout:
    """Which weights the counted features have, after count cut-offs; all of an earlier model are among them."""
    try:
        _require_transitions(encoder, labels)
        layout = WeightLayout(labels, frozenset(encoder.plain_orders), parts=parts)
        return _make_layout(layout, encoder, counts, recipe, earlier)
    except _core.LimitExceeded as error:
        raise SettingError(f"templates: {error}; the data has {labels}") from error


def _make_layout(
    layout: WeightLayout, encoder: Encoder, counts: SupportCounts, recipe: Recipe, earlier: StartingWeights | None
) -> WeightLayout:
    labels = layout.labels
    weights = _core.Weights(labels, 1 in layout.plain, 2 in layout.plain)  # refuses more labels than can be numbered
    if layout.parts:
        layout.parts.compose(weights)  # and more parts
    for order in range(3):
        lay_out_block(layout, order, encoder.frozen_index, counts, recipe, earlier)
    if recipe.support == "gold":
        for order in encoder.plain_orders:
            unseen = counts.unseen(order, labels, recipe.cutoff)
            layout.fixed[order] = earlier.free(order, unseen) if earlier else unseen
    return layout


# Bytes for each weight in training: the weight, its sum and its count, a flag, the weights of the best pass and of the
# current average; and, when a model is made, copies of weight and sum, a row of vectors, and flags.
TRAINING_BYTES = (4 + 8 + 4 + 1 + 4 + 4) + (4 + 8 + 4 + 1)
# Where rows are lined, the weight and its sum, for all labels of a line (lined_rows.hpp).
LINED_BYTES = 4 + 8


def _require_transitions(encoder: Encoder, labels: int) -> None:
    """Check the memory for transitions: their number grows with the square or the cube of the number of labels."""
    for order in encoder.plain_orders:
        what = f"templates: transitions between {labels} labels{' and the two before' * (order == 2)}"
        require(_core.combinations(order, labels) * TRAINING_BYTES, what)


def make_block(
    weights: _core.Weights,
    order: int,
    index: _core.FeatureIndex,
    corpus: _core.Corpus,
    recipe: Recipe,
    earlier: StartingWeights | None = None,
) -> None:
    """Zero weights for the features of one order, after count cut-offs."""
    layout = WeightLayout(weights.labels, frozenset())
    lay_out_block(layout, order, index, CorpusCounts(index, corpus), recipe, earlier, may_line=False)
    if order in layout.compact:
        weights.make_compact(order, *layout.compact[order])
    elif order in layout.dense:
        weights.make_dense(order, layout.dense[order])


def lay_out_block(
    layout: WeightLayout,
    order: int,
    index: _core.FeatureIndex,
    counts: SupportCounts,
    recipe: Recipe,
    earlier: StartingWeights | None = None,
    may_line: bool = True,
) -> None:
    """Find the weights of the features of one order, after count cut-offs."""
    if not index.rows(order):
        return
    gold = recipe.support == "gold"
    has_loop = recipe.declaration.epoch is not None
    lined = may_line and not gold and order == 0 and layout.width(0) > _core.FEW_LABELS and has_loop
    if not gold and not lined and recipe.cutoff <= 1:
        _add_dense(layout, order, index.rows(order))  # whatever the labels that go with the features
        return
    support = counts.support(order, index.rows(order), layout.labels)
    if gold and order == 0 and layout.parts:
        support = support.composed(layout.parts.count, layout.parts.begin, layout.parts.parts)
    if earlier:
        support = earlier.join(order, support)
    if recipe.cutoff > 1:
        support = counts.cut_off(support, recipe.cutoff, not gold, order)
    if gold:
        layout.compact[order] = support.begin, support.codes
    elif lined:
        layout.lined = index.rows(0)
        _require_lines(layout, len(support.codes), has_state=recipe.declaration.state is not None)
    else:
        _add_dense(layout, order, index.rows(order))


def _add_dense(layout: WeightLayout, order: int, rows: int) -> None:
    """Give every combination of labels a weight, if there is memory for them."""
    width = layout.width(order)
    what = f"support: {rows} features with weights for {width} combinations of labels"
    require(rows * width * TRAINING_BYTES, what)
    layout.dense[order] = rows


def _require_lines(layout: WeightLayout, seen: int, has_state: bool) -> None:
    """Check the memory for lined rows. How much they take is only known in the end.

    A line for each label seen with a feature, and as many for labels that are only guessed, is about right. A learner
    with a state has a number for each weight, and a copy of all for a checkpoint.
    """
    width = layout.width(0)
    labels_of_a_line = 8 * -(-width // 512)
    state = 2 * 8 * layout.lined * width * has_state
    what = f"support: {layout.lined} features with weights for {width} labels"
    require(2 * seen * labels_of_a_line * LINED_BYTES + state, what)
