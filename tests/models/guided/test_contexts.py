"""Weights of label contexts: written in compact form, and taken over under other numbers."""

from __future__ import annotations

import numpy as np
import pytest

from perceptag import _core

LEFT, RIGHT = 0b0010, 0b0100  # the labels right before and after the token
TEMPLATES = [(0, LEFT), (1, LEFT), (1, RIGHT)]  # of the bias, of the only observation


def contexts(labels: int = 2, templates: list[tuple[int, int]] = TEMPLATES, rows: int = 3) -> _core.ContextWeights:
    return _core.ContextWeights(labels, templates, np.ones(rows, np.int32))


def key(row: int, template: int, left: int, right: int, labels: int = 2, templates: int = 3) -> int:
    """By the definition: (row * templates + template) * (L+1)^4 + the digits of y-2 y-1 y+1 y+2; row 0 is the bias."""
    radix = labels + 1
    return (((row + 1) * templates + template) * radix**2 + (left + 1)) * radix**2 + (right + 1) * radix


def loaded() -> _core.ContextWeights:
    """A row of the bias, one that is zero, and rows of the observations 0 and 2."""
    keys = [key(-1, 0, 1, -1), key(1, 1, 0, -1), key(2, 2, -1, 0), key(0, 1, 1, -1)]
    w = np.array([0, 2, 0, 0, 3, 4, 5, 0], np.float32)
    made = contexts()
    made.load_dense(np.array(keys, np.uint64), w, np.zeros(8))
    return made


def test_compact_form_leaves_out_zeros_and_numbers_observations_again():
    used, keys, begin, codes, w = loaded().compact()
    assert used.tolist() == [0, 2]
    assert keys.tolist() == [key(-1, 0, 1, -1), key(1, 2, -1, 0), key(0, 1, 1, -1)]
    assert begin.tolist() == [0, 1, 3, 4]
    assert codes.tolist() == [1, 0, 1, 0]
    assert w.tolist() == [2, 3, 4, 5]
    again = contexts(rows=2)
    again.load_compact(keys, begin, codes, w)
    found = [part.tolist() for part in again.compact()]
    assert found == [[0, 1], keys.tolist(), [0, 1, 3, 4], [1, 0, 1, 0], w.tolist()]


def test_templates_and_labels_are_renumbered_when_weights_are_taken_over():
    now = contexts(4, [(1, RIGHT), (0, LEFT), (0, RIGHT), (1, LEFT)])
    now.take_over(loaded(), np.array([1, 3, 0], np.int32), np.array([3, 1], np.int32))
    keys, w, sums = now.get()
    expected = [(-1, 1, 1, -1), (1, 3, 3, -1), (2, 0, -1, 3), (0, 3, 1, -1)]
    assert keys.tolist() == [key(*parts, labels=4, templates=4) for parts in expected]
    assert w.reshape(4, 4).tolist() == [[0, 2, 0, 0], [0, 0, 0, 0], [0, 4, 0, 3], [0, 0, 0, 5]]
    assert not sums.any()
    assert len(sums) == 16


@pytest.mark.parametrize(
    ("templates", "labels"), [([0, 1], [0, 1]), ([0, 1, 3], [0, 1]), ([0, 1, 2], [0]), ([0, 1, 2], [0, 2])]
)
def test_numbers_that_do_not_fit_are_refused(templates, labels):
    with pytest.raises(ValueError, match="each earlier template and label"):
        contexts().take_over(loaded(), np.array(templates, np.int32), np.array(labels, np.int32))


def test_too_many_labels_for_keys_are_a_limit_of_their_own():
    with pytest.raises(_core.LimitExceeded, match="too many labels or features"):
        contexts(65_535)
