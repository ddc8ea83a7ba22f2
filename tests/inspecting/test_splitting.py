"""Parts of labelled data."""

from __future__ import annotations

from collections import Counter

import pytest

from perceptag.errors import DataError, SettingError
from perceptag.inspecting.splitting import split
from perceptag.text import Sentence
from review_toys import names

PARTS = {"train": 0.8, "dev": 0.1, "test": 0.1}


def documents(*texts: str) -> list[Sentence]:
    """A document for each text; sentences are separated by slashes."""
    return [
        Sentence({"form": part.split()}, starts_document=i == 0)
        for text in texts
        for i, part in enumerate(text.split(" / "))
    ]


def test_shares_are_kept_and_a_seed_decides():
    found = split(names(), PARTS, by="sentence")
    assert Counter(found.parts) == {"train": 51, "dev": 7, "test": 6}
    assert split(names(), PARTS, by="sentence") == found
    assert split(names(), PARTS, by="sentence", seed=1).parts != found.parts


def test_equal_sentences_are_in_one_part():
    data = [Sentence({"form": [f"w{i % 20}"]}) for i in range(60)]
    found = split(data, {"a": 0.5, "b": 0.5}, by="sentence")
    assert found.shared == 0
    assert all(len({found.parts[i + k] for k in (0, 20, 40)}) == 1 for i in range(20))
    assert split(data, {"a": 0.5, "b": 0.5}, by="sentence", equal=2).shared > 0


def test_documents_stay_whole_and_long_equal_sentences_join_them():
    data = documents("a b c / x", "a b c / y", "z / x", "q / r", "s / t", "u / v")
    found = split(data, {"a": 0.5, "b": 0.5}, by="document", equal=3)
    parts = [found.parts[2 * i : 2 * i + 2] for i in range(6)]
    assert all(len(set(part)) == 1 for part in parts)
    assert parts[0] == parts[1]
    assert (found.groups, found.largest) == (5, 4)
    assert split(data, {"a": 0.5, "b": 0.5}, by="document", equal=1).groups == 4


@pytest.mark.parametrize("seed", range(5))
def test_rare_labels_are_in_every_part_if_that_is_possible(seed):
    data = names()
    for i in range(3):
        data[i].columns["label"][0] = "B-RARE"
        data[i].columns["label"][1] = "I-RARE"
    data[10].columns["label"][4] = "B-ONE"
    found = split(data, PARTS, by="sentence", column="label", stratify=True, seed=seed)
    assert {found.parts[i] for i in range(3)} == {*PARTS}
    assert found.parts[10] == "train"
    assert 48 <= Counter(found.parts)["train"] <= 54


def test_what_cannot_be_split_is_refused():
    with pytest.raises(SettingError, match="expected marks of documents"):
        split(names(), PARTS, by="document")
    with pytest.raises(DataError, match="part 'dev' would be empty"):
        split(documents("a a a", "a a a"), {"train": 0.5, "dev": 0.5}, by="document")


@pytest.mark.parametrize("number", [3, 4, 5, 7])
@pytest.mark.parametrize("stratify", [False, True])
def test_no_part_is_empty_if_there_are_enough_sentences(number, stratify):
    data = [Sentence({"form": [f"w{i}"], "label": ["B-X"]}) for i in range(number)]
    found = split(data, PARTS, by="sentence", column="label", stratify=stratify)
    assert set(found.parts) == set(PARTS)
