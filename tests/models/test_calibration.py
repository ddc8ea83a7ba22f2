"""Calibration: from margins to probabilities, into the model file and back."""

from __future__ import annotations

import copy
import pickle
import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from forging import at, changed, forge, put, say, without
from perceptag import DataError, ModelError, Sentence, SettingError, Span, Tagger
from perceptag.evaluation.reliability import reliability
from perceptag.models import model_file as modelfile
from perceptag.models.calibration import Judged, fit_calibration, fit_curve
from perceptag.models.confident import Confident, crossed, halves_of
from perceptag.models.margins import LIMIT, Margins
from toys import make_recipe, random_corpus

TEMPLATES = ("form[0]", "form[-1]", "bias * y-1 y0")
judged = st.lists(st.tuples(st.floats(-100, 100), st.booleans()), max_size=50)


# ----------------------------------------------------------------------------------------- the curve


@given(judged, st.lists(st.floats(-LIMIT, LIMIT), min_size=1))
def test_probabilities_rise_with_the_margin_and_are_never_certain(pairs, margins):
    curve = fit_curve(Judged([m for m, _ in pairs], [right for _, right in pairs]))
    found = curve(sorted(margins))
    assert all(0 < p < 1 for p in found)
    assert found == sorted(found)


def test_the_share_of_what_is_right():
    """Ten have a small margin, four of them are right; ten have a large one, nine are right; two are imaginary."""
    small, large = [1.0] * 10, [2.0] * 10
    curve = fit_curve(Judged([*small, *large], [True] * 4 + [False] * 6 + [True] * 9 + [False]))
    assert curve([0.0, 1.0, 1.5, 2.0, 3.0]) == pytest.approx([5 / 11, 5 / 11, (5 / 11 + 9 / 11) / 2, 9 / 11, 9 / 11])


def test_without_any_spans_nothing_is_known():
    found = [Margins(["O", "O"], [1.0, 2.0], [])]
    known = fit_calibration(found, [["O", "O"]], "IOB2")
    assert known.spans([5.0]) == [0.5]
    assert fit_calibration(found, [["O", "O"]], "none").spans is None
    with pytest.raises(DataError, match="found no tokens"):
        fit_calibration([Margins([], [], [])], [[]], "IOB2")


def test_a_span_is_right_if_type_and_borders_are():
    labels = ["B-X", "I-X", "O", "B-Y"]
    found = [Margins(labels, [1.0] * 4, [(Span(0, 2, "X"), 1.0), (Span(3, 4, "Y"), 2.0)])]
    for gold, right in ((labels, [1, 1]), (["B-X", "O", "O", "B-Y"], [0, 1]), (["B-X", "I-X", "O", "B-X"], [1, 0])):
        curve = fit_calibration(found, [gold], "IOB2").spans
        expected = fit_curve(Judged([1.0, 2.0], [bool(r) for r in right]))
        assert curve([1.0, 2.0]) == expected([1.0, 2.0])


def test_tokens_in_spans_have_the_confidence_of_the_span():
    confident = Confident(["B-X", "I-X", "O"], [0.1, 0.2, 0.3], [(Span(0, 2, "X"), 0.7)])
    assert confident.by_token() == [0.7, 0.7, 0.3]


# --------------------------------------------------------------------------------------- reliability


def test_reliability_by_hand():
    table = reliability("spans", [0.05, 0.95, 0.92, 1.0, 0.5], [False, True, True, False, True])
    assert [(b.low, b.number) for b in table.bins] == [(0.0, 1), (0.5, 1), (0.9, 3)]
    last = table.bins[-1]
    assert (last.confidence, last.right) == pytest.approx(((0.95 + 0.92 + 1.0) / 3, 2 / 3))
    expected = (0.05 + 0.5 + 3 * ((0.95 + 0.92 + 1.0) / 3 - 2 / 3)) / 5
    assert table.ece == pytest.approx(expected)
    assert table.to_dict()["ece"] == table.ece
    assert "ECE 0.28" in table.render()
    assert re.search(r"0\.9 to 1\.0 +3 +0\.9567 +0\.6667 +\+0\.2900", table.render())


def test_reliability_of_nothing():
    assert (reliability("spans", [], []).ece, reliability("spans", [], []).bins) == (0, ())


@given(st.lists(st.tuples(st.floats(0, 1), st.booleans()), min_size=1))
def test_expected_calibration_error_is_a_mean_of_gaps(pairs):
    table = reliability("tokens", [c for c, _ in pairs], [right for _, right in pairs])
    assert 0 <= table.ece <= 1
    assert sum(b.number for b in table.bins) == table.number == len(pairs)


def test_halves_are_documents():
    a = Sentence({"form": ["a"]}, starts_document=True)
    b = Sentence({"form": ["b"]})
    assert halves_of([b, b, a, b, a, b, b]) == ([0, 2, 3], [1, 4, 5, 6])
    labels = Margins(["O"], [1.0], [])
    assert crossed([a, b], [labels, labels], [["O"], ["O"]], "IOB2") is None
    assert crossed([a, a], [labels, labels], [["O"], ["N"]], "none").number == 2


# ------------------------------------------------------------------------------------- in a tagger


def tagger_of(seed: int = 0, **settings: object) -> Tagger:
    return Tagger(make_recipe(templates=TEMPLATES, epochs=2, **settings)).fit(random_corpus(seed, 30))


def test_without_calibration_there_is_no_confidence():
    for use in (lambda t: t.predict_confidence([["the"]]), lambda t: t.reliability([["the"]], [["D"]])):
        with pytest.raises(SettingError, match=r"not calibrated.*Tagger.calibrate"):
            use(tagger_of())


def test_calibrating_changes_nothing_else():
    dev = random_corpus(1, 40)
    X, y = [s.columns["form"] for s in dev], [s.columns["label"] for s in dev]
    tagger = tagger_of()
    before = copy.deepcopy(tagger.model_)
    labels = tagger.predict(X)
    old_model = tagger.model_
    assert tagger.calibrate(X, y) is tagger
    assert tagger.predict(X) == labels
    assert old_model.arrays.keys() == before.arrays.keys()  # the original model is not changed
    same = {name: array for name, array in tagger.model_.arrays.items() if not name.startswith("calibration.")}
    assert same.keys() == before.arrays.keys()
    assert all((same[name] == before.arrays[name]).all() for name in same)
    assert tagger.model_.manifest["calibration"]["tokens"] == sum(map(len, X))
    once = modelfile.to_bytes(tagger.model_)[0]
    assert modelfile.to_bytes(tagger.calibrate(X, y).model_)[0] == once  # a second calibration replaces the first
    assert tagger.reliability(X, y).ece < 0.05
    with pytest.raises(SettingError, match="not spans"):
        tagger.predict_confident_spans(X)


def test_dev_data_calibrate_as_if_by_hand():
    train, dev = random_corpus(0, 30), random_corpus(1, 40)
    recipe = make_recipe(templates=TEMPLATES, epochs=2)
    fitted = Tagger(recipe).fit(train, dev=dev)
    by_hand = copy.copy(fitted).calibrate(dev, [s.columns["label"] for s in dev])
    assert by_hand.model_.manifest["calibration"] == fitted.model_.manifest["dev"]
    assert modelfile.to_bytes(by_hand.model_)[0] == modelfile.to_bytes(fitted.model_)[0]
    again = pickle.loads(pickle.dumps(fitted))
    assert again.predict_confidence(dev) == fitted.predict_confidence(dev)


@pytest.mark.parametrize("labels", [("O", "B-X", "I-X"), ("D", "N", "V")], ids=["spans", "tokens"])
def test_a_conditional_random_field_has_confidence_of_its_own(labels):
    """Confidence is the marginals until the model is calibrated; then labels and order of confidence stay the same."""
    tagger = Tagger("crf", epochs=5, templates=TEMPLATES).fit(random_corpus(0, 30, labels=labels))
    dev = random_corpus(1, 40, labels=labels)
    y = [s.columns["label"] for s in dev]
    predicted, own = tagger.predict(dev), tagger.predict_confidence(dev)
    marginals = tagger.predict_marginals(dev)
    for mine, theirs, chosen in zip(own, marginals, predicted, strict=True):
        assert mine == pytest.approx([p[label] for p, label in zip(theirs, chosen, strict=True)])
    if "O" in labels:
        expected = [(span, pytest.approx(p)) for some in tagger.predict_span_marginals(dev) for span, p in some]
        assert [pair for some in tagger.predict_confident_spans(dev) for pair in some] == expected
    before = tagger.reliability(dev, y)
    tagger.calibrate(dev, y)
    assert tagger.predict(dev) == predicted
    assert tagger.reliability(dev, y).ece < before.ece
    ranked = sorted(
        zip([c for s in own for c in s], [c for s in tagger.predict_confidence(dev) for c in s], strict=True)
    )
    assert [c for _, c in ranked] == sorted(c for _, c in ranked)
    empty = Sentence({"form": [], "pos": []})
    assert tagger.predict_confidence([empty, dev[0], empty])[::2] == [[], []]
    assert tagger.predict_confidence([]) == tagger.predict_confidence([empty])[0] == []


# ------------------------------------------------------------------------------------ hostile files

TOKENS, SPANS = "calibration.tokens", "calibration.spans"
HOSTILE = {
    "a share above 1": (at(f"{TOKENS}.shares", -1, 1.5), "shares from 0 to 1"),
    "a share below 0": (at(f"{SPANS}.shares", 0, -0.1), "shares from 0 to 1"),
    "a share that is NaN": (at(f"{TOKENS}.shares", 0, np.nan), "shares from 0 to 1"),
    "falling shares": (changed(f"{TOKENS}.shares", lambda a: a[::-1]), "that do not fall"),
    "falling margins": (changed(f"{SPANS}.margins", lambda a: a[::-1]), "rising margins"),
    "a margin that is NaN": (at(f"{TOKENS}.margins", 1, np.nan), "rising margins"),
    "an endless margin": (at(f"{TOKENS}.margins", -1, np.inf), "rising margins"),
    "equal margins": (changed(f"{TOKENS}.margins", np.zeros_like), "rising margins"),
    "fewer shares": (changed(f"{TOKENS}.shares", lambda a: a[:-1]), "equal numbers of margins and shares"),
    "nothing": (lambda a, b: (put(f"{TOKENS}.shares", np.zeros(0))(a, b), put(f"{TOKENS}.margins", np.zeros(0))(a, b)),
                "found 0 and 0"),
    "another type": (changed(f"{TOKENS}.shares", lambda a: a.astype(np.float32)), "a vector of float64"),
    "another shape": (changed(f"{TOKENS}.shares", lambda a: a.reshape(1, -1)), "a vector of float64"),
    "no shares": (without(f"{SPANS}.shares"), "expected an array 'calibration.spans.shares'"),
    "no tokens": (without(f"{TOKENS}.margins"), "expected an array 'calibration.tokens.margins'"),
}  # fmt: skip


@pytest.fixture(scope="module")
def calibrated() -> bytes:
    data = random_corpus(0, 30, labels=("O", "B-X", "I-X"))
    tagger = Tagger(make_recipe(templates=TEMPLATES, epochs=2)).fit(data, dev=random_corpus(1, 60, labels=("O", "B-X")))
    assert all(len(array) > 2 for name, array in tagger.model_.arrays.items() if name.startswith("calibration"))
    return modelfile.to_bytes(tagger.model_)[0]


@pytest.mark.parametrize(("edit", "message"), HOSTILE.values(), ids=HOSTILE)
def test_hostile_values_are_refused(calibrated, edit, message, tmp_path):
    path = tmp_path / "model"
    path.write_bytes(forge(calibrated, edit))
    with pytest.raises(ModelError, match=message):
        Tagger.load(str(path))


def test_what_the_manifest_says_of_it_changes_no_label(calibrated, tmp_path):
    path = tmp_path / "model"
    path.write_bytes(forge(calibrated, say("nonsense", "manifest", "calibration")))
    assert len(Tagger.load(str(path)).predict_confidence([["the", "dog"]])[0]) == 2
