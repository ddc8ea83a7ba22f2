"""Statements of the papers that can be tested: do they hold here?

A statement quotes the paper. Most are about two systems on the same sentences: those of the test set if there is one,
on which nothing was chosen, otherwise dev sentences. The difference of their scores is drawn again over training orders
and over documents (sentences, where no documents are marked). If the 95 % interval is on one side of 0, the statement
holds or does not hold; otherwise it is undecided at this noise level.

The words of a document are alike, so sentences drawn one by one would make an interval too narrow.

    rows: int64[orders, units, K]    totals = sum over drawn orders and units
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import numpy as np

from perceptag.arrays import Floats, Longs
from perceptag.evaluation.comparison import count_rows
from perceptag.evaluation.scoring import Score, bootstrap_interval
from perceptag.reproduce.experiment import Experiment
from perceptag.reproduce.results import Result, Variant
from perceptag.reproduce.tables import Found, Value
from perceptag.text import Sentence

HOLDS, FAILS, UNDECIDED, NOT_RUN = "holds", "does not hold", "undecided", "not run"
NOT_COMPARABLE = 1.5  # times the error: the paper's own rows differ by less


@dataclass(frozen=True, slots=True)
class GoldPart:
    """The gold labels of dev or test sentences, written as predictions are, and where documents start."""

    labels: list[list[str]]
    starts: list[int]


Gold = Callable[[Experiment, str], GoldPart]  # by the name of the part


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a statement holds, and the figures that decide."""

    verdict: str
    detail: str
    figures: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Statement(ABC):
    """A statement of a paper."""

    paper: str
    text: str
    quote: str  # of the paper, with the section

    @abstractmethod
    def experiments(self) -> tuple[Experiment, ...]:
        """All runs that the statement needs."""

    def judge(self, found: Found, gold: Gold) -> Verdict:
        """Return whether it holds."""
        if any(run not in found for run in self.experiments()):
            return Verdict(NOT_RUN, "its runs are missing")
        return self._judge(found, gold)

    @abstractmethod
    def _judge(self, found: Found, gold: Gold) -> Verdict:
        """Return the same if all runs are there."""


@dataclass(frozen=True, slots=True)
class Better(Statement):
    """`better` scores higher than `worse`; each has a run for every training order."""

    better: tuple[Experiment, ...]
    worse: tuple[Experiment, ...]

    def experiments(self) -> tuple[Experiment, ...]:
        return self.better + self.worse

    def _judge(self, found: Found, gold: Gold) -> Verdict:
        better, worse = ([found[run] for run in runs] for runs in (self.better, self.worse))
        return _compared(self.better[0], better, worse, gold)


@dataclass(frozen=True, slots=True)
class Alike(Better):
    """Both score the same, up to `within` points."""

    within: float = 0.5

    def _judge(self, found: Found, gold: Gold) -> Verdict:
        compared = Better._judge(self, found, gold)
        low, high = compared.figures["interval"]
        inside = -self.within <= low and high <= self.within
        outside = low > self.within or high < -self.within
        verdict = HOLDS if inside else FAILS if outside else UNDECIDED
        return Verdict(verdict, f"{compared.detail}; alike: up to {self.within} points", compared.figures)


class NotComparable(Better):
    """`worse` makes so many more errors that the paper gives no figure."""

    def _judge(self, found: Found, gold: Gold) -> Verdict:
        compared = Better._judge(self, found, gold)
        better, worse = compared.figures["errors"]
        ratio = worse / max(better, 1e-9)
        verdict = HOLDS if ratio > NOT_COMPARABLE else FAILS
        told = f"{ratio:.2f} times the error ({worse:.2f} to {better:.2f} %)"
        return Verdict(verdict, f"{told}; not comparable: more than {NOT_COMPARABLE} times", compared.figures)


@dataclass(frozen=True, slots=True)
class Steadier(Statement):
    """The dev score of `steady` moves less from pass to pass than that of `other`, in the second half of training."""

    steady: tuple[Experiment, ...]
    other: tuple[Experiment, ...]

    def experiments(self) -> tuple[Experiment, ...]:
        return self.steady + self.other

    def _judge(self, found: Found, gold: Gold) -> Verdict:  # noqa: ARG002 - as all statements
        """Compare the mean change from one pass to the next, in every order."""
        moves = [[_mean_move([p.kept for p in found[r].curve]) for r in runs] for runs in (self.steady, self.other)]
        pairs = [(a, b) for a, b in zip(*moves, strict=True) if a is not None and b is not None]
        if not pairs:
            return Verdict(UNDECIDED, "too few passes")
        calm, wild = (sum(side) / len(pairs) for side in zip(*pairs, strict=True))
        signs = {a < b for a, b in pairs}
        verdict = UNDECIDED if len(signs) > 1 else HOLDS if signs == {True} else FAILS
        told = f"mean change from pass to pass {calm:.2f} against {wild:.2f} points{_orders(len(pairs))}"
        return Verdict(verdict, told, {"moves": [calm, wild], "orders": len(pairs)})


@dataclass(frozen=True, slots=True)
class Faster(Statement):
    """`fast` takes clearly less CPU time to train than `slow`; clearly, because times are noisy."""

    fast: Experiment
    slow: Experiment

    def experiments(self) -> tuple[Experiment, ...]:
        return self.fast, self.slow

    def _judge(self, found: Found, gold: Gold) -> Verdict:  # noqa: ARG002 - as all statements
        """Compare CPU times; a ratio from 0.8 to 1.25 decides nothing."""
        ratio = found[self.slow].cpu_seconds / max(found[self.fast].cpu_seconds, 1e-9)
        verdict = HOLDS if ratio > 1.25 else FAILS if ratio < 0.8 else UNDECIDED
        return Verdict(verdict, f"{ratio:.1f} times as fast", {"ratio": ratio})


@dataclass(frozen=True, slots=True)
class Rises(Statement):
    """The variant `high` of the same models scores higher than the variant `low`."""

    runs: tuple[Experiment, ...]
    low: str
    high: str

    def experiments(self) -> tuple[Experiment, ...]:
        return self.runs

    def _judge(self, found: Found, gold: Gold) -> Verdict:
        """Compare the labels of two variants."""
        if any(not {self.low, self.high} <= set(found[run].variants) for run in self.runs):
            return Verdict(NOT_RUN, "its runs are missing")
        high, low = ([found[run].variants[name] for run in self.runs] for name in (self.high, self.low))
        verdict = _compared(self.runs[0], high, low, gold)
        return Verdict(verdict.verdict, f"{self.low} to {self.high}: {verdict.detail}", verdict.figures)


@dataclass(frozen=True, slots=True)
class Settles(Statement):
    """Training comes within `within` points of its best dev score after at most `passes` passes."""

    runs: tuple[Experiment, ...]
    passes: int
    within: float = 0.1

    def experiments(self) -> tuple[Experiment, ...]:
        return self.runs

    def _judge(self, found: Found, gold: Gold) -> Verdict:  # noqa: ARG002 - as all statements
        """Find the first pass that is as good as any, in every order."""
        curves = [[p.kept for p in found[run].curve] for run in self.runs]
        if any(len(curve) <= self.passes for curve in curves):
            return Verdict(UNDECIDED, f"too few passes: {self.passes + 1} or more are needed")
        settled = [next(i for i, score in enumerate(c, 1) if score >= max(c) - self.within) for c in curves]
        soon = [number <= self.passes for number in settled]
        verdict = HOLDS if all(soon) else UNDECIDED if any(soon) else FAILS
        told = f"within {self.within} points of the best after pass {', '.join(map(str, settled))}"
        return Verdict(verdict, f"{told}{_orders(len(soon))}", {"passes": settled})


@dataclass(frozen=True, slots=True)
class Higher(Statement):
    """One figure is higher than another of different sentences, such as those of dev and test."""

    high: tuple[Experiment, Value]
    low: tuple[Experiment, Value]

    def experiments(self) -> tuple[Experiment, ...]:
        return self.high[0], self.low[0]

    def _judge(self, found: Found, gold: Gold) -> Verdict:  # noqa: ARG002 - as all statements
        """Compare two figures; if they have intervals, a difference within their widths is undecided."""
        a, b = (value(found[run]) for run, value in (self.high, self.low))
        if a is None or b is None:
            return Verdict(NOT_RUN, "the data for one of its figures is missing")
        gain = a.value - b.value
        noise = sum(((high - low) / 2) ** 2 for low, high in (m.interval or (0.0, 0.0) for m in (a, b))) ** 0.5
        verdict = UNDECIDED if abs(gain) <= noise else HOLDS if gain > 0 else FAILS
        width = f", give or take {noise:.2f}" if noise else ""
        return Verdict(verdict, f"{a.value:.2f} to {b.value:.2f}{width}", {"difference": gain, "noise": noise})


def _compared(
    run: Experiment, better: Sequence[Result | Variant], worse: Sequence[Result | Variant], gold: Gold
) -> Verdict:
    """Judge whether `better` is better: on test if all have test labels, otherwise on dev."""
    part = "test" if all(side.on("test") is not None for side in (*better, *worse)) else "dev"
    right = gold(run, part)
    sides = [[labels for one in side if (labels := one.on(part)) is not None] for side in (better, worse)]
    gain, low, high = difference(right.labels, sides[0], sides[1], right.starts)
    orders = max(len(better), len(worse))
    is_by_document = len(right.starts) < len(right.labels)
    errors = [sum(100 - _scores(one, part) for one in side) / len(side) for side in (better, worse)]
    detail = f"{gain:+.2f} points on {part}, 95 % interval {low:+.2f} to {high:+.2f}{_orders(orders)}"
    figures = {
        "difference": gain,
        "interval": [low, high],
        "part": part,
        "orders": orders,
        "drawn": "documents" if is_by_document else "sentences",
        "errors": errors,
    }
    return Verdict(HOLDS if low > 0 else FAILS if high < 0 else UNDECIDED, detail, figures)


def _scores(one: Result | Variant, part: str) -> float:
    scores = one.dev if part == "dev" else one.test
    assert scores is not None
    return scores.score


def _orders(number: int) -> str:
    return f", {number} orders" if number > 1 else ""


def _mean_move(scores: Sequence[float]) -> float | None:
    late = scores[len(scores) // 2 :]
    moves = [abs(b - a) for a, b in pairwise(late)]
    return sum(moves) / len(moves) if len(moves) >= 2 else None


ROUNDS = 1000
Labels = Sequence[Sequence[str]]


def unit_starts(sentences: Sequence[Sentence]) -> list[int]:
    """Return the first sentence of every unit: of documents, or all sentences if there is only one document."""
    starts = [i for i, s in enumerate(sentences) if i == 0 or s.starts_document]
    return starts if len(starts) > 1 else list(range(len(sentences)))


def score_interval(gold: Labels, predicted: Labels, starts: Sequence[int]) -> tuple[float, float]:
    """Return the 95 % interval of the score of one labelling."""
    rows, score = count_rows(_lists(gold), _lists(predicted))
    return bootstrap_interval(_by_unit(rows, starts), score, ROUNDS, 0)


def difference(
    gold: Labels, better: Sequence[Labels], worse: Sequence[Labels], starts: Sequence[int]
) -> tuple[float, float, float]:
    """Return the difference of two systems, each with a labelling for each order, and its 95 % interval."""
    orders = max(len(better), len(worse))
    (ours, score), (others, _) = (_all_rows(gold, side, starts, orders) for side in (better, worse))
    both = np.concatenate([ours, others], axis=2)
    width = ours.shape[2]

    def gain(totals: Longs) -> Floats:
        return np.asarray(score(totals[..., :width]) - score(totals[..., width:]))

    rng = np.random.default_rng(0)
    units = both.shape[1]
    drawn_units = rng.multinomial(units, np.full(units, 1 / units), size=ROUNDS)
    drawn_orders = rng.multinomial(orders, np.full(orders, 1 / orders), size=ROUNDS)
    by_order = np.stack([drawn_units @ rows for rows in both], axis=1)
    low, high = np.percentile(gain((drawn_orders[:, :, None] * by_order).sum(axis=1)), [2.5, 97.5]).tolist()
    return float(gain(both.sum(axis=(0, 1)))), low, high


def _all_rows(gold: Labels, side: Sequence[Labels], starts: Sequence[int], orders: int) -> tuple[Longs, Score]:
    """Return the counts of a system in each order; a system that no order can change is repeated."""
    counted = [count_rows(_lists(gold), _lists(labels)) for labels in side]
    rows = [_by_unit(rows, starts) for rows, _ in counted]
    return np.stack([rows[i % len(rows)] for i in range(orders)]), counted[0][1]


def _by_unit(rows: Longs, starts: Sequence[int]) -> Longs:
    return np.add.reduceat(rows, starts, axis=0)


def _lists(labels: Labels) -> list[list[str]]:
    return [list(given) for given in labels]
