"""Intervals and paired tests."""

from __future__ import annotations

import json
import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evaluated import Corpus, valid_corpus
from perceptag.evaluation import compare, evaluate
from perceptag.evaluation.chunks import tally_chunks
from perceptag.evaluation.scoring import bootstrap_interval, f1_score, randomisation_p


def noisy(rng: random.Random, gold: Corpus, errors: float) -> Corpus:
    return [[y if rng.random() > errors else "O" for y in labels] for labels in gold]


def test_bootstrap_depends_on_the_seed_only(gold: Corpus) -> None:
    predicted = noisy(random.Random(5), gold, 0.1)
    intervals = [evaluate(gold, predicted, seed=seed).interval for seed in (1, 1, 2)]
    assert intervals[0] == intervals[1] != intervals[2]
    report = evaluate(gold, predicted)
    assert report.interval is not None
    assert report.f1 is not None
    assert report.interval[0] < report.f1 < report.interval[1]
    assert evaluate(gold, predicted, bootstrap=0).interval is None
    assert evaluate(gold, gold).interval == (100.0, 100.0)


def test_bootstrap_is_that_of_drawing_sentences(gold: Corpus) -> None:
    predicted = noisy(random.Random(6), gold, 0.1)
    rows = tally_chunks(gold, predicted, ("IOB2", "IOB2"), "conlleval").rows
    rng = np.random.default_rng(7)
    plain = [float(f1_score(rows[rng.integers(len(rows), size=len(rows))].sum(axis=0))) for _ in range(4000)]
    expected = np.percentile(plain, [2.5, 97.5]).tolist()
    assert bootstrap_interval(rows, f1_score, 4000, seed=0) == pytest.approx(expected, abs=0.3)


def test_randomisation_is_that_of_swapping_sentences(gold: Corpus) -> None:
    rng = random.Random(8)
    a, b = (tally_chunks(gold, noisy(rng, gold, e), ("IOB2", "IOB2"), "conlleval").rows for e in (0.10, 0.10))
    observed = abs(float(f1_score(b.sum(axis=0)) - f1_score(a.sum(axis=0))))
    draws = np.random.default_rng(9)
    extreme = 0
    for _ in range(4000):
        swap = draws.integers(2, size=(len(a), 1))
        x, y = np.where(swap, b, a).sum(axis=0), np.where(swap, a, b).sum(axis=0)
        extreme += abs(float(f1_score(y) - f1_score(x))) >= observed - 1e-9
    assert 0.02 < extreme / 4000 < 0.98  # otherwise the test shows nothing
    assert randomisation_p(a, b, f1_score, 4000, seed=0) == pytest.approx(extreme / 4000, abs=0.04)


def test_compare_equal_systems(gold: Corpus) -> None:
    a = noisy(random.Random(10), gold, 0.1)
    result = compare(gold, a, [list(labels) for labels in a], rounds=500)
    assert (result.p_value, result.difference, result.interval) == (1.0, 0.0, (0.0, 0.0))
    assert (result.better, result.worse, result.equal) == (0, 0, len(gold))


def test_compare_a_better_system(gold: Corpus) -> None:
    rng = random.Random(11)
    a, b = noisy(rng, gold, 0.2), noisy(rng, gold, 0.05)
    result = compare(gold, a, b)
    assert result.p_value < 0.001
    assert 0 < result.interval[0] < result.difference < result.interval[1]
    assert result.better > result.worse
    assert result.better + result.worse + result.equal == len(gold)
    assert result.b == pytest.approx(evaluate(gold, b, bootstrap=0).f1)
    assert result.main_score == "f1"
    assert json.loads(json.dumps(result.to_dict())) == result.to_dict()
    assert result.render().startswith(f"FB1: a {result.a:.2f}, b {result.b:.2f}; difference +")


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 1000), st.integers(0, 3))
def test_compare_is_symmetric(seed: int, test_seed: int) -> None:
    rng = random.Random(seed)
    corpus = valid_corpus(rng, "IOB2", 20)[0]
    a, b = noisy(rng, corpus, 0.1), noisy(rng, corpus, 0.1)
    there, back = (compare(corpus, *pair, rounds=200, seed=test_seed) for pair in ((a, b), (b, a)))
    assert there.p_value == back.p_value
    assert there.difference == -back.difference
    assert there.interval == (-back.interval[1], -back.interval[0])
    assert (there.better, there.worse) == (back.worse, back.better)


def test_compare_parts_of_speech() -> None:
    gold = [["NN", "VB"]] * 100
    result = compare(gold, [["NN", "NN"]] * 100, gold, rounds=200)
    assert (result.main_score, result.a, result.b) == ("accuracy", 50.0, 100.0)
    assert result.p_value == pytest.approx(1 / 201)
