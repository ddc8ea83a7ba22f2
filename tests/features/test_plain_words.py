"""Features in plain words."""

from __future__ import annotations

import pytest

from perceptag import Tagger
from perceptag.features.attributes import COUNTED, PLAIN
from perceptag.features.plain_words import in_plain_words

WITHOUT_WORDS = {"each", "valued", "amount"}  # their values are those of the user


@pytest.mark.parametrize(
    ("feature", "words"),
    [
        ("form[0]=Paris", "the word is “Paris”"),
        ("lower.prefix2[-2]=pa", "the word 2 before begins with pa-"),
        ("gazetteer[0]=I-places", "the word is inside a phrase of the list of places"),
        ("gazetteer_bilu[0]=L-places", "the word is at the end of a phrase of the list of places"),
        ("endings[0]=y>ies", "the word also occurs with -ies instead of -y"),
        ("form[0]=New York form[1]=is", "the word is “New York”, the word after is “is”"),
        ("bias * y+1=. y0", "follows from the label after being ."),
        ("form[-1]=<s1>", "there is no word before"),
        ("bias", ""),
        ("form[0]=a price[0]=3", ""),
        ("outside_score", "what the model adds to the label O (outside_score)"),
    ],
)
def test_words(feature: str, words: str) -> None:
    assert in_plain_words(feature) == words


@pytest.mark.parametrize("name", [*sorted(set(PLAIN) - WITHOUT_WORDS), *(f"{name}3" for name in COUNTED)])
def test_every_attribute_has_words(name: str) -> None:
    assert in_plain_words(f"{name}[0]=1").startswith("the word ")


def test_contributions_have_words() -> None:
    tagger = Tagger("chunk", epochs=2).fit([["the", "dog"], ["a", "cat"]], [["B", "I"], ["B", "O"]])
    said = {c.feature: c.in_words for detail in tagger.explain(["the", "cat"]).details for c in detail.contributions}
    assert "the word is “cat”" in said.values()
    assert all(said.values())
