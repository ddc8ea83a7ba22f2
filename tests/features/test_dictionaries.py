"""Dictionaries of features: the quick way of the core makes what the plain one makes, or leaves it to Python."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from perceptag import _core
from perceptag._core import join_features
from perceptag.errors import DataError
from perceptag.features.encoder import Encoder
from perceptag.features.template import parse_all
from perceptag.sklearn import Numbers, PerceptagTagger, _value
from perceptag.text.feature_lists import joined, with_amounts

NAMES = st.text(st.sampled_from("abé:=中\x1e\x1f\0\ud800"), max_size=3)
VALUES: st.SearchStrategy[Any] = st.recursive(
    st.one_of(NAMES, st.booleans(), st.integers(-20, 20), st.floats(-17, 17), st.none(), st.just(float("nan"))),
    lambda inner: st.one_of(st.lists(NAMES, max_size=3), st.dictionaries(NAMES, inner, max_size=3)),
    max_leaves=5,
)
TOKENS = st.one_of(st.dictionaries(NAMES, VALUES, max_size=4), st.lists(NAMES, max_size=4))


@settings(max_examples=300, deadline=None)
@given(token=TOKENS, take_numbers=st.booleans())
def test_the_quick_way_is_the_plain_one(token: object, take_numbers: bool) -> None:
    quick = join_features([token], take_numbers)
    try:
        plain = _value(token, Numbers(None, take_numbers), "")
    except DataError:
        assert quick is None
    else:
        if quick is not None:
            assert [*with_amounts(quick[0]).items()] == [*with_amounts(plain).items()]


def test_what_is_plain_goes_the_quick_way() -> None:
    tokens = [
        {"bias": 1.0, "word": "dog", "é": "ü", "title": True, "upper": False, "zero": 0, "size": -0.3, "two": 2},
        {"window": ["a", "b"], "both": ("x",), "next": {"word": "barks", "deep": {"one": True}}},
        ["bias", "word=dog"],
        {},
    ]
    assert join_features(tokens, True) == [
        "bias\x1fword:dog\x1fé:ü\x1ftitle\x1fsize\x1e-0.3\x1ftwo\x1e2",
        "window:a\x1fwindow:b\x1fboth:x\x1fnext:word:barks\x1fnext:deep:one",
        "bias\x1fword=dog",
        "",
    ]


@pytest.mark.parametrize(
    "token",
    [
        {"a": {"b"}},
        OrderedDict(a="b"),
        {"a": np.float64(2)},
        {1: "a"},
        {"a": 17},
        {"a": {"b": True}, "a:b": True},
        "a",
        1,
    ],
)
def test_what_is_unusual_is_left_to_python(token: object) -> None:
    assert join_features([token], True) is None


FEATURES = st.dictionaries(
    st.sampled_from(["a", "b", "é", "x:y", "new"]), st.integers(-1024, 1024).map(lambda n: n / 64)
)
LISTS = st.lists(FEATURES, min_size=1, max_size=4)
Lists = list[dict[str, float]]


@settings(max_examples=60, deadline=None)
@given(train=LISTS, new=LISTS, others=st.sampled_from([[], ["features.suffix1[0]"]]))
def test_lists_are_taken_apart_as_python_does(train: Lists, new: Lists, others: list[str]) -> None:
    """Vocabularies, rows and amounts, with the native readers and without them."""
    found = []
    for is_native in (True, False):
        encoder = Encoder(parse_all(["features.valued[0]", *others], ["features"]))
        lexicon = encoder.lexicons["features"]
        if not is_native:
            lexicon._growing = None
        columns = {"features": [[joined(one.items(), "") for one in train]]}
        encoder.encode_new(columns, np.array([0, len(train)], np.int32), np.zeros(len(train), np.int32))
        fixed = encoder.fresh_lexicons()["features"]
        if not is_native:
            fixed._reader = None
        ids = fixed.numbers([[joined(one.items(), "") for one in new]])
        begin, nothing = np.array([0, len(new)], np.int32), np.zeros(0, np.int32)
        corpus = _core.encode(encoder.frozen_index, [fixed.table], [ids], begin, nothing, nothing)
        x = corpus[0]
        told = [(x.rows(0, t).tolist(), x.amounts(0, t).tolist()) for t in range(len(new))]
        found.append((dict(encoder.vocabularies["features"][0]), told))
    assert found[0] == found[1]


@pytest.fixture(scope="module", params=[True, False], ids=["numbers", "flags"])
def tagger(request: pytest.FixtureRequest) -> PerceptagTagger:
    size = 0.5 if request.param else 1
    X = [[{"a": "b", "é": size}, ["中", "a:a"]], [{"a": True}, {"b": {"a": "é"}}, {"a": ["a", "b"]}]]
    return PerceptagTagger("collins-pos", epochs=3).fit(X, [["A", "B"], ["B", "A", "A"]])


def _labels_or_message(tag: Callable[[], object]) -> object:
    try:
        return tag()
    except DataError as error:
        return str(error)


@settings(max_examples=200, deadline=None)
@given(sentences=st.lists(st.lists(TOKENS, max_size=3), max_size=3))
def test_tagging_dictionaries_gives_what_sentences_give(tagger: PerceptagTagger, sentences: list[list[object]]) -> None:
    plain = _labels_or_message(lambda: tagger.ready_model.tag(tagger._sentences(sentences)))
    assert _labels_or_message(lambda: tagger.predict(sentences)) == plain
