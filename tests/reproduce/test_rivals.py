"""The systems that only the reproduction has: the maximum-likelihood trigram tagger, and easiest first."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from perceptag.reproduce import likelihood_hmm
from perceptag.reproduce.corpora import CORPORA, Folder
from perceptag.reproduce.easiest_first import train_easiest_first
from perceptag.reproduce.likelihood_hmm import train_hmm


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
