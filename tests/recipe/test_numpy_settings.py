"""Settings that are numbers of numpy, as `np.arange` gives them: taken as the numbers of Python that they stand for."""

from __future__ import annotations

import json

import numpy as np
import pytest

from perceptag import Recipe, SettingError, Tagger
from perceptag.arrays import whole_number
from perceptag.models.model_file import to_bytes

X = [["the", "dog", "barks"], ["a", "cat", "sleeps"], ["dogs", "bark"], ["the", "cat", "saw", "a", "dog"]]
Y = [["D", "N", "V"], ["D", "N", "V"], ["N", "V"], ["D", "N", "V", "D", "N"]]

PAIRS = {
    "epochs": (np.int64(3), 3),
    "seed": (np.uint8(7), 7),
    "cutoff": (np.float64(1), 1),
    "shuffle": (np.bool_(True), True),
    "support": (np.str_("all"), "all"),
    "tolerance": (np.float32(0.1), float(np.float32(0.1))),
    "templates": ([np.str_("form[0]"), np.str_("bias * y-1 y0")], ["form[0]", "bias * y-1 y0"]),
}


@pytest.mark.parametrize("key", PAIRS)
def test_the_model_is_that_of_the_python_value(key):
    given, expected = PAIRS[key]
    models = [Tagger("collins-pos", **{"epochs": 2, key: value}).fit(X, Y).model_ for value in (given, expected)]
    assert to_bytes(models[0]) == to_bytes(models[1])
    stored = models[0].recipe.to_dict()[key]
    assert type(stored) is type(expected)
    assert stored == expected


def test_settings_of_learners_and_arguments():
    tagger = Tagger("crf", crf_sigma2=np.float32(2.5), epochs=np.int32(2), threads=np.int64(2)).fit(X, Y)
    assert json.dumps(tagger.model_.recipe.own["crf.sigma2"]) == "2.5"
    assert tagger.predict_nbest(X, np.int64(2)) == tagger.predict_nbest(X, 2)
    assert tagger.predict(X) == Y


def test_a_recipe_made_by_hand():
    given = Recipe(templates=("form[0]",), epochs=np.int64(2), shuffle=np.bool_(False))
    plain = Recipe(templates=("form[0]",), epochs=2)
    assert to_bytes(Tagger(given).fit(X, Y).model_) == to_bytes(Tagger(plain).fit(X, Y).model_)


def test_a_truth_value_is_not_a_number():
    with pytest.raises(SettingError, match="epochs: expected a whole number, found"):
        Tagger("collins-pos", epochs=np.bool_(True)).fit(X, Y)
    with pytest.raises(SettingError, match="shuffle: expected true or false, found"):
        Tagger("collins-pos", shuffle=np.int64(3)).fit(X, Y)
    with pytest.raises(SettingError, match="n: expected a number from 1 to 9, found"):
        whole_number("n", np.bool_(True), 1, 9)
