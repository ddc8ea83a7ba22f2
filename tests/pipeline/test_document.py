"""Documents: plain data that can be copied, pickled and compared."""

from __future__ import annotations

import copy
import json
import pickle

import numpy as np
import pytest

from perceptag.pipeline.document import Document, DocumentSentence, DocumentSpan
from pipelines import TEXT, whole


def test_a_document_can_be_copied_and_pickled() -> None:
    doc = whole()(TEXT)
    assert copy.deepcopy(doc) == pickle.loads(pickle.dumps(doc)) == doc
    word, token = doc.words[0], doc.sentences[0].tokens[0]
    assert copy.copy(word) == word
    assert copy.copy(token).pos == token.pos
    with pytest.raises(AttributeError, match="expected one of the layers"):
        word.nothing  # noqa: B018


def test_a_document_is_json() -> None:
    doc = whole()(TEXT)
    record = json.loads(json.dumps(doc.to_json()))
    assert record["text"] == doc.text and len(record["sentences"]) == len(doc) == len(list(doc.sents))
    spans = [span for sentence in record["sentences"] for span in sentence["spans"]]
    assert [(s["text"], s["label"]) for s in spans] == [(e.text, e.label_) for e in doc.ents]


def test_spans_of_a_document_are_in_the_order_of_the_text() -> None:
    spans = [DocumentSpan("values", "DATE", 2, 3, 9, 12, "May"), DocumentSpan("ner", "PER", 0, 1, 0, 4, "Anna")]
    document = Document("Anna met May", [DocumentSentence("Anna met May", 0, 12, [], spans)])
    assert [span.text for span in document.spans] == ["Anna", "May"] == [span.text for span in document.ents]


def test_documents_are_single_values_of_an_array() -> None:
    documents = [Document("Anna sings", [DocumentSentence("Anna", 0, 4, [])] * 2)] * 2
    assert np.array(documents, dtype=object).shape == (2,)  # what has indices would become a row of its sentences
