"""Survey and digest of training data, at the borders of their rules."""

from __future__ import annotations

import hashlib

import pytest

from perceptag.recipe.survey import AFTER, CHUNKS, OPEN, TAGS, survey
from perceptag.text import Sentence
from perceptag.text.documents import content, describe, digest


def kind(words: int, values: list[str]) -> str:
    """The kind of a column with these values, among so many different words."""
    form = [f"w{i % words}" for i in range(max(words, len(values)))]
    column = [values[i % len(values)] for i in range(len(form))]
    return survey([Sentence({"form": form, "c": column, "label": ["X"] * len(form)})], "label").columns["c"]


@pytest.mark.parametrize(
    ("words", "values", "expected"),
    [(1, 2, TAGS), (1, 3, OPEN), (10, 5, TAGS), (10, 6, OPEN), (1000, 200, TAGS), (1000, 201, OPEN)],
)
def test_tags_are_few_and_at_most_half_as_many_as_words(words: int, values: int, expected: str) -> None:
    assert kind(words, [f"t{i}" for i in range(values)]) == expected


def test_columns_of_chunks_and_columns_after_the_labels() -> None:
    assert kind(20, ["B-NP", "I-NP", "O"]) == CHUNKS
    assert kind(20, ["B-NP", "NP", "O"]) == kind(20, ["O"]) == TAGS
    found = survey([Sentence({"form": ["a"], "label": ["X"], "later": ["b"]})], "label")
    assert found.columns == {"later": AFTER}


SENTENCES = [Sentence({"form": [f"w{i}"]}, starts_document=i % 2 == 0) for i in range(4)]


def test_the_digest_of_one_shard_is_that_of_the_data() -> None:
    whole = hashlib.sha256(b"".join(map(content, SENTENCES))).hexdigest()
    assert describe(SENTENCES) == describe(SENTENCES, 1) == {"sentences": 4, "tokens": 4, "sha256": whole}


def test_the_digest_of_shards_is_made_of_theirs() -> None:
    """Two shards share out the documents; the digest is that of the digests, one after the other."""
    both = digest(SENTENCES[:2]) + digest(SENTENCES[2:])
    assert describe(SENTENCES, 2)["sha256"] == hashlib.sha256(both.encode()).hexdigest()
