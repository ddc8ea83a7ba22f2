"""Many texts through a pipeline: the documents of single calls, in the order of the texts."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from perceptag import DataError
from pipelines import TEXT, over_documents, whole
from text_toys import texts

TEXTS = [TEXT, "", "London LONDON london. A dog.", " \n", "Harwick lost. It rained.", "merkel visited LONDON."]


@pytest.mark.parametrize("pipeline", [whole, over_documents])
@pytest.mark.parametrize("batch_size", [1, 2, 100])
@pytest.mark.parametrize("confidence", [None, False])
def test_documents_are_those_of_single_calls(pipeline, batch_size: int, confidence: bool | None) -> None:
    nlp = pipeline()
    found = list(nlp.pipe(TEXTS, batch_size=batch_size, confidence=confidence))
    assert found == [nlp(text, confidence=confidence) for text in TEXTS]


@given(st.lists(texts, max_size=4))
@settings(max_examples=20, deadline=None)
def test_any_texts(given_: list[str]) -> None:
    clean = [text.replace("\0", "").encode("utf-8", "ignore").decode() for text in given_]
    nlp = over_documents()
    assert list(nlp.pipe(clean, confidence=False)) == [nlp(text, confidence=False) for text in clean]


def test_processes_give_the_same_in_the_same_order() -> None:
    nlp = over_documents()
    found = list(nlp.pipe(zip(TEXTS * 4, range(99), strict=False), batch_size=2, n_process=2, as_tuples=True))
    assert found == [(nlp(text), number) for number, text in enumerate(TEXTS * 4)]


def test_texts_are_read_when_they_are_needed() -> None:
    read: list[int] = []

    def endless() -> Iterator[str]:
        while True:
            read.append(1)
            yield TEXT

    found = whole().pipe(endless(), batch_size=3)
    assert not read
    assert next(found) == whole()(TEXT) and len(read) == 3


def test_a_text_that_no_file_can_hold_is_named() -> None:
    with pytest.raises(DataError, match="text 1: expected text, found a NUL character at character 1"):
        list(whole().pipe([TEXT, "a\0"]))


def test_names_that_users_of_spacy_look_for() -> None:
    document = whole()(TEXT)
    assert document.ents == document.spans and document.ents[0].label_ == document.spans[0].label
    assert document.sents == document.sentences
    assert document.to_json() == document.to_dict()
