"""The stopping rule of Kazama and Torisawa (2007), section 6.1.

Training ends when the share of wrong labels during a pass changes by less than a tolerance, relative to the pass
before, in three passes in a row. Near the end only a few labels are wrong and their share goes up and down, so the
number of passes is limited as well, by the recipe's `epochs`.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

PASSES = 3


def has_converged(errors: Sequence[float], tolerance: float) -> bool:
    """Return whether training should stop. `errors` has a number for each pass: of wrong labels, or the likelihood.

    >>> has_converged([50, 10, 10, 10, 10], 1e-4), has_converged([50, 10, 10, 11, 11], 1e-4)
    (True, False)
    """
    if tolerance <= 0 or len(errors) <= PASSES:
        return False
    recent = errors[-PASSES - 1 :]
    return all(_change(a, b) < tolerance for a, b in pairwise(recent))


def _change(before: float, after: float) -> float:
    if before == after:
        return 0.0
    return abs(after - before) / abs(before) if before else float("inf")
