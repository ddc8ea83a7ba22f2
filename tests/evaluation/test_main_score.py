"""The score of one labelling after another is what `evaluate` says."""

from __future__ import annotations

import random

import pytest

from perceptag import DataError, evaluate
from perceptag.evaluation import scoring
from perceptag.evaluation.scoring import MainScore

USUAL = ["O", "O", "B-A", "I-A", "I-B"]
ODD = [*USUAL, "[-A", "]-B", "S", "."]  # of which chunks may go on in the next sentence
TAGS = ["DT", "NN", "VBZ"]


def drawn(labels: list[str], random_: random.Random, like: list[list[str]] | None = None) -> list[list[str]]:
    sizes = [len(some) for some in like] if like else [random_.randrange(6) for _ in range(12)]
    found = [random_.choices(labels, k=size) for size in sizes]
    return [old if random_.random() < 0.4 else new for old, new in zip(like or found, found, strict=True)]


@pytest.mark.parametrize("labels", [USUAL, ODD, TAGS])
def test_scores_are_those_of_evaluate(labels: list[str]) -> None:
    for seed in range(40):
        random_ = random.Random(seed)
        gold = [["B-A", "O"] if labels is not TAGS else ["DT"], *drawn(labels[: 5 if seed % 2 else None], random_)]
        scores = MainScore(gold)
        for found in (gold, *(drawn(labels, random_, gold) for _ in range(3))):
            report = evaluate(gold, found, bootstrap=0)
            assert scores.score(found) == report.main_score[1]
            assert scores.of_tokens or scores.chunks(found) == report.chunks


def test_what_cannot_be_compared_is_refused() -> None:
    with pytest.raises(DataError, match="expected labels to evaluate, found none"):
        MainScore([[]])
    with pytest.raises(DataError, match="expected 2 labels as in gold, found 1"):
        MainScore([["O"], ["B-A", "O"]]).score([["O"], ["O"]])


@pytest.mark.parametrize("most", [0, 5, 100])
def test_counts_of_a_labelling_are_remembered_up_to_a_limit(most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scoring, "MOST_COUNTED", most)
    tallied: list[int] = []
    tally = scoring.tally_chunks
    monkeypatch.setattr(scoring, "tally_chunks", lambda gold, *rest: tallied.append(len(gold)) or tally(gold, *rest))
    random_ = random.Random(1)
    gold = drawn(USUAL, random_)
    found = [drawn(USUAL, random_, gold) for _ in range(4)]
    expected = [evaluate(gold, one, bootstrap=0).chunks for one in found]
    scores = MainScore(gold)
    del tallied[:]
    assert [scores.chunks(one) for one in (*found, *found)] == expected * 2
    assert all(n > 0 for n in tallied[:4])
    assert any(tallied[4:]) == (most < 100)
    assert len(scores._counted) <= most + len(gold)
