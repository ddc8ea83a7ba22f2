"""Weights for the features of a corpus: how many there are, and which labels each feature may have."""

from __future__ import annotations

from perceptag import _core
from perceptag.encoding.encoder import Encoder
from perceptag.errors import SettingError
from perceptag.models.linear.starting_weights import StartingWeights
from perceptag.recipe.recipe import Recipe
from perceptag.system.memory import require

BLOCKS = range(_core.BLOCKS)
# In tagging, each weight vector that votes keeps a score for each label.
MAX_VOTES = 1 << 26


def make_weights(
    encoder: Encoder, corpus: _core.Corpus, labels: int, recipe: Recipe, earlier: StartingWeights | None = None
) -> _core.Weights:
    """Zero weights for the features of the corpus, after count cut-offs; those of an earlier model keep theirs."""
    if recipe.weights == "voted" and recipe.own["snapshots"] * labels > MAX_VOTES:
        raise SettingError(
            f"snapshots: expected at most {MAX_VOTES} weight vectors times labels, found "
            f"{recipe.own['snapshots']} times {labels}"
        )
    try:
        _require_transitions(encoder, labels)
        return _make_weights(encoder, corpus, labels, recipe, earlier)
    except _core.LimitExceeded as error:
        raise SettingError(f"templates: {error}; the data has {labels}") from error


def _make_weights(
    encoder: Encoder, corpus: _core.Corpus, labels: int, recipe: Recipe, earlier: StartingWeights | None
) -> _core.Weights:
    index = encoder.index
    assert index is not None
    weights = _core.Weights(labels, 1 in encoder.plain_orders, 2 in encoder.plain_orders)
    gold = recipe.support == "gold"
    for order in range(3):
        make_block(weights, order, index, corpus, recipe, earlier)
    if gold:
        for order in encoder.plain_orders:
            unseen = _core.unseen_transitions(corpus, order, labels, recipe.cutoff)
            weights.fix_plain(order, earlier.free(order, unseen) if earlier else unseen)
    if earlier:
        earlier.set(weights)
    return weights


# Bytes for each weight in training: the weight, its sum and its count, a flag, the weights of the best pass and of the
# current average; and, when a model is made, copies of weight and sum, a row of vectors, and flags.
TRAINING_BYTES = (4 + 8 + 4 + 1 + 4 + 4) + (4 + 8 + 4 + 1)
# With many labels all copies but that for a checkpoint leave out zeros, and nearly all weights are zero.
CONDENSED_BYTES = (4 + 8) + (4 + 8) + 1


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
    if not index.rows(order):
        return
    gold = recipe.support == "gold"
    support = _core.count_support(corpus, order, index.rows(order), weights.labels)
    if earlier:
        support = earlier.join(order, support)
    if recipe.cutoff > 1:
        support = _core.apply_cutoff(support, recipe.cutoff, not gold, order, index, corpus)
    if gold:
        weights.make_compact(order, support.begin, support.codes)
    else:
        rows, width = index.rows(order), _core.combinations(order, weights.labels)
        size = CONDENSED_BYTES if weights.labels > _core.FEW_LABELS else TRAINING_BYTES
        require(rows * width * size, f"support: {rows} features with weights for {width} combinations of labels")
        weights.make_dense(order, rows)
