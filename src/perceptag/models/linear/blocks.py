"""The blocks of the weights of a linear model, and how many of them there may be."""

from __future__ import annotations

from perceptag import _core

BLOCKS = range(_core.BLOCKS)


def blocks_of(weights: _core.Weights) -> range:
    """Return the blocks of some weights; the last one is that of whole spans, if they have features."""
    return range(_core.SPAN_BLOCK + 1) if weights.has_spans else BLOCKS


# In tagging, each weight vector that votes keeps a score for each label.
MAX_VOTES = 1 << 26
