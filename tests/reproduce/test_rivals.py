"""The systems that only the reproduction has: the maximum-likelihood trigram tagger, and easiest first."""

from __future__ import annotations

from itertools import product
from math import log

import numpy as np
import pytest

from perceptag.reproduce import likelihood_hmm
from perceptag.reproduce.corpora import CORPORA, Folder
from perceptag.reproduce.easiest_first import _case, train_easiest_first
from perceptag.reproduce.likelihood_hmm import train_hmm
from perceptag.text import Sentence

TINY = [
    Sentence({"form": ["the", "dog", "barks"], "xpos": ["D", "N", "V"]}),
    Sentence({"form": ["the", "bark"], "xpos": ["D", "N"]}),
]


def test_probabilities_are_shares_of_counts():
    index = {"D": 0, "N": 1, "V": 2}
    moves = likelihood_hmm._transitions(TINY, "xpos", index)
    a, b, c, rest = likelihood_hmm._WEIGHTS
    assert moves[3, 3, 0] == pytest.approx(log(a * 1 + b * 1 + c * 2 / 5 + rest / 3)), "both sentences begin with D"
    assert moves[3, 0, 1] == pytest.approx(log(a + b + c * 2 / 5 + rest / 3))
    assert np.exp(moves[3, 0]).sum() == pytest.approx(1)
    words, _ = likelihood_hmm._emissions(TINY, "xpos", index)
    assert words["dog"][1] == pytest.approx(log(1 / 2)) and words["the"][0] == pytest.approx(0)


@pytest.mark.parametrize("seed", range(5))
def test_the_search_finds_the_best_of_all_labellings(seed: int):
    rng = np.random.default_rng(seed)
    n, length = 3, 4
    moves, words = rng.normal(size=(n + 1, n + 1, n)), list(rng.normal(size=(length, n)))

    def score(labels: tuple[int, ...]) -> float:
        before = (n, n, *labels)
        return sum(moves[before[i], before[i + 1], z] + words[i][z] for i, z in enumerate(labels))

    best = max(product(range(n), repeat=length), key=score)
    assert tuple(likelihood_hmm._viterbi(moves, words)) == best
    assert likelihood_hmm._viterbi(moves, words[:1]) == [int(np.argmax(moves[n, n] + words[0]))]


def test_both_tag_better_than_the_most_frequent_tag():
    parts = Folder("shipped").load(CORPORA["pos"])
    gold = [tag for s in parts.dev for tag in s.columns["xpos"]]
    shares = {}
    for name, train in (("hmm", train_hmm), ("easiest", train_easiest_first)):
        found = train(parts.train, "xpos")(parts.dev)
        assert [len(tags) for tags in found] == [len(s) for s in parts.dev]
        shares[name] = sum(a == b for a, b in zip([t for tags in found for t in tags], gold, strict=True)) / len(gold)
    assert 0.8 < shares["hmm"] < shares["easiest"] < 1


def test_neighbours_are_known_when_they_are_tagged():
    tags = ["D", "?", "?", "V"]
    assert [_case(tags, t) for t in (1, 2)] == [("left",), ("right",)]
    assert _case(["?", "N"], 0) == ("right",) and _case(["D", "?", "V"], 1) == ("left", "right")
