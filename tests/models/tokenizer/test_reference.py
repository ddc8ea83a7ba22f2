"""The native tokeniser gives what the slow one gives: the same fingerprints, and the same labels."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings

from perceptag import _core
from perceptag.models.tokenizer.characters import NAMES
from perceptag.models.tokenizer.packing import Alphabet
from perceptag.reference import tokenizer as reference
from perceptag.text.sentence import Sentence
from text_toys import HELD_OUT, shipped_tokenizer, texts


def fingerprints(text: str) -> dict[int, list[int]]:
    """Those of the slow version."""
    return {
        start + t: reference.features(runs, number, t)
        for runs in reference.paragraphs(text)
        for number, (start, run, _) in enumerate(runs)
        for t in range(len(run))
    }


@given(texts)
@settings(max_examples=150, deadline=None)
def test_features_are_those_of_the_reference(text: str):
    native = {place: keys.tolist() for place, keys in Alphabet().runs(text).features()}
    assert native == fingerprints(text)


def test_features_that_look_far_are_those_of_the_reference():
    text = "a, " + "word " * 90 + "b. " + "x " * 45 + "\n\n" + "y " * 39 + "z! " * 3
    native = {place: keys.tolist() for place, keys in Alphabet().runs(text).features()}
    assert native == fingerprints(text)


def slow_labels(text: str, joins: bool = False) -> list[str]:
    features = shipped_tokenizer().ready_model.features
    weights = dict(zip(features.keys.tolist(), features.weights.tolist(), strict=True))
    return [NAMES[code] for code in reference.label(text, weights, joins)]


@given(texts)
@settings(max_examples=100, deadline=None)
def test_labels_are_those_of_the_reference(text: str):
    """A text twice: the second time runs are remembered."""
    ready = shipped_tokenizer().ready_model
    doubled = f"{text}\n\n{text}"
    found = ready.segmenter.labels(ready.alphabet.runs(doubled)).tolist()
    assert [NAMES[code] for code in found] == slow_labels(doubled)


@given(texts)
@settings(max_examples=50, deadline=None)
def test_tokens_with_white_space_are_those_of_the_reference(text: str):
    """Random weights, so that many tokens continue behind white space."""
    ready = shipped_tokenizer().ready_model
    keys, shape = ready.features.keys, ready.features.weights.shape
    weights = np.random.default_rng(0).integers(-3, 4, shape).astype(np.float32)
    found = _core.Segmenter(keys, weights, True).labels(ready.alphabet.runs(text)).tolist()
    assert found == reference.label(text, dict(zip(keys.tolist(), weights.tolist(), strict=True)), joins=True)


def test_labels_of_real_text_are_those_of_the_reference():
    text = HELD_OUT.read_text("utf-8")[:3000]
    [found] = shipped_tokenizer().ready_model.tag([Sentence({"form": list(text)})])
    assert found == slow_labels(text)
    assert {"sentence", "token", "inside"} <= set(found)


def test_fingerprints_of_different_features_differ():
    """Over all features of a text: as many fingerprints as different tuples of values, numbers included."""
    text = HELD_OUT.read_text("utf-8")[:4000]
    exact = set()
    for runs in reference.paragraphs(text):
        for number, (_, run, _) in enumerate(runs):
            for t in range(len(run)):
                found = reference.inner(runs, number, t) + (reference.outer(runs, number) if t == 0 else [])
                exact |= set(enumerate(found))
    assert len({reference.fingerprint(*feature) for feature in exact}) == len(exact)
