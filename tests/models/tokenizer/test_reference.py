"""The native tokeniser gives what the slow one gives: the same fingerprints, and the same labels."""

from __future__ import annotations

import numpy as np
from hypothesis import example, given, settings
from hypothesis import strategies as st

from perceptag import _core
from perceptag.models.tokenizer.characters import NAMES
from perceptag.models.tokenizer.known_words import KnownWords
from perceptag.models.tokenizer.packing import Alphabet
from perceptag.text.sentence import Sentence
from reference import tokenizer as reference
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


WORDS = ["sen", "u.s", "the", "it", "e.g", "inc"]
KNOWN = {reference.word_key(word): (number + 1, 2 * number) for number, word in enumerate(WORDS)}
STRINGS_OF_ALL_KINDS = (
    "https://a.org/b_(c) (www.a-b.com) <ann.b@c.org>, ANN/ORG@place @ann_9: #Spring, #1 1.5 1,000 1.2.3 v1.2 "
    "Python3.11 10:30 1/2 2023-10-02. 10/2/2023 713-853-3989 10-12 1:2-3 a.txt a.org today.It U.S.A. p.m 10km sx40 "
    "well-known state-of-the-art <b>Cook</b> /usr/bin ~/a C:\\a.txt foo-bar==1.0.0 a>=1 😭😭 ← ❤️ $5.76 25% 5€- -5 "
    '(0)20 :( "Sen. “It” ((a) e.g., ... a..b @ @a-b a@b a@.b.c \\\\// www. 1-a Ａ１ x_y x_y.z 5€3'
)
STRINGS = STRINGS_OF_ALL_KINDS.split()
informed_texts = st.lists(
    st.sampled_from([*STRINGS, *WORDS, "Sen.", "The", "Inc.", "(", ")", '"', "\n\n"]), max_size=12
).map(" ".join)


def word_facts() -> _core.WordFacts:
    facts = sorted(KNOWN.items())
    return _core.WordFacts(np.array([k for k, _ in facts], np.uint64), np.array([f for _, f in facts], np.uint8))


def informed(text: str) -> dict[int, list[int]]:
    """Those of the slow version, with kinds and words."""
    return {
        start + t: reference.features(runs, number, t, KNOWN)
        for runs in reference.paragraphs(text)
        for number, (start, run, _) in enumerate(runs)
        for t in range(len(run))
    }


@given(texts | informed_texts)
@example("0")
@settings(max_examples=150, deadline=None)
def test_features_of_kinds_and_words_are_those_of_the_reference(text: str):
    native = {place: keys.tolist() for place, keys in Alphabet(word_facts()).runs(text).features()}
    assert native == informed(text)


def test_features_of_all_kinds_are_those_of_the_reference():
    text = " ".join(STRINGS) + ' "a ' + "( b " * 45
    assert {reference.kind_of(string)[0] for string in STRINGS} == set(range(len(reference.KINDS)))
    native = {place: keys.tolist() for place, keys in Alphabet(word_facts()).runs(text).features()}
    assert native == informed(text)


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


LEXICON = {"看似", "似简", "简单", "單", "看", "ホッケー", "は", "カ", "n", "2005", "2005年", "e\u0301a"}
LEXICON |= {"chủ tịch", "tịch", "chủ tịch xã", "a b c d e f g h i j k l"}
UNSPACED = (*"看似简单，。ホッケーにはカﾊ年A \n", "chủ", "Tịch", "xã", "2005", "e\u0301", " ", "\n\n", "a b")
unspaced_texts = st.lists(st.sampled_from(UNSPACED), max_size=25).map("".join)


def native_lexicon(words: set[str] = LEXICON) -> _core.KnownWords:
    return KnownWords.of_words(words).native()


def with_units(text: str) -> dict[int, list[int]]:
    """Those of the slow version, with units and known words."""
    return {
        start + t: reference.features(runs, number, t, KNOWN, LEXICON)
        for runs in reference.paragraphs(text)
        for number, (start, run, _) in enumerate(runs)
        for t in range(len(run))
    }


@given(texts | unspaced_texts)
@example("看似简单，chủ  tịch xã.A b c d e f g h i j k l m")
@settings(max_examples=150, deadline=None)
def test_features_of_units_and_known_words_are_those_of_the_reference(text: str):
    runs = Alphabet(word_facts(), native_lexicon()).runs(text)
    native = {place: keys.tolist() for place, keys in runs.features()}
    assert native == with_units(text)


def test_known_words_of_a_part_are_those_of_another_lexicon():
    text = "看似 简单\n\n看似 简单"
    runs = Alphabet(word_facts(), native_lexicon(set())).runs(text)
    runs.match_words(native_lexicon(), 7, len(text))
    found = [keys.tolist() for _, keys in runs.features()]
    whole = list(with_units(text).values())
    assert found[4:] == whole[4:]
    assert found[:4] != whole[:4]


@given(unspaced_texts)
@settings(max_examples=50, deadline=None)
def test_labels_with_known_words_are_those_of_the_reference(text: str):
    doubled = text + "看似" + text
    alphabet = Alphabet(None, native_lexicon())
    keys = _core.KeyIndex(alphabet.runs(doubled), 1, np.zeros(0, np.uint64)).keys
    weights = np.random.default_rng(0).integers(-3, 4, (len(keys), 4)).astype(np.float32)
    found = _core.Segmenter(keys, weights, True).labels(alphabet.runs(doubled)).tolist()
    table = dict(zip(keys.tolist(), weights.tolist(), strict=True))
    assert found == reference.label(doubled, table, joins=True, lexicon=LEXICON)
