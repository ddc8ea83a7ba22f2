"""What cannot fit into memory is refused before any is taken, with the number of bytes."""

from __future__ import annotations

import resource

import numpy as np
import pytest

from document_toys import corpus, document_recipe
from perceptag import Sentence, SettingError, Tagger
from perceptag._core import Labels
from perceptag.labels.label_set import LabelSet
from perceptag.models.document.features import FAMILIES, NonLocal
from perceptag.models.linear import marginals
from perceptag.system import memory
from perceptag.system.platform import machine
from toys import make_recipe, random_corpus


@pytest.fixture
def little(monkeypatch):
    """A machine with one gibibyte left."""
    monkeypatch.setattr(memory, "available", lambda: 1 << 30)


def labelled(number):
    return [Sentence({"form": [f"w{i}"], "label": [f"L{i}"]}) for i in range(number)]


@pytest.mark.parametrize(
    ("settings", "labels", "message"),
    [
        ({"templates": ["form[0]", "bias * y-1 y0"]}, 10_000, r"transitions between 10000 labels: needs about"),
        ({"templates": ["form[0]", "bias * y-2 y-1 y0"]}, 500, "500 labels and the two before: needs about 5,2"),
        ({"templates": ["form[0]"], "support": "all", "learner": "arow"}, 9_000, "support: 9000 features with weights"),
        (
            {"templates": ["form[0]"], "support": "all", "learner": "crf", "weights": "last"},
            7_000,
            "support: 7000 features .* 7000 combinations .* bytes",
        ),
    ],
)
def test_training(little, settings, labels, message):
    with pytest.raises(SettingError, match=message):
        Tagger(recipe="collins-pos", **settings).fit(labelled(labels))


def test_explaining(monkeypatch):
    """The search for rivals has a score and two pointers for every two labels."""
    templates = "form[0]", "bias * y-2 y-1 y0"
    ready = Tagger(make_recipe(templates=templates, epochs=1)).fit(labelled(10)).ready_model
    monkeypatch.setattr(memory, "SMALL", 0)
    monkeypatch.setattr(memory, "available", lambda: 1_000_000)
    assert ready.explain([Sentence({"form": ["x"] * 400})])
    with pytest.raises(SettingError, match=r"a sequence of 600 tokens with 10 labels: needs about 1,224,000 bytes"):
        ready.explain([Sentence({"form": ["x"] * 600})])
    with pytest.raises(SettingError, match=r"a sequence of 3000 tokens with 10 labels: needs about 1,320,000 bytes"):
        ready.explain([Sentence({"form": ["x"] * 3000})])


def test_tagging(little):
    tagger = Tagger(make_recipe(templates=("form[0]", "form[0] * y-1 y0"), epochs=1)).fit(labelled(60))
    long = Sentence({"form": ["x"] * 100_000})
    with pytest.raises(SettingError, match=r"a sequence of 100000 tokens with 60 labels: needs about .* bytes"):
        tagger.predict([long])
    assert len(tagger.predict([Sentence({"form": ["x"] * 1000})])[0]) == 1000


def test_lists(little):
    tagger = Tagger(make_recipe(templates=("form[0]",), epochs=1)).fit(labelled(3))
    long = Sentence({"form": ["x"] * 10_000})
    message = r"lists of 10000 labellings: 1 sequence of up to 10000 tokens: needs about 5,600,000,000 bytes"
    with pytest.raises(SettingError, match=message):
        tagger.predict_nbest([long], 10_000)
    assert len(tagger.predict_nbest([Sentence({"form": ["x", "y"]})], 1_000_000)[0]) == 9


def test_lists_of_non_local_models(little):
    recipe = document_recipe("ascent", epochs=1, nbest_tagging=100_000)
    tagger = Tagger(recipe).fit(corpus(1, 2))
    with pytest.raises(SettingError, match=r"lists of 100000 labellings: 1 sequence of up to 1000 tokens: needs"):
        tagger.predict([Sentence({"form": ["Ann"] * 1000})])


def test_candidates_that_are_compared_with_each_other(little):
    tagger = Tagger(make_recipe(learner="mira", nbest=10_000, epochs=1, templates=("form[0]",)))
    with pytest.raises(SettingError, match=r"nbest: 10000 candidates .* needs about 4,000,000,000 bytes"):
        tagger.fit([["a"] * 14], [["A", "B"] * 7])
    tagger.fit([["a"] * 3], [["A", "B", "A"]])  # there are eight only


def test_features_of_candidates(little):
    """Of two candidates there is room for all, of a long list for none."""
    names = ("O", *(f"S-K{i}" for i in range(400)))
    label = Labels(np.zeros(1, np.int32))
    document = NonLocal(LabelSet(names, "IOBES", "IOBES", "ner"), FAMILIES).candidate_document(
        [Sentence({"form": ["a"]})], [[label] * 99]
    )
    assert document.vectors(0, [0, 98]).shape == (2, 800_400)
    assert document.scores(0, np.zeros(800_400)).tolist() == [0] * 99
    with pytest.raises(SettingError, match="non-local features: 800400 of each of 99 candidates: needs about 2,2"):
        document.vectors(0, range(99))


@pytest.mark.parametrize("learner", ["crf", "maxent"])
@pytest.mark.parametrize("scheme", ["IOB2", "IOBES"])
def test_marginals_in_batches(monkeypatch, learner, scheme):
    data = random_corpus(0, 30, labels=("B-X", "I-X", "O"))
    settings = {"labels.repair": True, "labels.scheme": scheme, "weights": "last", "epochs": 3}
    tagger = Tagger(make_recipe(learner=learner, templates=("form[0]", "bias * y-1 y0"), **settings)).fit(data)
    unseen = [Sentence({"form": s.columns["form"], "pos": s.columns["pos"]}) for s in random_corpus(1, 20)]
    at_once = tagger.predict_marginals(unseen)
    monkeypatch.setattr(marginals, "PAIRS_AT_ONCE", 100)
    assert tagger.predict_marginals(unseen) == at_once
    monkeypatch.setattr(memory, "available", lambda: 1 << 20)
    monkeypatch.setattr(memory, "SMALL", 0)
    if learner == "maxent" or scheme == "IOBES":
        with pytest.raises(SettingError, match=r"marginals: pairs of \d labels at 20000 tokens: needs about .* bytes"):
            tagger.predict_marginals([Sentence({"form": ["x"] * 20_000, "pos": ["x"] * 20_000})])


def test_what_is_available_is_counted():
    before = memory.available()
    assert 1 << 20 < before < 1 << 62
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    try:
        resource.setrlimit(resource.RLIMIT_AS, (1 << 40, hard))
        assert memory.available() <= 1 << 40
        assert machine.left_of_the_limit() < 1 << 40
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))


class CountedNames(tuple[str, ...]):
    """Names that know how often somebody has gone through all of them."""

    looks = 0

    def __iter__(self):
        CountedNames.looks += 1
        return super().__iter__()
