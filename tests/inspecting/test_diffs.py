"""What differs between two models, and between their labels."""

from __future__ import annotations

import pytest

from perceptag import Tagger
from perceptag.inspecting.differences import diff_labels, diff_models

X, Y = [["the", "dog", "barks"], ["a", "cat"]], [["DT", "NN", "VBZ"], ["DT", "NN"]]


def ready(y=Y, **settings):
    recipe = {"epochs": 3, "templates": ["form[0]", "bias * y-1 y0"], **settings}
    return Tagger("collins-pos", **recipe).fit(X, y).ready_model


@pytest.fixture(scope="module")
def base():
    return ready()


def test_a_model_does_not_differ_from_itself(base):
    found = diff_models(base, base)
    assert (found.recipe, found.templates, found.labels, found.changes) == ({}, ([], []), ([], []), [])
    assert found.features is not None
    assert found.features.a == found.features.b == found.features.common > 0


def test_recipe_templates_labels_and_weights(base):
    other = ready([["DT", "NN", "XX"], ["DT", "NN"]], templates=["form[0]", "suffix2[0]"], epochs=4)
    found = diff_models(base, other, top=3)
    assert found.recipe == {"epochs": (3, 4)}
    assert found.labels == (["VBZ"], ["XX"])
    assert "suffix2[0]" in found.templates[1]
    assert found.features is not None
    assert "bias * y-1 y0" in found.features.only_a
    assert "suffix2[0]=ks" in found.features.only_b
    assert found.changes is not None
    assert len(found.changes) == 3
    assert all(change.a != change.b for change in found.changes)


def test_changes_are_better_worse_or_neither():
    gold = [["B-PER", "I-PER", "O", "B-LOC", "O", "B-ORG"]]
    a = [["B-PER", "O", "O", "B-LOC", "O", "O"]]
    b = [["B-PER", "I-PER", "O", "O", "O", "B-LOC"]]
    found = diff_labels(a, b, gold)
    assert [(c.start, c.end, c.verdict) for c in found.changed] == [
        (0, 2, "better"),
        (3, 4, "worse"),
        (5, 6, "neither right"),
    ]
    assert found.verdicts == {"better": 1, "worse": 1, "neither right": 1}
    assert ("LOC", "O", 1) in found.pairs
    assert found.comparison is not None
    assert (found.comparison.a, found.comparison.b) == (40, 40)


def test_tags_without_the_right_labels():
    found = diff_labels([["NN", "VB"]], [["NN", "NN"]])
    assert (found.unit, found.pairs, found.verdicts, found.comparison) == ("tokens", [("VB", "NN", 1)], {}, None)
    assert found.to_dict()["changed"][0]["right"] is None
    assert diff_labels([["NN"]], [["NN"]], [["NN"]]).changed == []
