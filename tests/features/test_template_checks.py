"""Columns and attributes that no template looks at are named, once."""

from __future__ import annotations

import pytest

from perceptag import Sentence
from perceptag.text import CONLLU_COLUMNS
from perceptag.training.train import Training
from toys import make_recipe

DATA = [Sentence({"form": ["a", "b"], "pos": ["X", "Y"], "lemma": ["a", "b"], "label": ["P", "Q"]})]


def notes(templates, data=DATA, **more):
    recipe = make_recipe(templates=templates, **{"labels.column": "label"})
    return Training(recipe, data, **more).task.notes


@pytest.mark.parametrize(
    ("templates", "attributes", "told"),
    [
        (["form[0]"], {}, ["note: no template looks at columns 'pos', 'lemma'"]),
        (["pos[0]", "lemma.suffix1[0]"], {}, []),
        (
            ["form[0]", "pos[0]"],
            {"own": str},
            ["note: no template looks at column 'lemma'", "warning: no template looks at attribute 'own'"],
        ),
        (["pos.own[0]", "lemma[0]"], {"own": str}, []),
    ],
)
def test_what_no_template_looks_at(templates, attributes, told):
    assert notes(templates, attributes=attributes) == told


def test_conllu_has_more_columns_than_a_tagger_needs():
    columns = {name: ["a", "b"] for name in CONLLU_COLUMNS} | {"upos": ["X", "Y"]}
    recipe = make_recipe(templates=["form[0]"], **{"labels.column": "upos"})
    assert Training(recipe, [Sentence(columns)]).task.notes == []
