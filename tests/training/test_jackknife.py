"""Columns that a lower layer predicts: no sentence is labelled by a model that was trained on it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from perceptag import Sentence, Tagger
from perceptag.models.model import Model
from perceptag.training.jackknife import LowerLayer, with_predicted
from perceptag.training.train import Training
from pipelines import corpus, pos_tagger

COLUMNS = ("form", "pos", "ner")


def labelled(documents: int, sentences: int) -> list[Sentence]:
    """Sentences of one word, each with a word and a label of its own."""
    return [
        Sentence({"form": [f"w{d}.{s}", "x"], "pos": [f"L{d}.{s}", "X"]}, starts_document=s == 0)
        for d in range(documents)
        for s in range(sentences)
    ]


def lower(data: list[Sentence], **settings: object) -> Model:
    return Tagger("collins-hmm", epochs=1, labels_column="pos", **settings).fit(data).model_


def watch(monkeypatch: pytest.MonkeyPatch, see: Callable[[list[Sentence]], object]) -> None:
    """Show the sentences of all trainings from now on."""
    original = Training.__init__

    def watched(self, recipe, train, *rest, **named):
        see(train)
        original(self, recipe, train, *rest, **named)

    monkeypatch.setattr(Training, "__init__", watched)


@pytest.mark.parametrize(("documents", "sentences", "folds"), [(6, 2, 3), (1, 8, 4), (2, 5, 5), (7, 1, 5)])
def test_no_sentence_is_predicted_by_a_model_that_was_trained_on_it(
    documents: int, sentences: int, folds: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    trained: list[set[str]] = []

    data = labelled(documents, sentences)
    layer = LowerLayer(lower(data))
    watch(monkeypatch, lambda train: trained.append({s.tokens[0] for s in train}))
    found, _ = with_predicted([layer], data, folds=folds)
    every = {s.tokens[0] for s in data}
    assert len(trained) == folds and all(some < every for some in trained)
    held_out = [every - some for some in trained]
    assert sorted(word for some in held_out for word in some) == sorted(every)  # each sentence is held out once
    if documents >= folds:  # a document is never cut
        assert all({word.split(".")[0] for word in some} == set() or len(some) % sentences == 0 for some in held_out)
    for sentence in found:  # a label that only this sentence has cannot be predicted
        assert sentence.columns["pos"][0] != f"L{sentence.tokens[0][1:]}"
    assert data == labelled(documents, sentences)  # the input is not changed


def test_dev_data_is_predicted_by_the_model_itself() -> None:
    train, dev = corpus("train", *COLUMNS), corpus("dev", *COLUMNS)
    layer = LowerLayer(pos_tagger().model_)
    found, heldout = with_predicted([layer], train, dev, folds=2)
    assert heldout is not None
    assert [s.columns["pos"] for s in heldout] == pos_tagger().predict([s.tokens for s in dev])
    wrong = sum(a != b for x, y in zip(train, found, strict=True) for a, b in zip(*columns(x, y), strict=True))
    assert 0.02 < wrong / sum(map(len, train)) < 0.3  # mistakes as on new text, not as on known text
    assert [s.columns["ner"] for s in found] == [s.columns["ner"] for s in train]


def columns(x: Sentence, y: Sentence) -> tuple[list[str], list[str]]:
    return x.columns["pos"], y.columns["pos"]


def test_a_layer_reads_what_the_layer_below_it_predicts(monkeypatch: pytest.MonkeyPatch) -> None:
    data = labelled(6, 2)
    seen: list[set[str]] = []

    first = LowerLayer(lower(data), "low")
    low = with_predicted([first], data, folds=3)[0]
    second = lower(low, templates=("form[0]", "low[0]"))
    watch(monkeypatch, lambda train: seen.append({value for s in train for value in s.columns.get("low", ())}))
    with_predicted([first, LowerLayer(second, "high")], data, folds=3)
    assert seen[:3] == [set()] * 3 and all(seen[3:])
    assert set().union(*seen) <= {value for s in low for value in s.columns["low"]}
