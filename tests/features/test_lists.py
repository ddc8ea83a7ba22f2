"""Values that Python can loop over and that have an order are taken as lists, and odd but right values as they are."""

from __future__ import annotations

import numpy as np
import pytest

from mistakes import fit
from perceptag import Tagger

X = [["the", "dog"], ["a", "cat"]]
Y = [["D", "N"], ["D", "N"]]


@pytest.fixture(scope="module")
def tagger() -> Tagger:
    return Tagger("collins-pos", epochs=1).fit(X, Y)


def test_what_has_an_order_is_taken(tagger):
    expected = tagger.predict(X)
    for given in (
        iter(X),
        (tokens for tokens in X),
        map(iter, X),
        tuple(map(tuple, X)),
        np.array(X),
        dict.fromkeys(map(tuple, X)).keys(),
    ):
        assert tagger.predict(given) == expected


def test_odd_but_fine() -> None:
    words, tags = [np.array(["the", "dog"]), ("a", "cat")], [np.array(["D", "N"]), ("D", "N")]
    assert fit(words, tags).predict([()]) == [[]]
    assert fit(epochs="2", shuffle="yes").model_.recipe.epochs == 2
    assert fit(epochs=2.0).model_.recipe.shuffle is False
    assert fit(X, [["D D", "N\tN"]] * 2).predict(X[:1]) == [["D D", "N\tN"]]
