"""Compare two systems on the same sentences."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from perceptag.arrays import Floats, Longs, np, whole_number
from perceptag.evaluation.chunks import Corpus, check_policy, tally_chunks
from perceptag.evaluation.scoring import (
    MOST_ROUNDS,
    MOST_SAMPLES,
    MOST_SEED,
    Score,
    accuracy_rows,
    accuracy_score,
    bootstrap_interval,
    check_pair,
    f1_score,
    randomisation_p,
    schemes_of,
)
from perceptag.system.plural import plural

BY_CHANCE = 0.05  # a p-value above it does not show a difference; the 95 % interval says the same of large samples


@dataclass(frozen=True, slots=True)
class Comparison:
    """The result of `compare`. Scores are in per cent; `difference` is b minus a, `better` means b is better.

    `interval` is the 95 % paired bootstrap interval of the difference. `p_value` is that of a two-sided paired
    randomisation test: how often a difference this large would occur if the systems were equal. A sentence is
    better if it has fewer errors: spans missed or wrong, or wrong labels if labels are not spans.
    """

    main_score: str
    a: float
    b: float
    difference: float
    interval: tuple[float, float]
    p_value: float
    better: int
    worse: int
    equal: int
    rounds: int
    bootstrap: int
    seed: int

    def to_dict(self) -> dict[str, Any]:
        """Return everything as JSON values."""
        return asdict(self) | {"interval": list(self.interval)}

    def render(self) -> str:
        """Return the comparison as text."""
        return "\n".join(self._lines())

    def _repr_html_(self) -> str:
        """Return the comparison as HTML, for notebooks."""
        from perceptag.system.html import lines_html  # only notebooks ask for it

        return lines_html(self._lines())

    def _lines(self) -> list[str]:
        name = "FB1" if self.main_score == "f1" else self.main_score
        samples = f"{self.bootstrap} paired bootstrap samples, seed {self.seed}"
        test = f"paired randomisation test, {self.rounds} rounds, seed {self.seed}"
        low, high = self.interval
        differing = plural(self.better + self.worse, "sentence")
        disagree = f"the interval excludes 0, the p-value does not confirm it: {differing} with a difference are few"
        return [
            f"{name}: a {self.a:.2f}, b {self.b:.2f}; difference {self.difference:+.2f}",
            f"95 % interval of the difference: {low:+.2f} to {high:+.2f} ({samples})",
            f"p-value: {self.p_value:.4f} ({test})",
            f"sentences where b is better: {self.better}; worse: {self.worse}; equal: {self.equal}",
            *([disagree] if (low > 0 or high < 0) and self.p_value > BY_CHANCE else []),
        ]


def compare(
    gold: Corpus,
    a: Corpus,
    b: Corpus,
    *,
    scheme: str = "auto",
    repair: str = "conlleval",
    rounds: int = 10000,
    bootstrap: int = 1000,
    seed: int = 0,
) -> Comparison:
    """Compare the labels of systems `a` and `b` by F1 of spans, or by accuracy if the labels are not spans.

    `scheme` and `repair` are those of `evaluate`. Swapping `a` and `b` gives the same p-value, and the
    difference with the other sign.

    >>> print(compare([["NN"], ["VB"]], [["NN"], ["NN"]], [["NN"], ["VB"]], rounds=99).render())
    accuracy: a 50.00, b 100.00; difference +50.00
    95 % interval of the difference: +0.00 to +100.00 (1000 paired bootstrap samples, seed 0)
    p-value: 1.0000 (paired randomisation test, 99 rounds, seed 0)
    sentences where b is better: 1; worse: 0; equal: 1
    """
    check_policy(repair)
    rounds = whole_number("rounds", rounds, 1, MOST_ROUNDS)
    bootstrap = whole_number("bootstrap", bootstrap, 1, MOST_SAMPLES)
    seed = whole_number("seed", seed, 0, MOST_SEED)
    check_pair(gold, a, "a")
    check_pair(gold, b, "b")
    rows_a, score = count_rows(gold, a, scheme, repair)
    rows_b, _ = count_rows(gold, b, scheme, repair)
    # The draws depend on the order of the systems. One order for both directions makes the result exactly symmetric.
    swap = rows_b.tolist() < rows_a.tolist()
    first, second = (rows_b, rows_a) if swap else (rows_a, rows_b)
    low, high = difference_interval(first, second, score, bootstrap, seed)
    gain = _errors(rows_a) - _errors(rows_b)
    score_a, score_b = float(score(rows_a.sum(axis=0))), float(score(rows_b.sum(axis=0)))
    return Comparison(
        main_score="f1" if score is f1_score else "accuracy",
        a=score_a,
        b=score_b,
        difference=score_b - score_a,
        interval=(-high, -low) if swap else (low, high),
        p_value=randomisation_p(first, second, score, rounds, seed),
        better=int((gain > 0).sum()),
        worse=int((gain < 0).sum()),
        equal=int((gain == 0).sum()),
        rounds=rounds,
        bootstrap=bootstrap,
        seed=seed,
    )


def count_rows(gold: Corpus, predicted: Corpus, scheme: str = "auto", repair: str = "conlleval") -> tuple[Longs, Score]:
    """Return the counts of each sentence, and the function that computes the score from their sum."""
    schemes, _ = schemes_of(gold, predicted, scheme)
    if schemes[0] == "none":
        return accuracy_rows(gold, predicted), accuracy_score
    return tally_chunks(gold, predicted, schemes, repair).rows, f1_score


def _errors(rows: Longs) -> Longs:
    """Return the errors of each sentence: wrong tokens (K = 2), or wrong and missed chunks (K = 3)."""
    errors: Longs = rows[:, 1:].sum(axis=1) - (rows.shape[1] - 1) * rows[:, 0]
    return errors


def difference_interval(a: Longs, b: Longs, score: Score, rounds: int, seed: int) -> tuple[float, float]:
    """Return the 95 % interval of the score of b minus that of a, both with the same draws of sentences."""

    def difference(totals: Longs) -> Floats:
        return score(totals[..., a.shape[1] :]) - score(totals[..., : a.shape[1]])

    return bootstrap_interval(np.hstack([a, b]), difference, rounds, seed)


SAMPLES = 1000  # of the bootstrap
ERRORS_IN_INTERVAL = 3.92  # a 95 % interval is so many standard errors wide

Labels = Sequence[Sequence[str]]


def standard_errors(gold: Labels, a: Labels, b: Labels) -> float:
    """By how many standard errors of the difference b is better than a."""
    rows, score = count_rows(gold, a)
    return errors_of_rows(rows, count_rows(gold, b)[0], score)


def errors_of_rows(a: Longs, b: Longs, score: Score) -> float:
    """The same for the counts of each sentence."""
    gain = float(score(b.sum(axis=0)) - score(a.sum(axis=0)))
    low, high = difference_interval(a, b, score, SAMPLES, seed=0)
    return gain * ERRORS_IN_INTERVAL / (high - low) if high > low else 0.0
