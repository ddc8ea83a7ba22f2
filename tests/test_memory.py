"""What cannot fit into memory is refused before any is taken, with the number of bytes."""

from __future__ import annotations

import resource

import numpy as np
import pytest

from perceptag import Sentence, SettingError, Tagger, memory
from toys import make_recipe


@pytest.fixture
def little(monkeypatch):
    """A machine with one gibibyte left."""
    monkeypatch.setattr(memory, "available", lambda: 1 << 30)


def labelled(number):
    return [Sentence({"form": [f"w{i}"], "label": [f"L{i}"]}) for i in range(number)]


@pytest.mark.parametrize(
    ("settings", "labels", "message"),
    [
        (
            {"templates": ["form[0]", "bias * y-1 y0"]},
            10_000,
            r"transitions between 10000 labels: needs about 4,200,420,000 bytes \(3\.9 GiB\) of memory, and 1,073",
        ),
        ({"templates": ["form[0]", "bias * y-2 y-1 y0"]}, 500, "500 labels and the two before: needs about 5,2"),
        ({"templates": ["form[0]"], "support": "all"}, 7_000, "support: 7000 features .* 7000 combinations .* bytes"),
    ],
)
def test_training(little, settings, labels, message):
    with pytest.raises(SettingError, match=message):
        Tagger(recipe="collins-pos", **settings).fit(labelled(labels))


def test_tagging(little):
    tagger = Tagger(make_recipe(templates=("form[0]", "form[0] * y-1 y0"), epochs=1)).fit(labelled(60))
    long = Sentence({"form": ["x"] * 100_000})
    with pytest.raises(SettingError, match=r"a sequence of 100000 tokens with 60 labels: needs about .* bytes"):
        tagger.predict([long])
    assert len(tagger.predict([Sentence({"form": ["x"] * 1000})])[0]) == 1000


def test_what_is_available_is_counted():
    before = memory.available()
    assert 1 << 20 < before < 1 << 62
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    try:
        resource.setrlimit(resource.RLIMIT_AS, (1 << 40, hard))
        assert memory.available() <= 1 << 40
        assert memory._left_of_the_limit() < 1 << 40
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))


def test_labels_are_numbered_once(monkeypatch):
    """Not once for each sentence: ten thousand labels would take minutes."""
    from perceptag.labelling import Labelling

    labelling = Labelling(tuple(f"L{i}" for i in range(10_000)), "none", "none", "label")
    assert labelling.ids(labelled(10_000)) == np.arange(10_000).tolist()
