"""The mask that the core gets is that of `transition_mask`."""

from __future__ import annotations

import numpy as np
import pytest

from perceptag.labels.pairs import mask_of, transition_mask

KINDS = ("PER", "LOC", "A-B", "-")


@pytest.mark.parametrize("scheme", ["IOB1", "IOB2", "IOBES", "BILOU", "BMES", "none"])
def test_both_ways_allow_the_same(scheme: str) -> None:
    labels = ["O", "X", "B", "I", *(f"{tag}-{kind}" for kind in KINDS for tag in "BIESLUMW"), "B-", "O-PER"]
    for some in (labels, labels[::-1], labels[4:], ["O"], []):
        allowed, may_end = transition_mask(some, scheme)
        found = mask_of(some, scheme)
        assert np.array_equal(found[0], allowed.ravel())
        assert np.array_equal(found[1], may_end)
