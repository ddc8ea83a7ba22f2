"""The benchmarks of plain text: vectors, typical words, classes of two kinds in one file, gains over seeds."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks import tries
from perceptag import Sentence, WordClasses

pytest.importorskip("scipy")

from scipy import sparse

from benchmarks import text_resources as resources
from benchmarks import text_tries


def test_pairs_within_two_words_of_a_sentence_are_counted(tmp_path, monkeypatch):
    text = tmp_path / "text.txt"
    text.write_text("a b c d\na rare b\n")
    monkeypatch.setattr(resources, "CONTEXTS", 3)
    counts = resources.count_pairs(text, ("a", "b", "c", "d")).toarray()
    assert counts.tolist() == [[0, 2, 1], [2, 0, 1], [1, 1, 0], [0, 1, 1]]


def test_few_singular_vectors_are_those_of_all():
    scores = np.random.default_rng(1).random((40, 30)).astype(np.float32) ** 4
    left, values = resources.truncated_svd(sparse.csr_matrix(scores), 3)
    all_left, all_values, _ = np.linalg.svd(scores)
    assert values == pytest.approx(all_values[:3], rel=1e-4)
    assert np.abs((left * all_left[:, :3]).sum(axis=0)) == pytest.approx(np.ones(3), rel=1e-3)


def test_words_that_never_meet_have_no_mutual_information():
    found = resources.ppmi(sparse.csr_matrix(np.array([[4.0, 0.0], [0.0, 4.0]]))).toarray()
    assert found == pytest.approx(np.array([[np.log(2), 0], [0, np.log(2)]]))


def test_two_kinds_of_classes_become_one_file():
    text = [["the", noun, verb] for noun in ("dog", "cat", "cow") for verb in ("runs", "eats")]
    three, two = (WordClasses.learn(text, [size]) for size in (3, 2))
    both = resources.joined(three, two)
    assert both.sizes == (2, 3)
    assert [both.of("dog", 2), both.of("dog", 3)] == [two.of("dog", 2), three.of("dog", 3)]


def test_typical_words_are_those_that_mostly_have_the_label():
    words, labels = ["in", "Rome", "in", "Rome", "in", "May"], ["O", "B-LOC", "O", "B-LOC", "B-LOC", "O"]
    found = text_tries.typical([Sentence({"form": words, "ner": labels})], "ner")
    assert found == {"O": ["in"], "B-LOC": ["Rome"]}


def test_gains_are_over_the_named_try_and_its_seeds():
    rows = [("A", "base", 1, 50), ("A", "x", 1, 60), ("B", "base", 1, 70), ("B", "x", 1, 74), ("A", "x", 2, 90)]
    results = [dict(zip(("corpus", "try", "seed", "score"), row, strict=True), seconds=1) for row in rows]
    shown = tries.table(results + tries.means(results, ["A", "B"]))
    assert "| mean of 2 | x | 1 | 67.00 | +7.00 |" in shown
    assert "| A | x | 1 2 | 75.00 | +10.00 |" in shown
    assert "| A | base | 1 | 50.00 | -10.00 |" in tries.table(results, over="x")
