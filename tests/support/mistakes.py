"""Small correct data, and a check that every mistake with it is refused."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from perceptag import DataError, PerceptagError, Sentence, SettingError, Tagger

GOOD = [["the", "dog"], ["a", "cat"]]
TAGS = [["D", "N"], ["D", "N"]]
CANNOT = "a value of type int that cannot be written"  # an integer with more digits than Python writes


def fit(X=GOOD, y=TAGS, **settings):
    return Tagger(**({"recipe": "collins-pos", "epochs": 1} | settings)).fit(X, y)


def labelled(*labels):
    return [Sentence({"form": ["x"] * len(ys), "label": list(ys)}) for ys in labels]


def refused(use: Callable[[], object], message: str) -> None:
    """Check that `use` raises an error of perceptag that contains this message."""
    with pytest.raises(PerceptagError) as caught:
        use()
    assert message in str(caught.value)
    assert type(caught.value) in (DataError, SettingError)
