"""Arrays of checkpoints without their zeros."""

from __future__ import annotations

import numpy as np
import pytest

from perceptag.errors import ModelError
from perceptag.training.checkpoint import MANY, with_zeros, without_zeros


def arrays() -> dict[str, np.ndarray]:
    mostly = np.zeros((2, MANY), np.float32)
    mostly[1, [3, 9]] = 1.5, -0.0
    return {"mostly": mostly, "full": np.ones(MANY), "small": np.zeros(3), "whole": np.zeros(MANY, np.int64)}


def test_arrays_come_back_to_the_bit() -> None:
    stored = without_zeros(arrays())
    assert stored["values:mostly"].size == 2
    assert {"full", "small", "whole"} <= set(stored)
    found = with_zeros(stored)
    assert list(found) == ["full", "small", "whole", "mostly"]
    for name, array in arrays().items():
        assert (found[name].tobytes(), found[name].shape, found[name].dtype) == (
            array.tobytes(),
            array.shape,
            array.dtype,
        )


@pytest.mark.parametrize(
    ("part", "forged"),
    [
        ("places", np.array([0, 2 * MANY])),
        ("places", np.array([-1, 0])),
        ("places", np.array([0.0, 1.0])),
        ("values", None),
        ("shape", np.array([1 << 62])),
    ],
)
def test_what_does_not_fit_is_refused(part: str, forged: np.ndarray | None) -> None:
    stored = without_zeros(arrays())
    if forged is None:
        del stored[f"{part}:mostly"]
    else:
        stored[f"{part}:mostly"] = forged
    with pytest.raises(ModelError, match="mostly: expected"):
        with_zeros(stored)
