"""A score for the label O: the search stays exact with it, for every kind of model."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import pytest

from learner_settings import SOME
from perceptag import Sentence, SettingError, Tagger
from perceptag.errors import ModelError, NotOfferedError
from perceptag.models.kinds import make_ready
from perceptag.models.model import Model
from perceptag.models.protocol import ReadyModel
from perceptag.text.documents import as_document
from trained import chunked, trained

EXACT: tuple[str, ...] = (
    "collins-np",
    "last",
    "constrained",
    "IOBES",
    "observed edges",
    "margin",
    "crf, second order",
    "chunker, linear",
)
SCORES = (-40.0, -2.5, -0.5, 0.5, 7.0)


@pytest.fixture
def chunks() -> list[Sentence]:
    return list(chunked())


@pytest.fixture(params=SOME)
def fitted(request) -> Tagger:
    return trained(request.param)


def with_score(model: Model, score: float) -> ReadyModel:
    return make_ready(replace(model, recipe=model.recipe.replace({"outside_score": score})))


def outside(labels: list[list[str]]) -> int:
    return sum(label == "O" for sentence in labels for label in sentence)


def test_more_or_fewer_tokens_are_outside(fitted, chunks):
    data = chunks[40:60]
    plain = outside(make_ready(fitted.model_).tag(data))
    assert outside(with_score(fitted.model_, 1e5).tag(data)) > plain
    assert outside(with_score(fitted.model_, -1e5).tag(data)) < plain


def test_explanations_are_of_the_labels_with_the_score(fitted, chunks):
    ready, document = with_score(fitted.model_, -3.0), chunks[40:43]
    try:
        found = ready.explain(document)
    except NotOfferedError:
        return  # votes
    assert [list(explanation.labels) for explanation in found] == ready.tag(as_document(document))


@pytest.mark.parametrize("score", SCORES)
@pytest.mark.parametrize("name", EXACT)
def test_lists_are_those_of_all_labellings_with_the_score_added(name, score):
    scored = with_score(trained(name).model_, score)
    found = scored.nbest(short(), 12)
    for all_of_them, best, sentence in zip(all_labellings(name), found, short(), strict=True):
        if name == "chunker, linear":  # a filter that lets a word through now may not have done so before
            assert best[0][0] == scored.tag([sentence])[0]
            continue
        expected = sorted((-(value + score * labels.count("O")) for labels, value in all_of_them))[:12]
        assert [-value for _, value in best] == pytest.approx(expected, abs=1e-3)
        assert best[0][0] == scored.tag([sentence])[0]


@cache
def all_labellings(name: str) -> list[list[tuple[list[str], float]]]:
    return make_ready(trained(name).model_).nbest(short(), 5000)


def short() -> list[Sentence]:
    return [Sentence({column: values[:3] for column, values in s.columns.items()}) for s in chunked()[40:44]]


def test_models_without_outside_refuse_it():
    X, y = [["a", "b"], ["b", "a"]], [["X", "Y"], ["Y", "X"]]
    with pytest.raises(SettingError, match=r"outside_score: there is no label 'O' in column 'label'"):
        Tagger("pos", outside_score=-1).fit(X, y)
    tagger = Tagger("pos").fit(X, y)
    with pytest.raises(ModelError, match="outside_score: expected a label 'O' in the model, found none"):
        with_score(tagger.model_, -1.0)
