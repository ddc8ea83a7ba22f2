"""The systems that only the reproduction has: the maximum-likelihood trigram tagger, and easiest first."""

from __future__ import annotations

from perceptag.reproduce.corpora import CORPORA, Folder
from perceptag.reproduce.easiest_first import train_easiest_first
from perceptag.reproduce.likelihood_hmm import train_hmm


def test_both_tag_better_than_the_most_frequent_tag():
    parts = Folder("shipped").load(CORPORA["pos"])
    gold = [tag for s in parts.dev for tag in s.columns["xpos"]]
    shares = {}
    for name, train in (("hmm", train_hmm), ("easiest", train_easiest_first)):
        found = train(parts.train, "xpos")(parts.dev)
        assert [len(tags) for tags in found] == [len(s) for s in parts.dev]
        shares[name] = sum(a == b for a, b in zip([t for tags in found for t in tags], gold, strict=True)) / len(gold)
    assert 0.8 < shares["hmm"] < shares["easiest"] < 1
