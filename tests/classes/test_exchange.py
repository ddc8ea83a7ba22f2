"""Clustering by exchange: equal to the slow reference, and what must hold for any text."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from class_toys import Text, clustered, count, random_text
from perceptag import SettingError, _core
from perceptag.classes.clustering import Clustering, by_frequency, deal
from perceptag.system import memory
from reference import exchange as reference

WORDS = st.sampled_from(["a", "b", "c", "d", "e", "f", "ä", "Ω", "中"])
TEXTS = st.lists(st.lists(WORDS, max_size=7), min_size=1, max_size=10).filter(
    lambda text: len({word for sentence in text for word in sentence}) > 3
)


@settings(max_examples=150, deadline=None)
@given(TEXTS, st.integers(2, 4), st.integers(1, 2), st.integers(1, 4))
def test_classes_are_those_of_the_reference(text: Text, size: int, min_count: int, passes: int) -> None:
    words = reference.vocabulary(text, min_count)
    if len(words) < size:
        return
    found = clustered(text, size, min_count=min_count, passes=passes)
    assert found.counted.counts.words == words
    history = reference.cluster(text, size, min_count, passes)
    done = found.progress[size]
    assert done.classes.tolist() == [history[-1][word] for word in words]
    assert len(done.passes) == len(history) - 1


@settings(max_examples=60, deadline=None)
@given(TEXTS, st.integers(2, 4))
def test_no_move_lowers_the_likelihood(text: Text, size: int) -> None:
    counts = count(text).counts
    bigrams = reference.bigrams(text, counts.words)
    exchange = _core.Exchange(counts, size, deal(len(counts), size))
    before = exchange.likelihood
    for _ in range(3):
        for word in range(len(counts)):
            moved = exchange.visit(word, word + 1)
            after = exchange.likelihood
            assert after > before if moved else after == before
            before = after
        assert before == reference.likelihood(bigrams, dict(zip(counts.words, exchange.classes.tolist(), strict=True)))


def test_words_with_the_same_neighbours_share_a_class() -> None:
    text = [["the", noun, verb] for noun in ("dog", "cat", "cow") for verb in ("runs", "eats", "sleeps")]
    found = clustered([*text, *text], 3).result()
    assert {found.of(word, 3) for word in ("dog", "cat", "cow")} == {found.of("dog", 3)}
    assert {found.of(word, 3) for word in ("runs", "eats", "sleeps")} == {found.of("runs", 3)}
    assert len({found.of(word, 3) for word in ("the", "dog", "runs")}) == 3


def test_all_classes_have_words() -> None:
    text = random_text(3, 200)
    found = clustered(text, 2, 7, 30).result()
    assert [len(set(column)) for column in found.numbers.T.tolist()] == [2, 7, 30]


@pytest.mark.parametrize("threads", [2, 3, 16])
def test_threads_change_nothing(threads: int) -> None:
    text = random_text(4, 300)
    one, many = clustered(text, 2, 5, 9), clustered(text, 2, 5, 9, threads=threads)
    assert one.result() == many.result() and one.facts() == many.facts()


def test_an_error_in_a_thread_is_raised() -> None:
    clustering = clustered(random_text(5, 50), 3)
    clustering.progress[3] = type(clustering.progress[3])(np.full(3, 7, np.int32))
    with pytest.raises(ValueError, match="expected a class for each word"):
        next(clustering.run())


def test_memory_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "available", lambda: 400_000_000)
    text = [[f"w{i}", f"w{i + 1}"] for i in range(8000)]
    with pytest.raises(SettingError, match="8000 word classes: needs about 512,000,000 bytes"):
        next(Clustering(count(text), (3, 8000), 1).run())


def test_classes_are_numbered_by_their_tokens() -> None:
    result = clustered(random_text(6, 300), 6).result()
    tokens = np.bincount(result.numbers[:, 0], weights=result.counts)
    assert (tokens[1:] <= tokens[:-1]).all()
    equal = by_frequency(np.array([2, 0, 1], np.int32), 3, [5, 5, 5])
    assert equal.tolist() == [0, 1, 2]  # in the order of their first words


def test_information_is_that_of_the_reference() -> None:
    numbers = [*range(10_000), 10**6, 10**7]
    assert [_core.information(n) for n in numbers] == [reference.information(n) for n in numbers]


def test_native_guards() -> None:
    counts = count(random_text(7, 20)).counts
    good = deal(len(counts), 3)
    for classes, start in ((0, good), (2, good), (3, good[:-1]), (3, -good)):
        with pytest.raises(ValueError, match="class"):
            _core.Exchange(counts, classes, start)
    exchange = _core.Exchange(counts, 3, good)
    for first, last in ((2, 1), (0, len(counts) + 1)):
        with pytest.raises(ValueError, match="range of words"):
            exchange.visit(first, last)
