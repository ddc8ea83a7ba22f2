"""Counts of words and bigrams: exact below the limits, bounded beyond them."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from class_toys import count, random_text
from perceptag import DataError
from perceptag.classes.clustering import Clustering
from perceptag.classes.counting import Counting, checked_sizes
from reference import exchange as reference


@settings(max_examples=100, deadline=None)
@given(st.lists(st.text(st.sampled_from("ab \t中"), max_size=12), min_size=1, max_size=8), st.integers(1, 3))
def test_lines_are_cut_at_spaces_and_tabs(lines: list[str], min_count: int) -> None:
    text = [line.split() for line in lines]
    words = reference.vocabulary(text, min_count)
    counting = Counting()
    counting.add_text("\n".join(lines))
    assert counting.tokens == sum(map(len, text))
    if len(words) < 2:
        with pytest.raises(DataError):
            counting.finish(min_count)
        return
    found = counting.finish(min_count)
    assert found.counts.words == words
    counts = Counter(word for sentence in text for word in sentence)
    assert found.counts.counts.tolist() == [counts[word] for word in words]
    assert found.facts["sentences"] == sum(map(bool, text)) and found.facts["types"] == len(counts)
    assert found.counts.fingerprint == count(text, min_count).counts.fingerprint


def test_blocks_do_not_matter() -> None:
    lines = [" ".join(sentence) + "\n" for sentence in random_text(1, 500)]
    whole, parts = Counting(), Counting()
    whole.add_text("".join(lines))
    for line in lines:
        parts.add_text(line)
    assert whole.finish(1).counts.fingerprint == parts.finish(1).counts.fingerprint


def test_many_words() -> None:
    text = [[f"{i}", f"{i}", f"x{i % 7}"] for i in range(20_000)]  # the tables grow several times
    found = count(text, 2)
    assert len(found.counts) == 20_007
    assert found.counts.words[:3] == ["x0", "x1", "x2"] and found.facts["bigrams"] == 20_000 * 3 + 7


def test_folding_is_as_told() -> None:
    text = [["In", "1984", "IN", "١٩٨٤"], ["in", "2001", "In", "x"]]
    assert count(text).counts.words == ["In", "1984", "2001", "IN", "in", "x", "١٩٨٤"]
    assert count(text, folding=["digits"]).counts.words == ["0000", "In", "IN", "in", "x"]
    assert count(text, folding=["lower", "digits"]).counts.words == ["in", "0000", "x"]
    assert count(text, folding=["lower", "digits"]).folding == ("digits", "lower")


def test_words_beyond_the_limit_are_rare_words() -> None:
    common = [["the", "dog"]] * 50
    text = [sentence for i in range(400) for sentence in ([f"rare{i}"], common[i % 50])]
    found = count(text, 2, most_words=100)
    assert found.counts.words == ["dog", "the"] and found.counts.counts.tolist() == [400, 400]
    assert found.facts["dropped_words"] > 200 and found.facts["tokens"] == 1200
    assert count(text, 2, most_words=1000).facts["dropped_words"] == 0


def test_bigrams_beyond_the_limit_are_forgotten() -> None:
    text = [*random_text(2, 2000, words=60), *[["dog", "barks"]] * 100]
    whole, bounded = count(text), count(text, most_bigrams=300)
    assert bounded.counts.words == whole.counts.words
    assert whole.facts["dropped_bigrams"] == 0 < bounded.facts["dropped_bigrams"]
    assert bounded.facts["bigrams"] <= 300 < whole.facts["bigrams"]
    clustering = Clustering(bounded, (8,))  # counts of words and of bigrams differ now
    likelihoods = [report.likelihood for report in clustering.run()]
    assert likelihoods == sorted(likelihoods)


@pytest.mark.parametrize("word", ["", "a\nb", None, 3])
def test_words_that_are_not_words_are_refused(word: object) -> None:
    with pytest.raises(DataError, match="expected words, each a string without a line end"):
        Counting().add_sentence(["a", word])  # type: ignore[list-item]


def test_sizes_are_put_in_order() -> None:
    assert checked_sizes([256, 64]) == (64, 256)
