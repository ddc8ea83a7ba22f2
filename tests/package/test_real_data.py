"""Accuracy on the corpora of the papers, where they are at hand: the folder named by PERCEPTAG_DATA."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from perceptag import Tagger
from perceptag.models.confident import halves_of
from perceptag.text import read_columns, read_conllu

DATA = os.environ.get("PERCEPTAG_DATA", "")
needs_data = pytest.mark.skipif(not DATA, reason="needs the corpora: set PERCEPTAG_DATA to their folder")


@needs_data
@pytest.mark.every
def test_noun_phrases_of_conll_2000():
    """Collins (2002), figure 4: F 93.53 on his development set; here the test set of the shared task."""
    folder = Path(DATA, "conll2000")
    train, test = (list(read_columns(folder / f"{name}.txt", ["form", "pos", "chunk"])) for name in ("train", "test"))
    tagger = Tagger(recipe="collins-np", epochs=15, labels_keep="NP", threads=2).fit(train)
    gold = [tagger.model_.label_set.to_outer(tagger.model_.label_set.read(s)) for s in test]
    assert 100 * tagger.score(test, gold) >= 93.9


@needs_data
@pytest.mark.slow
def test_parts_of_speech_of_english_web_treebank():
    """Every tag is allowed for every word: no tag dictionary."""
    train, dev = (list(read_conllu(next(Path(DATA, "ewt").glob(f"*{name}*.conllu")))) for name in ("train", "dev"))
    tagger = Tagger(recipe="collins-pos", epochs=10, labels_column="xpos", threads=2).fit(train, dev=dev)
    assert tagger.model_.recipe.tag_dictionary == 0
    assert max(r["dev_kept"] for r in tagger.model_.manifest["curve"]) >= 93.3


@needs_data
@pytest.mark.slow
@pytest.mark.parametrize(("beam", "error"), [(3, 5.7), (1, 5.9)])
def test_guided_learning_on_english_web_treebank(beam, error):
    """Shen, Satta and Joshi (2007), feature set E."""
    train, dev = (list(read_conllu(next(Path(DATA, "ewt").glob(f"*{name}*.conllu")))) for name in ("train", "dev"))
    tagger = Tagger(recipe="shen-pos", beam=beam, labels_column="xpos", threads=2).fit(train, dev=dev)
    assert tagger.model_.recipe.epochs == 8
    assert 100 - max(r["dev_kept"] for r in tagger.model_.manifest["curve"]) <= error


@needs_data
@pytest.mark.slow
@pytest.mark.parametrize("recipe", ["margin-ner", "carreras-ner"])
def test_confidence_of_named_entities_of_conll_2003(recipe):
    """Calibrated on one half of the dev documents and measured on the other, both ways."""
    names = ["form", "pos", "chunk", "ner"]
    train, dev = (list(read_columns(Path(DATA, "conll2003", name), names)) for name in ("eng.train", "eng.testa"))
    tagger = Tagger(recipe, threads=2).fit(train, dev=dev)
    one, two = ([dev[i] for i in half] for half in halves_of(dev))
    for mine, other in ((one, two), (two, one)):
        tagger.calibrate(mine, [s.columns["ner"] for s in mine])
        assert tagger.reliability(other, [s.columns["ner"] for s in other]).ece <= 0.03


@needs_data
@pytest.mark.slow
def test_conditional_random_field_on_noun_phrases():
    """CRF++ reaches 94.1 with templates of about this size."""
    folder = Path(DATA, "conll2000")
    train, test = (list(read_columns(folder / f"{name}.txt", ["form", "pos", "chunk"])) for name in ("train", "test"))
    tagger = Tagger(recipe="crf-np", labels_keep="NP", threads=2).fit(train)
    gold = [tagger.model_.label_set.to_outer(tagger.model_.label_set.read(s)) for s in test]
    assert 100 * tagger.score(test, gold) >= 94.0


@needs_data
@pytest.mark.slow
def test_conditional_random_field_on_names():
    folder = Path(DATA, "conll2003")
    columns = ["form", "pos", "chunk", "ner"]
    train, dev = (list(read_columns(folder / f"eng.{name}", columns)) for name in ("train", "testa"))
    tagger = Tagger(recipe="crf", features="margin-ner", epochs=100, threads=2).fit(train, dev=dev)
    assert max(r["dev_kept"] for r in tagger.model_.manifest["curve"]) >= 91.5


@needs_data
@pytest.mark.slow
def test_the_default_on_parts_of_speech():
    train, dev = (list(read_conllu(next(Path(DATA, "ewt").glob(f"*{name}*.conllu")))) for name in ("train", "dev"))
    tagger = Tagger(labels_column="xpos").fit(train, dev=dev)
    assert tagger.model_.recipe.name == "pos"
    assert max(r["dev_kept"] for r in tagger.model_.manifest["curve"]) >= 94.75


@needs_data
@pytest.mark.slow
@pytest.mark.parametrize(("keep", "f1"), [("", 94.2), ("NP", 94.7)])
def test_the_default_on_chunks(keep, f1):
    folder = Path(DATA, "conll2000")
    train, test = (list(read_columns(folder / f"{name}.txt")) for name in ("train", "test"))
    tagger = Tagger(labels_keep=keep).fit(train)
    assert tagger.model_.recipe.name == "chunk"
    assert 100 * tagger.score(test, tagger.model_.label_set.gold(test)) >= f1


@needs_data
@pytest.mark.slow
@pytest.mark.parametrize(
    ("train", "dev", "f1"),
    [
        ("conll2003/eng.train", "conll2003/eng.testa", 93.3),
        ("conll2002/esp.train", "conll2002/esp.testa", 0),
        ("conll2002/ned.train", "conll2002/ned.testa", 0),
    ],
)
def test_the_default_on_names(train, dev, f1):
    tagger = Tagger().fit(list(read_columns(Path(DATA, train))), dev=list(read_columns(Path(DATA, dev))))
    assert tagger.model_.recipe.name == "ner"
    assert max(r["dev_kept"] for r in tagger.model_.manifest["curve"]) >= f1
