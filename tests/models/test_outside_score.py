"""A score for the label O: the search stays exact with it, for every kind of model."""

from __future__ import annotations

from dataclasses import replace

import pytest

from command_line import CORPUS
from learner_settings import EVERY, SOME
from perceptag import Sentence, SettingError, Tagger
from perceptag.errors import ModelError, NotOfferedError
from perceptag.models.kinds import make_ready
from perceptag.models.protocol import ReadyModel
from perceptag.store.model import Model
from perceptag.text import read_columns
from perceptag.text.documents import as_document

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


@pytest.fixture(scope="module")
def chunks() -> list[Sentence]:
    read = list(read_columns(CORPUS / "train.txt", ["form", "pos", "label", "ner"]))[:60]
    return [replace(s, columns={c: v for c, v in s.columns.items() if c != "ner"}) for s in read]


@pytest.fixture(scope="module", params=SOME)
def fitted(request, chunks) -> Tagger:
    arguments = {**EVERY[request.param], "labels_column": "label"}
    return Tagger(**arguments).fit(chunks[:40])


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
def test_lists_are_those_of_all_labellings_with_the_score_added(name, score, chunks):
    tagger = Tagger(**{**EVERY[name], "labels_column": "label"}).fit(chunks[:40])
    short = [replace_with_first(sentence, 3) for sentence in chunks[40:44]]
    everything = make_ready(tagger.model_).nbest(short, 5000)
    found = with_score(tagger.model_, score).nbest(short, 12)
    for all_of_them, best, sentence in zip(everything, found, short, strict=True):
        if name == "chunker, linear":  # a filter that lets a word through now may not have done so before
            assert best[0][0] == with_score(tagger.model_, score).tag([sentence])[0]
            continue
        expected = sorted((-(value + score * labels.count("O")) for labels, value in all_of_them))[:12]
        assert [-value for _, value in best] == pytest.approx(expected, abs=1e-3)
        assert best[0][0] == with_score(tagger.model_, score).tag([sentence])[0]


def replace_with_first(sentence, n):
    return type(sentence)({column: values[:n] for column, values in sentence.columns.items()})


def test_models_without_outside_refuse_it():
    X, y = [["a", "b"], ["b", "a"]], [["X", "Y"], ["Y", "X"]]
    with pytest.raises(SettingError, match=r"outside_score: there is no label 'O' in column 'label'"):
        Tagger("pos", outside_score=-1).fit(X, y)
    tagger = Tagger("pos").fit(X, y)
    with pytest.raises(ModelError, match="outside_score: expected a label 'O' in the model, found none"):
        with_score(tagger.model_, -1.0)
