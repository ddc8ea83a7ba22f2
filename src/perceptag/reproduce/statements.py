"""Statements of the papers that can be tested: do they hold here?

A statement is about two systems on the same dev sentences. The difference of their scores, summed over seeds, is
resampled over sentences. If the 95 % interval is on one side of 0, the statement holds or does not hold; otherwise it
is undecided at this noise level. The interval covers the choice of dev sentences; seeds only enlarge the sample.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from perceptag.evaluation.comparison import count_rows, difference_interval
from perceptag.reproduce.experiment import Experiment
from perceptag.reproduce.tables import Found

HOLDS, FAILS, UNDECIDED, NOT_RUN = "holds", "does not hold", "undecided", "not run"
Gold = Callable[[Experiment], list[list[str]]]


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a statement holds, and the figures that decide."""

    verdict: str
    detail: str


@dataclass(frozen=True, slots=True)
class Better:
    """`better` scores higher than `worse`; pairs of runs, one for each seed."""

    paper: str
    text: str
    better: tuple[Experiment, ...]
    worse: tuple[Experiment, ...]

    def experiments(self) -> tuple[Experiment, ...]:
        """All runs that the statement needs."""
        return self.better + self.worse

    def judge(self, found: Found, gold: Gold) -> Verdict:
        """Compare the dev labels of both."""
        if any(run not in found for run in self.experiments()):
            return Verdict(NOT_RUN, "its runs are missing")
        better, worse = ([found[run].predicted for run in runs] for runs in (self.better, self.worse))
        return _compare(gold(self.better[0]), better, worse)


@dataclass(frozen=True, slots=True)
class Steadier:
    """The dev score of `steady` moves less from pass to pass than that of `other`, in the second half of training."""

    paper: str
    text: str
    steady: Experiment
    other: Experiment

    def experiments(self) -> tuple[Experiment, ...]:
        """Both runs."""
        return self.steady, self.other

    def judge(self, found: Found, gold: Gold) -> Verdict:  # noqa: ARG002 - as all statements
        """Compare the mean change from one pass to the next."""
        if any(run not in found for run in self.experiments()):
            return Verdict(NOT_RUN, "its runs are missing")
        moves = [_mean_move([p.kept for p in found[run].curve]) for run in self.experiments()]
        if None in moves:
            return Verdict(UNDECIDED, "too few passes")
        a, b = (m for m in moves if m is not None)
        return Verdict(HOLDS if a < b else FAILS, f"mean change from pass to pass {a:.2f} against {b:.2f} points")


@dataclass(frozen=True, slots=True)
class Faster:
    """`fast` takes clearly less CPU time to train than `slow`; clearly, because times are noisy."""

    paper: str
    text: str
    fast: Experiment
    slow: Experiment

    def experiments(self) -> tuple[Experiment, ...]:
        """Both runs."""
        return self.fast, self.slow

    def judge(self, found: Found, gold: Gold) -> Verdict:  # noqa: ARG002 - as all statements
        """Compare CPU times; a ratio from 0.8 to 1.25 decides nothing."""
        if any(run not in found for run in self.experiments()):
            return Verdict(NOT_RUN, "its runs are missing")
        ratio = found[self.slow].cpu_seconds / max(found[self.fast].cpu_seconds, 1e-9)
        verdict = HOLDS if ratio > 1.25 else FAILS if ratio < 0.8 else UNDECIDED
        return Verdict(verdict, f"{ratio:.1f} times as fast")


@dataclass(frozen=True, slots=True)
class Rises:
    """The variant `high` of the same model scores higher on dev than the variant `low`."""

    paper: str
    text: str
    run: Experiment
    low: str
    high: str

    def experiments(self) -> tuple[Experiment, ...]:
        """The one run."""
        return (self.run,)

    def judge(self, found: Found, gold: Gold) -> Verdict:
        """Compare the dev labels of two variants."""
        if self.run not in found or not {self.low, self.high} <= set(found[self.run].variants):
            return Verdict(NOT_RUN, "its runs are missing")
        variants = found[self.run].variants
        verdict = _compare(gold(self.run), [variants[self.high].predicted], [variants[self.low].predicted])
        return Verdict(verdict.verdict, f"{self.low} to {self.high}: {verdict.detail}")


Statement = Better | Steadier | Faster | Rises


def _compare(gold: list[list[str]], better: Sequence[list[list[str]]], worse: Sequence[list[list[str]]]) -> Verdict:
    """Judge whether `better` is better; both have one labelling of the same sentences for each seed."""
    _, score = count_rows(gold, better[0])
    ours, others = (np.sum([count_rows(gold, labels)[0] for labels in side], axis=0) for side in (better, worse))
    low, high = (-end for end in reversed(difference_interval(ours, others, score, 1000, 0)))
    gain = float(score(ours.sum(axis=0)) - score(others.sum(axis=0)))
    detail = f"{gain:+.2f} points, 95 % interval {low:+.2f} to {high:+.2f}"
    if len(better) > 1:
        detail += f", {len(better)} seeds"
    return Verdict(HOLDS if low > 0 else FAILS if high < 0 else UNDECIDED, detail)


def _mean_move(scores: Sequence[float]) -> float | None:
    late = scores[len(scores) // 2 :]
    moves = [abs(b - a) for a, b in pairwise(late)]
    return sum(moves) / len(moves) if len(moves) >= 2 else None
