"""Calibration: the probability of a margin is its accuracy on held-out data.

The share rises with the margin, so isotonic regression finds the curve. An imaginary mistake at the largest margin
and an imaginary success at the smallest keep it from ever saying 1 or 0.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from perceptag.arrays import Floats, np
from perceptag.errors import DataError, ModelError
from perceptag.labels.schemes import spans
from perceptag.models.model import CALIBRATION, LARGEST, AnyArrays, Arrays, Model, array_of, view_of

if TYPE_CHECKING:
    from perceptag.models.margins import Margins

Probability = Callable[[Sequence[float]], list[float]]  # of margins


@dataclass(frozen=True, slots=True)
class Curve:
    """Probability as a function of the margin: linear between its corners, constant outside."""

    margins: Floats
    shares: Floats

    def __call__(self, margins: Sequence[float]) -> list[float]:
        """Return the probability of each margin."""
        found: list[float] = np.interp(margins, self.margins, self.shares).tolist() if len(margins) else []
        return found


def logistic(margins: Sequence[float]) -> list[float]:
    """Return the probability of log-odds: the curve of models that were trained to give probabilities.

    >>> logistic([0.0, 1e9])
    [0.5, 1.0]
    """
    found: list[float] = np.exp(-np.logaddexp(0.0, -np.asarray(margins, np.float64))).tolist()
    return found


@dataclass(frozen=True, slots=True)
class Calibration:
    """The probabilities of a model's margins, for token labels and for spans."""

    tokens: Probability
    spans: Probability | None  # None: labels do not mark spans

    @property
    def main(self) -> Probability:
        """The one for spans, or for tokens if labels do not mark spans."""
        return self.spans or self.tokens


@dataclass(frozen=True, slots=True)
class Judged:
    """Margins, and for each whether its label or span was right."""

    margins: list[float]
    right: list[bool]


def judge_tokens(found: Sequence[Margins], gold: Sequence[Sequence[str]]) -> Judged:
    """Compare all tokens with the right labels."""
    right = [a == b for m, labels in zip(found, gold, strict=True) for a, b in zip(m.labels, labels, strict=True)]
    return Judged([margin for m in found for margin in m.tokens], right)


def judge_spans(found: Sequence[Margins], gold: Sequence[Sequence[str]], scheme: str) -> Judged:
    """Judge predicted spans; borders and type must equal those of a gold span."""
    judged = Judged([], [])
    for m, labels in zip(found, gold, strict=True):
        expected = set(spans(labels, scheme))
        judged.margins.extend(margin for _, margin in m.spans)
        judged.right.extend(span in expected for span, _ in m.spans)
    return judged


def judge(found: Sequence[Margins], gold: Sequence[Sequence[str]], scheme: str) -> Judged:
    """Judge spans, or tokens if labels do not mark spans."""
    return judge_tokens(found, gold) if scheme == "none" else judge_spans(found, gold, scheme)


def fit_curve(judged: Judged) -> Curve:
    """Fit the curve to judged margins; it is constant outside the range that a model may store."""
    ends = [max(judged.margins, default=0.0), min(judged.margins, default=0.0)]
    margins = np.clip([*judged.margins, *ends], -LARGEST, LARGEST)
    return Curve(*isotonic(margins, np.array([*judged.right, False, True], np.float64)))


def fit_calibration(found: Sequence[Margins], gold: Sequence[Sequence[str]], scheme: str) -> Calibration:
    """Calibrate on sentences with their right labels, written in the `scheme` of the data."""
    if not any(m.labels for m in found):
        raise DataError("expected data to calibrate on, found no tokens")
    tokens = fit_curve(judge_tokens(found, gold))
    return Calibration(tokens, None if scheme == "none" else fit_curve(judge_spans(found, gold, scheme)))


# --- arrays ---


def pack(calibration: Calibration) -> Arrays:
    """Return the curves of a calibration as arrays of a model."""
    curves = {"tokens": calibration.tokens, "spans": calibration.spans}
    return {
        f"{CALIBRATION}{name}.{part}": getattr(curve, part)
        for name, curve in curves.items()
        if isinstance(curve, Curve)
        for part in ("margins", "shares")
    }


def unpack(model: Model) -> Calibration | None:
    """Return the calibration of a model, or None; a wrong one is a ModelError."""
    if not model.is_calibrated:
        return None
    check(model)
    found = [_curve(model.arrays, name) for name in _curves_of(model)]
    return Calibration(found[0], found[1] if len(found) > 1 else None)


def check(model: Model) -> None:
    """Refuse a model whose calibration is wrong."""
    for name in _curves_of(model) if model.is_calibrated else ():
        _check_curve(model.arrays, name)


def _curves_of(model: Model) -> tuple[str, ...]:
    return ("tokens",) if model.label_set.outer == "none" else ("tokens", "spans")


def without_calibration(arrays: AnyArrays) -> Arrays:
    """Return all arrays except those of a calibration."""
    return {name: array for name, array in arrays.items() if not name.startswith(CALIBRATION)}


def _curve(arrays: AnyArrays, name: str) -> Curve:
    return Curve(*(array_of(arrays, f"{CALIBRATION}{name}.{part}", np.float64) for part in ("margins", "shares")))


def _check_curve(arrays: AnyArrays, name: str) -> None:
    views = (view_of(arrays, f"{CALIBRATION}{name}.{part}", "float64") for part in ("margins", "shares"))
    margins, shares = (view.tolist() for view in views)
    if not 0 < len(margins) == len(shares):
        found = f"{len(margins)} and {len(shares)}"
        raise ModelError(f"calibration of {name}: expected equal numbers of margins and shares, found {found}")
    if not all(abs(m) <= LARGEST for m in margins) or any(b <= a for a, b in pairwise(margins)):  # false for NaN
        raise ModelError(f"calibration of {name}: expected rising margins within {LARGEST:g}, found others")
    if not all(0 <= share <= 1 for share in shares) or any(b < a for a, b in pairwise(shares)):
        raise ModelError(f"calibration of {name}: expected shares from 0 to 1 that do not fall, found others")


# Ayer, Brunk, Ewing, Reid and Silverman (1955), "An empirical distribution function for sampling with incomplete
# information"; for calibration: Zadrozny and Elkan (2002), "Transforming classifier scores into accurate multiclass
# probability estimates".


def isotonic(x: Floats, y: Floats) -> tuple[Floats, Floats]:
    """Return the rising function of x that is nearest to y in least squares, as the corners of a curve.

    It is linear between corners, and constant before the first and after the last: ``np.interp(x, *corners)``.

    >>> x, y = isotonic(np.array([1.0, 2, 3, 4]), np.array([0.0, 1, 0, 1]))
    >>> x.tolist(), y.tolist()
    ([1.0, 2.0, 3.0, 4.0], [0.0, 0.5, 0.5, 1.0])
    """
    values, place = np.unique(x, return_inverse=True)  # points with the same x count as one, with their mean
    weights = np.bincount(place, minlength=len(values)).astype(np.float64)
    means = np.bincount(place, y, minlength=len(values)) / weights  # every value occurs
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
