"""Explanations and the order of inference are those of the sentence in its document, as it is tagged."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from command_line import CORPUS, succeed
from learner_settings import LEARNERS
from perceptag import Sentence, Tagger
from perceptag.text import read_columns, write_columns
from perceptag.text.documents import split_documents


@pytest.fixture(scope="module")
def documents() -> list[list[Sentence]]:
    read = list(read_columns(CORPUS / "train.txt", ["form", "pos", "chunk", "ner"]))[:60]
    return split_documents(
        Sentence({"form": s.columns["form"], "label": s.columns["pos"]}, starts_document=s.starts_document)
        for s in read
    )


@pytest.fixture(scope="module", params=["guided of documents", "guided, document columns"])
def tagger(request, documents) -> Tagger:
    return Tagger(**LEARNERS[request.param]).fit([s for document in documents[:4] for s in document])


def test_the_test_can_fail(tagger: Tagger, documents) -> None:
    alone = [tagger.predict([replace(s, starts_document=False)])[0] for document in documents for s in document]
    assert alone != [labels for document in documents for labels in tagger.predict(document)]


def test_orders_end_in_the_labels_that_are_predicted(tagger: Tagger, documents) -> None:
    whole = tagger.model_.recipe.unit == "document"
    for document in documents:
        orders, labels = tagger.inference_orders(document), tagger.predict(document)
        expected = [[y for sentence in labels for y in sentence]] if whole else labels
        assert [[*order.labels] for order in orders] == expected
        tokens = [[w for s in document for w in s.tokens]] if whole else [s.tokens for s in document]
        assert [[*order.tokens] for order in orders] == tokens
        for order in orders:
            assert sorted(step.position for step in order.steps) == list(range(len(order.tokens)))


def test_details_are_of_the_right_tokens(tagger: Tagger, documents) -> None:
    for explanation, labels in zip(tagger.explain_document(documents[0]), tagger.predict(documents[0]), strict=True):
        assert [d.token for d in explanation.details] == [*explanation.tokens]
        assert [d.label for d in explanation.details] == labels
        for t, detail in enumerate(explanation.details):
            if detail.rival is None:  # the tag dictionary of the model leaves one label
                assert (detail.rival_labels, detail.margin) == ((), None)
            else:
                assert detail.rival_labels == (*labels[:t], detail.rival, *labels[t + 1 :])
                assert detail.margin is not None and abs(detail.margin) < 2**19
            assert detail.score == pytest.approx(sum(c.weight for c in detail.contributions))


def test_on_the_command_line(tagger: Tagger, documents, tmp_path) -> None:
    model, file = tmp_path / "m", tmp_path / "in.txt"
    tagger.save(str(model))
    write_columns((s for document in documents[:2] for s in document), str(file))
    number = len(documents[0]) + 3  # the third sentence of the second document
    found = json.loads(succeed("explain", "-m", model, "-i", file, "--sentence", number, "--order", "--json").out)
    orders = tagger.inference_orders(documents[1])
    assert found == json.loads(json.dumps(orders[2 if len(orders) > 1 else 0].to_dict()))
    found = json.loads(succeed("explain", "-m", model, "-i", file, "--sentence", number, "--json").out)
    assert found["labels"] == tagger.predict(documents[1])[2]
