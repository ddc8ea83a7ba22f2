"""Isotonic regression: the rising curve nearest to some points, by pooling adjacent violators.

Ayer, Brunk, Ewing, Reid and Silverman (1955), "An empirical distribution function for sampling with incomplete
information"; for calibration: Zadrozny and Elkan (2002), "Transforming classifier scores into accurate multiclass
probability estimates".
"""

from __future__ import annotations

from perceptag.numeric.arrays import Floats
from perceptag.numeric.lazy import np


def isotonic(x: Floats, y: Floats) -> tuple[Floats, Floats]:
    """Return the rising function of x that is nearest to y in least squares, as the corners of a curve.

    It is linear between corners, and constant before the first and after the last: ``np.interp(x, *corners)``.

    >>> x, y = isotonic(np.array([1.0, 2, 3, 4]), np.array([0.0, 1, 0, 1]))
    >>> x.tolist(), y.tolist()
    ([1.0, 2.0, 3.0, 4.0], [0.0, 0.5, 0.5, 1.0])
    """
    values, place = np.unique(x, return_inverse=True)  # points with the same x count as one, with their mean
    weights = np.bincount(place, minlength=len(values)).astype(np.float64)
    means = np.bincount(place, y, minlength=len(values)) / np.maximum(weights, 1)
    starts, levels = _pool(means, weights)
    ends = [*(start - 1 for start in starts[1:]), len(values) - 1]
    corners = sorted({*starts, *ends} if len(values) else set())
    return values[corners], np.repeat(levels, np.diff([*starts, len(values)]))[corners]


def _pool(means: Floats, weights: Floats) -> tuple[list[int], list[float]]:
    """Return the blocks of equal level: where each starts, and its level."""
    starts: list[int] = []
    totals: list[float] = []
    sizes: list[float] = []
    for i, (mean, weight) in enumerate(zip(means.tolist(), weights.tolist(), strict=True)):
        start, total, size = i, mean * weight, weight
        # A block that does not rise above the one before it is joined with it.
        while starts and totals[-1] * size >= total * sizes[-1]:
            start, total, size = starts.pop(), total + totals.pop(), size + sizes.pop()
        starts.append(start)
        totals.append(total)
        sizes.append(size)
    return starts, [total / size for total, size in zip(totals, sizes, strict=True)]
