"""Reliability of confidence: of the labels with confidence 0.9, 90 per cent should be right.

The expected calibration error (Naeini, Cooper and Hauskrecht 2015; Guo et al. 2017) puts confidences into bins of
equal width. It is the distance between the mean confidence of a bin and the share that is right, averaged over bins
and weighted by their sizes:

    ECE = sum over bins  n_bin / n * |mean confidence - share right|
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from perceptag.arrays import np

BINS = 10


@dataclass(frozen=True, slots=True)
class Bin:
    """Confidences from `low` to below `high`; the last bin includes `high`."""

    low: float
    high: float
    number: int
    confidence: float  # mean
    right: float  # share

    @property
    def gap(self) -> float:
        """By how much the confidence is too high."""
        return self.confidence - self.right


@dataclass(frozen=True, slots=True)
class Reliability:
    """The non-empty bins, and their summary."""

    what: str  # spans or tokens
    number: int
    bins: tuple[Bin, ...]

    @property
    def ece(self) -> float:
        """The expected calibration error, from 0 to 1."""
        return sum(b.number * abs(b.gap) for b in self.bins) / max(1, self.number)

    def to_dict(self) -> dict[str, Any]:
        """Return everything as JSON values."""
        return {"what": self.what, "number": self.number, "ece": self.ece, "bins": [asdict(b) for b in self.bins]}

    def render(self) -> str:
        """Return a table as text."""
        lines = [f"reliability of {self.number} {self.what}: ECE {self.ece:.4f}"]
        lines.append(f"{'confidence':>12} {'number':>8} {'mean':>8} {'right':>8} {'gap':>8}")
        for b in self.bins:
            span = f"{b.low:.1f} to {b.high:.1f}"
            lines.append(f"{span:>12} {b.number:8d} {b.confidence:8.4f} {b.right:8.4f} {b.gap:+8.4f}")
        return "\n".join(lines)


def reliability(what: str, confidences: Sequence[float], right: Sequence[bool]) -> Reliability:
    """Return the reliability of confidences from 0 to 1; `right`: whether each prediction is right."""
    values, hits = np.asarray(confidences, np.float64), np.asarray(right, np.bool_)
    place = np.minimum((values * BINS).astype(np.int64), BINS - 1)
    bins = []
    for k in np.unique(place).tolist():
        inside = place == k
        mean, share = float(values[inside].mean()), float(hits[inside].mean())
        bins.append(Bin(k / BINS, (k + 1) / BINS, int(inside.sum()), mean, share))
    return Reliability(what, len(values), tuple(bins))
