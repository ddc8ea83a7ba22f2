"""Labels under several scores of O are those of a search of every sentence under each of them."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from perceptag import Sentence
from perceptag.models.kinds import make_ready
from perceptag.models.linear.tagger import LinearTagger
from perceptag.recipe.recipe import load
from perceptag.training.outside import can_choose
from perceptag.training.train import Training

SCORES = [-60.0, -16.0, -4.0, -1.0, -0.5, 0.0, 0.25, 1.0, 3.0, 50.0]
RECIPES = {
    "margins": ("basic-ner", {"learner": "margin", "margin": 8}),
    "few weights, many equal scores": ("basic-ner", {"cutoff": 9, "weights": "last"}),
    "converted and repaired": ("basic-ner", {"labels.scheme": "IOBES", "labels.repair": True, "constrain": False}),
    "second order": ("collins-pos", {"constrain": False, "templates": ["form[-1..1]", "pos[0]", "bias * y-2 y-1 y0"]}),
    "whole spans": (
        "basic-ner",
        {"learner": "margin", "spans.longest": 3, "spans.templates": ["lower[first] lower[last]"]},
    ),
}


def ready(name: str, sentences: Sequence[Sentence]) -> LinearTagger:
    recipe, changes = RECIPES[name]
    training = Training(load(recipe).replace({"labels.column": "label", "epochs": 2, **changes}), sentences)
    made = make_ready(training.run_all().finish().model)
    assert isinstance(made, LinearTagger)
    return made


@pytest.mark.parametrize("name", RECIPES)
@pytest.mark.parametrize("order", [SCORES, sorted(SCORES, key=abs, reverse=True)], ids=["ascending", "inwards"])
def test_the_labels_are_those_of_a_full_search(name: str, order: list[float], chunks: list[Sentence]) -> None:
    model = ready(name, chunks[:25])
    labels = model.labels_by_outside_score(chunks[25:], 2)
    found = {score: labels(score) for score in order}
    for score in SCORES:
        model.set_outside_score(score)
        assert found[score] == model.tag(chunks[25:]), score
    assert found[SCORES[0]] != found[0.0] != found[SCORES[-1]]  # or the test shows little


def test_a_score_of_o_is_chosen_if_labels_mark_spans_and_dev_data_has_some() -> None:
    assert can_choose(["B-X", "O"], "IOB2", [["O", "B-X"]])
    assert not can_choose(["B-X", "O"], "IOB2", [["O", "O"]])
    assert not can_choose(["B-X", "O"], "none", [["O", "B-X"]])
    assert not can_choose(["B-X", "I-X"], "IOB2", [["B-X"]])
    assert not can_choose(["O"], "IOB2", [["O", "B-X"]])


def test_votes_are_searched_in_full(chunks: list[Sentence]) -> None:
    voted = make_ready(
        Training(load("collins-np").replace({"labels.column": "label", "epochs": 2, "weights": "voted"}), chunks[:20])
        .run_all()
        .finish()
        .model
    )
    labels = voted.labels_by_outside_score(chunks[20:])
    for score in (0.0, -4.0, -1.0):
        found = labels(score)
        voted.set_outside_score(score)
        assert found == voted.tag(chunks[20:])
