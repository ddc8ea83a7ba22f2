"""One pass of every learner of linear models over two sentences, worked out by hand: a learner joins by one line.

The sentences are a/A and b/B, the only feature is the word, and all weights start at zero. Of equal scores the first
label wins, so A is guessed for both. What is compared is the weight of (b, B); that of (b, A) is its opposite.
"""

from __future__ import annotations

import pytest

from perceptag import Sentence
from perceptag.learn import catalogue
from perceptag.learn.costs import UNIT
from toys import make_recipe, named_weights, train

# learner: the weight of (b, B), and why
BY_HAND = {
    "perceptron": 1.0,  # one mistake: + 1 for the gold label
    "margin": 1.0,  # one mistake; a/A ties with a/B, whose margin of 0 is not above C = 0: see the other test
    "pa": 0.5,  # loss 1, |D|^2 = 2: a step of 1/2
    "mira": 0.5,  # one constraint: the same step
    "arow": 1 / 3,  # loss 1, variance of D 2, gamma 1: a step of 1 / (1 + 2)
}
DATA = [Sentence({"form": [word], "label": [word.upper()]}) for word in "ab"]


def test_every_linear_learner_with_a_loop_has_its_line():
    assert set(BY_HAND) == {x.name for x in catalogue().values() if x.kind == "linear" and x.epoch}


@pytest.mark.parametrize(("learner", "expected"), BY_HAND.items(), ids=BY_HAND)
def test_one_pass(learner, expected):
    trainer = train(make_recipe(learner=learner, templates=("form[0]",), support="all", epochs=1), DATA).trainer
    found = named_weights(trainer.weights, trainer.encoder, ["A", "B"])
    weights = {(feature.values[0], labels): w for (feature, labels), (w, _) in found.items()}
    assert weights["b", ("B",)] == pytest.approx(expected, abs=UNIT)
    assert weights["b", ("A",)] == -weights["b", ("B",)]
