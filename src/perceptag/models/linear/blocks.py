"""The blocks of the weights of a linear model, and how many of them there may be."""

from __future__ import annotations

from perceptag import _core

BLOCKS = range(_core.BLOCKS)
# In tagging, each weight vector that votes keeps a score for each label.
MAX_VOTES = 1 << 26
