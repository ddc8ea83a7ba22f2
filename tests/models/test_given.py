"""Labels that are given stay, and the rest is the best labelling that goes with them."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from perceptag import DataError, Sentence, Tagger
from perceptag._core import Labels
from rule_toys import LINEAR, random_chunks
from toys import make_recipe

CHUNKS = {  # labels of the data and inside the model, and whether the model must keep the scheme
    "IOB2": ("IOB2", "auto", True),
    "IOB2, not constrained": ("IOB2", "auto", False),
    "IOB2 as IOBES": ("IOB2", "IOBES", True),
    "IOB2 as IOBES, not constrained": ("IOB2", "IOBES", False),
    "IOB1 as IOB2": ("IOB1", "auto", True),
    "IOB1 as IOB2, not constrained": ("IOB1", "auto", False),
    "IOB1 as IOBES": ("IOB1", "IOBES", True),
    "IOBES as IOB2": ("IOBES", "IOB2", True),
}
LEARNER = {
    "perceptron": {"learner": "perceptron"},
    "second order": {"learner": "perceptron", "templates": (*LINEAR, "bias * y-2 y-1 y0")},
    "tag dictionary": {"learner": "perceptron", "tag_dictionary": 8},
    "crf": {"learner": "crf", "weights": "last"},
    "maxent": {"learner": "maxent", "maxent.beam": 0, "weights": "last"},
}


def best_by_enumeration(tagger: Tagger, words: list[str], given: list[str | None]) -> float:
    """The best score of all labellings that agree."""
    ready, label_set = tagger.ready_model, tagger.model_.label_set
    data = ready.reader.read([Sentence({"form": words})])
    x = ready.encoder.encode(data.columns, data.units)[0]
    best = -np.inf
    for ids in product(range(len(label_set.names)), repeat=len(words)):
        written = label_set.to_outer([label_set.names[y] for y in ids])
        if all(g in (None, w) for g, w in zip(given, written, strict=True)):
            best = max(best, ready.score_of(x, Labels(np.array(ids, np.int32))))
    return best


@pytest.mark.parametrize("learner", LEARNER.values(), ids=LEARNER)
@pytest.mark.parametrize(("outer", "inner", "constrain"), CHUNKS.values(), ids=CHUNKS)
def test_the_labelling_is_the_best_of_all_that_agree(outer, inner, constrain, learner):
    settings = {"templates": LINEAR, "epochs": 2, "labels.scheme": inner, "constrain": constrain} | learner
    tagger = Tagger(make_recipe(**settings)).fit(random_chunks(1, outer, continued=0.4))
    assert (tagger.model_.label_set.outer, tagger.model_.recipe.constrain) == (outer, constrain)
    rng = np.random.default_rng(2)
    compared = 0
    for sentence in random_chunks(3, outer, 30, continued=0.4):
        if len(sentence) > 3:
            continue
        given = [y if rng.random() < 0.4 else None for y in sentence.columns["label"]]
        words = sentence.columns["form"]
        [found] = tagger.predict([words], given=[given])
        assert all(g in (None, y) for g, y in zip(given, found, strict=True))
        if "tag_dictionary" not in learner:  # which may forbid the best
            assert best_by_enumeration(tagger, words, found) == best_by_enumeration(tagger, words, given)
            compared += 1
    assert compared > 10 or "tag_dictionary" in learner


def test_neighbours_decide_how_a_label_is_written():
    """In IOB1, B-X of the model after a chunk X stays B-X, and becomes I-X elsewhere."""
    X = [["a", "a"], ["a", "a"], ["b", "c"], ["c", "c"]]
    y = [["I-X", "B-X"], ["I-X", "B-X"], ["O", "I-X"], ["I-X", "I-X"]]
    tagger = Tagger(make_recipe(templates=("form[0]", "form[-1]", "bias * y-1 y0"), epochs=5, constrain=True)).fit(X, y)
    assert tagger.predict([["a", "a"]]) == [["I-X", "B-X"]]
    [found] = tagger.predict([["a", "a"]], given=[[None, "I-X"]])
    assert found[1] == "I-X"
    assert best_by_enumeration(tagger, ["a", "a"], found) == best_by_enumeration(tagger, ["a", "a"], [None, "I-X"])


@pytest.fixture(scope="module")
def tagger() -> Tagger:
    return Tagger(make_recipe(templates=LINEAR, epochs=2, constrain=True)).fit(random_chunks(1, "IOB2", continued=0.4))


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ([["O", "I-X"]], r"sentence 0, token 1: given labels: I-X follows O, which breaks IOB2"),
        ([["I-X", None]], r"sentence 0, token 0: given labels: I-X starts the sentence, which breaks IOB2"),
    ],
)
def test_given_labels_that_cannot_be(tagger, given, message):
    with pytest.raises(DataError, match=message):
        tagger.predict([["a", "b"]], given=given)


def test_labels_between_which_nothing_fits():
    data = random_chunks(1, "IOBES", continued=0.4)
    iobes = Tagger(make_recipe(templates=LINEAR, epochs=2)).fit(data)
    with pytest.raises(DataError, match=r"sentence 0, token 2: given labels: no label of the model fits here in IOBES"):
        iobes.predict([["a", "b", "c"]], given=[["B-X", None, "E-Y"]])


def test_a_label_of_the_model_that_the_data_does_not_write():
    recipe = make_recipe(templates=LINEAR, epochs=2, constrain=True).replace({"labels.scheme": "IOBES"})
    tagger = Tagger(recipe).fit(random_chunks(1, "IOB2", continued=0.4))
    with pytest.raises(DataError, match=r"unknown label 'S-X'; did you mean '[BI]-X'\?"):
        tagger.predict([["a", "b"]], given=[["S-X", None]])
