"""Explanations say lists and word classes in words."""

from __future__ import annotations

import numpy as np

from perceptag import Tagger
from perceptag.features.class_attributes import ClassAttribute
from perceptag.features.class_table import WordClassTable
from toys import make_recipe


def test_a_class_is_said_by_its_most_frequent_words() -> None:
    words, numbers = ("the", "Rome", "Paris", "Bonn", "Ulm"), np.array([[0], [1], [1], [1], [1]])
    attribute = ClassAttribute(WordClassTable((2,), words, np.array([9, 4, 3, 2, 1]), numbers), 2)
    assert attribute.meaning_of("1") == "like Rome, Paris, Bonn (class2)"
    assert attribute.meaning_of("0") == "like the (class2)"
    assert attribute.meaning_of("7") == attribute.meaning_of("Rome") == ""


def test_a_list_is_said_by_its_name_and_place(tmp_path) -> None:
    (tmp_path / "list").write_text("New York\nBonn\n")
    recipe = make_recipe(
        templates=("gazetteer[0]", "gazetteer[-1] gazetteer[0]", "bias"),
        support="all",
        gazetteer=[f"places={tmp_path / 'list'}"],
        epochs=3,
    )
    data = [{"form": ["in", "New", "York", "today"], "label": ["O", "B-LOC", "I-LOC", "O"]}] * 2
    tagger = Tagger(recipe, labels_column="label").fit(data)
    explained = tagger.explain(["in", "New", "York", "today"])
    said = [{c.feature: c.meaning for c in detail.contributions} for detail in explained.details]
    assert said[1]["gazetteer[0]=B-places"] == "in the list of places"
    assert said[2]["gazetteer[0]=I-places"] == "inside a phrase of the list of places"
    both = "previous word in the list of places, inside a phrase of the list of places"
    assert said[2]["gazetteer[-1]=B-places gazetteer[0]=I-places"] == both
    assert set(said[0].values()) == {""}
    assert "in the list of places" in explained.render() and "gazetteer[0]" not in explained.render()
    assert explained.to_dict()["details"][0]["contributions"][0].keys() >= {"feature", "meaning"}
