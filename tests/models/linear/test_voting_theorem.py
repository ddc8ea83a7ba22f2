"""Theorem 3 of Collins (2002), after Freund and Schapire (1999), by enumeration of all samples.

"Assume all examples are generated i.i.d. at random. Let (x_1, y_1) ... (x_n, y_n) be a sequence of training examples
and let (x_n+1, y_n+1) be a test example. Then the probability (over the choice of all n + 1 examples) that the
voted-perceptron algorithm does not predict y_n+1 on input x_n+1 is at most

    2 / (n + 1) E_n+1 [ min_U,delta (R + D_U,delta)^2 / delta^2 ]

where E_n+1[] is an expected value taken over n + 1 examples, R and D_U,delta are as defined above, and the min is taken
over delta > 0, ||U|| = 1."

Examples are single words, so that U is an angle and the minimum can be found on a grid. Any U gives at least the
minimum: where the theorem holds, the test holds.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import pairwise, product

import pytest

from perceptag.features.template import parse
from reference.features import Feature
from reference.perceptron import Example, best_labelling, visited_weights
from reference.voted import record, vote

LABELS = ("A", "B")
WORD = parse("form[0]")
R = math.sqrt(2)  # |Phi(x, y) - Phi(x, z)|: one feature more and one less


def example(word: str, label: str) -> Example:
    return ((Feature(WORD, (word,)),),), (label,)


# What words are drawn, with their labels and probabilities.
DISTRIBUTIONS = {
    "two words": {("u", "A"): Fraction(1, 2), ("v", "B"): Fraction(1, 2)},
    "a rare word": {("u", "A"): Fraction(7, 8), ("v", "B"): Fraction(1, 8)},
    "a word with two labels": {("u", "A"): Fraction(3, 4), ("u", "B"): Fraction(1, 8), ("v", "B"): Fraction(1, 8)},
    "one label only": {("u", "B"): Fraction(1, 2), ("v", "B"): Fraction(1, 2)},
}
Drawn = tuple[tuple[str, str], ...]


def samples(name: str, size: int) -> Iterator[tuple[Drawn, Fraction]]:
    """All sequences of examples, each with its probability."""
    probabilities = DISTRIBUTIONS[name]
    for drawn in product(probabilities, repeat=size):
        yield drawn, math.prod((probabilities[e] for e in drawn), start=Fraction(1))


def visited(drawn: Drawn) -> list[dict]:
    """The vectors of one pass, from zero on."""
    return [{}, *visited_weights([[example(*e) for e in drawn]], LABELS)]


def errs(vectors: Sequence[dict], test: tuple[str, str]) -> bool:
    x, y = example(*test)
    return vote(record(vectors), x, LABELS) != y


def mistakes(drawn: Drawn) -> int:
    return sum(a != b for a, b in pairwise(visited(drawn)))


@cache
def bound(counts: frozenset[tuple[tuple[str, str], int]]) -> float:
    """min (R + D)^2 / delta^2 over a grid of U and delta."""
    least = math.inf
    for step in range(96):
        angle = 2 * math.pi * step / 96
        u = {"u": math.cos(angle), "v": math.sin(angle)}  # times 1 / sqrt(2) for A, and minus that for B
        margins = [(R * u[w] * (1 if y == "A" else -1), n) for (w, y), n in counts]
        for delta in (0.1, 0.25, 0.5, 0.75, 1.0, 1.25, R, 2.0, 3.0):
            D = math.sqrt(sum(n * max(0.0, delta - m) ** 2 for m, n in margins))
            least = min(least, (R + D) ** 2 / delta**2)
    return least


@pytest.mark.parametrize("n", [1, 3, 6])
@pytest.mark.parametrize("name", DISTRIBUTIONS)
def test_theorem_3_the_voted_perceptron_on_a_new_example(name: str, n: int) -> None:
    wrong, expected_mistakes, expected_bound = Fraction(0), Fraction(0), 0.0
    for drawn, probability in samples(name, n + 1):
        *train, test = drawn
        wrong += probability * errs(visited(tuple(train))[1:], test)
        found = mistakes(drawn)
        least = bound(frozenset((e, drawn.count(e)) for e in drawn))
        assert found <= least + 1e-9  # theorem 2; some samples attain it
        expected_mistakes += probability * found
        expected_bound += float(probability) * least
    assert wrong > 0
    assert wrong <= 2 * expected_mistakes / (n + 1)  # what the proof shows
    assert wrong <= 2 * expected_bound / (n + 1)  # theorem 3


def test_the_bound_says_something() -> None:
    """It is below 1, and a vote of the last vector alone would be another learner."""
    expected = sum(float(p) * bound(frozenset((e, d.count(e)) for e in d)) for d, p in samples("two words", 7))
    assert 2 * expected / 7 < 0.8
    differ = 0
    for (*train, (word, label)), _ in samples("a word with two labels", 7):
        x, y = example(word, label)
        vectors = visited(tuple(train))[1:]
        differ += errs(vectors, (word, label)) != (best_labelling(vectors[-1], x, LABELS) != y)
    assert differ > 0
