"""Training on sentences some of whose tokens have no label."""

from __future__ import annotations

import numpy as np
import pytest

from perceptag import Sentence, Tagger
from perceptag.features.template import parse_all
from perceptag.labels.partial import learn_partial_labels
from perceptag.labels.schemes import violations
from reference import latent as reference
from reference.features import sentence_features
from toys import TEMPLATE_SETS, make_recipe, named_weights, random_corpus, train

PARTIAL = {"support": "all", "epochs": 3, "labels.missing": "_"}
LEARNERS = ("perceptron", "margin", "pa", "mira", "arow")


def with_holes(sentences: list[Sentence], seed: int = 0, share: float = 0.4) -> list[Sentence]:
    rng = np.random.default_rng(seed)
    return [
        Sentence({**s.columns, "label": ["_" if rng.random() < share else y for y in s.columns["label"]]})
        for s in sentences
    ]


@pytest.mark.parametrize("templates", TEMPLATE_SETS.values(), ids=TEMPLATE_SETS)
def test_weights_are_those_of_the_reference(templates):
    for seed in range(3):
        data = with_holes(random_corpus(seed, longest=5), seed)
        recipe = make_recipe(templates=templates, **PARTIAL)
        parsed = parse_all(templates, ["form", "pos"])
        examples = [
            (sentence_features(parsed, s.columns), tuple(None if y == "_" else y for y in s.columns["label"]))
            for s in data
        ]
        labels = sorted({y for s in data for y in s.columns["label"]} - {"_"})
        vectors = list(reference.visited_weights([examples] * 3, labels))
        trainer = train(recipe, data).trainer
        found = named_weights(trainer.weights, trainer.encoder, labels)
        assert {key: w for key, (w, _) in found.items() if w} == vectors[-1]


@pytest.mark.parametrize("learner", LEARNERS)
def test_labels_that_are_all_known_teach_the_same_with_and_without_the_setting(learner):
    data = random_corpus(4)
    recipe = make_recipe(templates=TEMPLATE_SETS["order 1"], support="all", epochs=3, learner=learner)
    plain = train(recipe, data).model()
    marked = train(recipe.replace({"labels.missing": "_"}), data).model()
    assert all((plain.arrays[name] == marked.arrays[name]).all() for name in plain.arrays)


@pytest.mark.parametrize("learner", LEARNERS)
def test_a_learner_fits_the_labels_that_are_known(learner):
    words = {"a": "X", "b": "Y", "c": "Z"}
    full = [Sentence({"form": list(w), "label": [words[c] for c in w]}) for w in ("abc", "cab", "bca", "aabbcc", "cba")]
    recipe = make_recipe(templates=("form[0]",), learner=learner, **PARTIAL | {"epochs": 10})
    tagger = Tagger(recipe).fit(with_holes(full, 1, 0.5))
    assert tagger.predict([list("abcabc")]) == [list("XYZXYZ")]
    assert "_" not in tagger.labels_


def test_chunks_of_another_scheme_inside():
    data = [Sentence({"form": list("abcd"), "label": ["B-X", "_", "I-X", "O"]})]
    settings = {"column": "", "keep": (), "scheme": "IOBES", "repair": False, "constrain": False, "earlier": None}
    label_set, filled, masks = learn_partial_labels(data, "_", settings)
    assert label_set.names == ("B-X", "E-X", "I-X", "O", "S-X")
    assert (label_set.outer, label_set.inner) == ("IOB2", "IOBES")
    names = [{label_set.names[y] for y in mask} for mask in masks[0]]
    assert names == [{"B-X", "S-X"}, set(label_set.names), {"E-X", "I-X"}, {"O"}]
    assert [filled[0].columns["label"][t] for t in (0, 2, 3)] == ["B-X", "I-X", "O"]
    assert violations(filled[0].columns["label"], "IOB2") == []
    assert data[0].columns["label"][1] == "_"


def test_auto_looks_at_known_labels_only():
    tagger = Tagger(labels_missing="_").fit(with_holes(random_corpus(2, 30)))
    assert sorted(tagger.labels_) == ["D", "N", "V"]


def test_without_the_setting_the_mark_is_a_label_like_any_other():
    with pytest.warns(UserWarning, match=r"'_' \(.* times\) is learned as a label"):
        assert "_" in Tagger("pos", epochs=1).fit(with_holes(random_corpus(1))).labels_
