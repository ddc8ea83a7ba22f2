"""``tune`` varies only what the data can have, and says what it cannot have."""

from __future__ import annotations

import pytest

from perceptag import Sentence
from perceptag.recipe.recipe import load
from perceptag.trials.random_search import GROUPS, load_space, possible

NER = load("ner").replace({"labels.column": "label"})
SPANS = [Sentence({"form": ["in", "Rome"], "label": ["O", "B-LOC"]})]


def test_groups_of_missing_columns_and_of_documents_are_not_varied():
    space = {"margin": [1, 2], GROUPS: ["chunks", "document", "neighbours"], "labels.scheme": ["IOB2", "IOBES"]}
    found, notes = possible(space, NER, SPANS, "label")
    assert found == {"margin": [1, 2], GROUPS: ["neighbours"], "labels.scheme": ["IOB2", "IOBES"]}
    assert notes == [
        "group 'chunks' is not varied: the data lacks the column that its templates look at",
        "group 'document' is not varied: no documents are marked",
    ]


def test_nothing_is_left_out_of_full_data():
    columns = {"form": ["in", "Rome"], "pos": ["IN", "NNP"], "chunk": ["B-PP", "B-NP"], "label": ["O", "B-LOC"]}
    space = {GROUPS: ["chunks", "document", "neighbours"], "labels.scheme": ["IOB2"]}
    assert possible(space, NER, [Sentence(columns, starts_document=True)], "label") == (space, [])


def test_labels_of_single_tokens_have_no_scheme():
    data = [Sentence({"form": ["in", "Rome"], "label": ["IN", "NNP"]})]
    found, notes = possible({"labels.scheme": ["IOB2", "IOBES"]}, NER, data, "label")
    assert (found, notes) == ({}, ["labels.scheme is not varied: labels do not mark spans"])


@pytest.mark.parametrize(
    ("settings", "gone"),
    [({"learner": "margin", "nonlocal.features": ()}, "nonlocal.scale"), ({"without": "chunks"}, "chunks")],
)
def test_what_a_changed_recipe_has_lost_is_not_varied(settings, gone):
    whole, left = load_space("ner", NER), load_space("ner", NER.replace(settings))
    assert gone in whole or gone in whole[GROUPS]
    assert gone not in left
    assert gone not in left[GROUPS]
