"""The estimator of scikit-learn: its checks, pipelines and searches, and tokens that are dictionaries of features."""

from __future__ import annotations

import pickle
import re
from itertools import chain

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.metrics import accuracy_score, make_scorer
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import FunctionTransformer

from perceptag import DataError, SettingError, Tagger
from perceptag.sklearn import PerceptagTagger, with_features
from perceptag.text.feature_lists import with_amounts

WORDS = [["the", "dog", "barks"], ["a", "cat", "sleeps"], ["the", "cat", "barks"], ["a", "dog", "sleeps"]]
LABELS = [["DT", "NN", "VBZ"]] * 4
DICTIONARIES = [[{"word": w, "last": {"letter": w[-1]}, "short": len(w) < 4} for w in words] for words in WORDS]
NEW = [[{"word": "the"}, {"word": "dog"}, {"word": "sleeps"}]]


@pytest.fixture(scope="module")
def tagger():
    return PerceptagTagger("collins-pos", epochs=2).fit(DICTIONARIES, LABELS)


def test_tokens_may_be_dictionaries_or_words(tagger):
    assert tagger.predict(NEW) == [["DT", "NN", "VBZ"]]
    assert tagger.classes_ == ["DT", "NN", "VBZ"]
    assert "word:dog" in {name.partition("=")[2] for name, _ in tagger.ready_model.top_weights(9).by_label["NN"]}
    plain = Tagger("collins-pos", epochs=2).fit(WORDS, LABELS)
    assert PerceptagTagger("collins-pos", epochs=2).fit(WORDS, LABELS).model_.manifest == plain.model_.manifest


@pytest.mark.parametrize("recipe", ["auto", "basic-ner", "chunk", "ner", "crf"])
def test_classes_are_the_labels_of_the_data(recipe):
    words = [["Ann", "sells", "old", "books", "in", "Rome"], ["Bob", "buys", "old", "cars", "in", "Paris"]] * 3
    labels = [["O", "O", "B-SKILL", "I-SKILL", "O", "B-CITY"]] * 6
    tagger = PerceptagTagger(recipe, epochs=3).fit(words, labels)
    assert tagger.classes_ == tagger.labels_ == ["B-CITY", "B-SKILL", "I-SKILL", "O"]


def test_sentences_and_tokens_may_be_empty(tagger):
    assert tagger.predict([[], *NEW, [{}]])[:2] == [[], ["DT", "NN", "VBZ"]]
    assert tagger.predict([[]]) == [[]]
    assert PerceptagTagger("collins-pos", epochs=1).fit([[], *DICTIONARIES], [[], *LABELS]).predict(NEW)
    assert PerceptagTagger("collins-pos", epochs=1).fit([[], *WORDS], [[], *LABELS]).predict([[]]) == [[]]


def test_frames_and_arrays_in_place_of_lists(tagger):
    with pytest.raises(DataError, match="sentence 0: expected a list of tokens, found b'the'"):
        tagger.predict([b"the"])
    plain = PerceptagTagger("collins-pos", epochs=2).fit(np.array(WORDS), np.array(LABELS))
    assert {type(label) for label in plain.predict(np.array(WORDS))[0]} == {str}
    with pytest.raises(DataError, match=r"expected a list of sentences, found array\(3\)"):
        plain.predict(np.array(3))
    pandas = pytest.importorskip("pandas")
    with pytest.raises(DataError, match="sentence 0: expected a list of tokens, found a DataFrame; give df"):
        plain.predict([pandas.DataFrame({"word": WORDS[0]})])


def test_numbers_of_dev_data_are_named(tagger):
    with pytest.raises(DataError, match=r"^sentence 1, token 0: feature 'length': expected 0 or 1 for this model"):
        PerceptagTagger("collins-pos").fit(NEW, LABELS[:1], dev=([*NEW, [{"length": 0.5}]], [*LABELS[:1], ["NN"]]))


def test_pipelines_and_searches_take_it():
    to_features = FunctionTransformer(lambda X: [[{"word": w} for w in words] for words in X])
    steps = Pipeline([("features", to_features), ("tagger", PerceptagTagger("collins-pos"))])
    search = GridSearchCV(steps, {"tagger__epochs": [1, 2]}, cv=2).fit(WORDS, LABELS)
    assert search.best_params_["tagger__epochs"] in (1, 2)
    assert search.predict([["the", "cat"]]) == [["DT", "NN"]]
    flat = make_scorer(lambda y, z: accuracy_score([*chain(*y)], [*chain(*z)]))
    assert cross_val_score(steps, WORDS, LABELS, cv=2, scoring=flat).mean() > 0.5


def test_passes_are_reported_and_partial_fit_continues(capsys):
    seen = []
    tagger = PerceptagTagger("collins-pos", epochs=2, verbose=1)
    dev = (DICTIONARIES[2:], LABELS[2:])
    tagger.fit(DICTIONARIES[:2], LABELS[:2], dev=dev, callbacks=[lambda report: seen.append(report.epoch)])
    assert seen == [1, 2]
    assert capsys.readouterr().err.count("\n") == 3
    tagger.partial_fit([[{"word": "cats"}]], [["NNS"]])
    assert tagger.predict([[{"word": "cats"}], *NEW]) == [["NNS"], ["DT", "NN", "VBZ"]]
    assert not tagger.warm_start
    assert PerceptagTagger().partial_fit(WORDS, LABELS).predict(WORDS[:1]) == LABELS[:1]


ITEMS = [
    {"bias": 1.0, "word": "dog", "title": True, "upper": False, "zero": 0},
    {"window": ["a", "b"], "set": {"y", "x"}, "next": {"word": "barks", "deep": {"one": True}}},
    {"empty": "", "colon:s": "a:b", "é": "ü"},
    {"half": 0.5, "next": {"low": -2, "one": 1}},
    ["bias", "word=dog"],
    {},
]


@pytest.mark.doors
def test_dictionaries_mean_what_they_mean_in_python_crfsuite():
    pycrfsuite = pytest.importorskip("pycrfsuite")
    ours = with_features([ITEMS])[0].columns["features"]
    theirs = pycrfsuite.ItemSequence(ITEMS).items()
    assert [*map(with_amounts, ours)] == [{name: weight for name, weight in item.items() if weight} for item in theirs]


def test_numbers_are_put_into_bins():
    item = {"length": 0.5, "title": True, "bias": 1}
    assert features(item, {"length": [0, 0.25, 0.5, 0.75]}) == [
        "length>=0",
        "length>=0.25",
        "length>=0.5",
        "title",
        "bias",
    ]
    assert features(item, [1]) == ["title", "bias>=1"]


def features(item, bins):
    return with_features([[item]], bins)[0].columns["features"][0].split("\x1f")


@pytest.mark.parametrize(
    ("token", "message"),
    [
        ({"length": 0.5}, "feature 'length': expected 0 or 1, as in the training data of this model; found 0.5"),
        (
            {"word": None},
            "feature 'word': expected a string, True, False, a number, a list or a dictionary, found None",
        ),
        ({"a": "\x1f"}, r"expected text without U\+001E and U\+001F"),
        (None, "expected a dictionary or a list of features, found None"),
    ],
)
def test_what_is_no_feature_is_named(tagger, token, message):
    with pytest.raises(DataError, match=f"^sentence 1, token 1: .*{message}"):
        tagger.predict([*NEW, [{"word": "a"}, token]])


SIZES = [[{"size": 0.5, "bias": 1}, {"size": -0.25}], [{"size": -1}, {"size": 2.0}]]
UP = [["UP", "DOWN"], ["DOWN", "UP"]]


@pytest.fixture(scope="module")
def sizes():
    return PerceptagTagger("collins-pos", epochs=3).fit(SIZES, UP)


def test_numbers_are_features(sizes, tmp_path):
    assert sizes.predict([[{"size": 0.1}, {"size": -3}, {"size": np.float32(4)}]]) == [["UP", "DOWN", "UP"]]
    assert "size × 0.5" in sizes.explain(SIZES[0]).render()
    sizes.save(tmp_path / "a.model")
    again = PerceptagTagger.load(tmp_path / "a.model")
    assert again.predict(SIZES) == UP
    with pytest.raises(
        DataError, match="sentence 0, token 0: feature 'size': expected a number from -16 to 16, found 17"
    ):
        again.predict([[{"size": 17}]])
    assert PerceptagTagger(epochs=2).fit(SIZES, UP).predict(SIZES) == UP


def test_training_continues_with_numbers_and_without_them(sizes, tagger):
    more = clone(sizes).set_params(warm_start=True).fit(SIZES, UP)
    more.fit([[{"word": "up"}]], [["UP"]])
    assert more.predict([[{"word": "up"}, {"size": -0.5}]]) == [["UP", "DOWN"]]
    with pytest.raises(
        DataError, match="sentence 0, token 0: feature 'size': expected 0 or 1, as in the training data"
    ):
        pickle.loads(pickle.dumps(tagger)).partial_fit(SIZES, UP)
    assert pickle.loads(pickle.dumps(tagger)).fit(SIZES, UP).predict(SIZES) == UP  # not continued


def test_output_of_pipelines_is_that_of_the_tagger():
    steps = Pipeline([("tagger", PerceptagTagger("collins-pos", epochs=2))]).set_output(transform="pandas")
    assert steps.fit(SIZES, UP, tagger__sample_weight=None).predict(SIZES) == UP


@pytest.mark.parametrize(
    ("X", "y", "message"),
    [
        (SIZES, UP[:1], "expected 2 label lists, one for each sentence; found 1"),
        (SIZES, [["UP"], ["UP", "DOWN"]], "^sentence 0: expected 2 labels, one for each token; found 1"),
        (
            [[{"a": 1}, None]],
            [["UP", "UP"]],
            "^sentence 0, token 1: expected a dictionary or a list of features, found None",
        ),
        ([[{"a": 1}], ["b"]], [["UP"], ["UP"]], "^sentence 1, token 0: expected column 'features'"),
        (np.ones((2, 3)), UP, "^sentence 0, token 0: .*expected text, found"),
        ([[{"size": float("inf")}]], [["UP"]], "^sentence 0, token 0: feature 'size': expected a number from -16"),
    ],
)
def test_data_of_the_wrong_form_is_named(X, y, message):
    with pytest.raises(DataError, match=message):
        PerceptagTagger("collins-pos", epochs=1).fit(X, y)


def test_generators_arrays_and_tuples_are_lists_too(sizes):
    generated = PerceptagTagger("collins-pos", epochs=3).fit((iter(x) for x in SIZES), (tuple(y) for y in UP))
    assert generated.predict(map(tuple, SIZES)) == UP
    assert sizes.predict(np.array(SIZES, dtype=object)) == UP
    assert sizes.predict([(), iter([])]) == [[], []]


def test_what_the_hints_say_can_be_typed():
    sentences, labels = [[{"w": "a"}, {"w": "b"}]] * 3, [["X", "Y"]] * 3
    for name in ("c1", "c2", "max_iterations", "min_freq", "algorithm"):
        with pytest.raises(SettingError) as raised:
            PerceptagTagger("crf", **{name: 1})
        typed = re.findall(r"PerceptagTagger\((.*?)\)|or \((.*?)\)|, \((.*?)\)", str(raised.value))
        for arguments in map("".join, typed):
            tagger = eval(f"PerceptagTagger({arguments})")
            assert tagger.fit(sentences, labels).predict(sentences) == labels
