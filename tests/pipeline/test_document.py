"""Documents: plain data that can be copied, pickled and compared."""

from __future__ import annotations

import copy
import pickle

import pytest

from pipelines import TEXT, whole


def test_a_document_can_be_copied_and_pickled() -> None:
    doc = whole()(TEXT)
    assert copy.deepcopy(doc) == pickle.loads(pickle.dumps(doc)) == doc
    word, token = doc.words[0], doc.sentences[0].tokens[0]
    assert copy.copy(word) == word
    assert copy.copy(token).pos == token.pos
    with pytest.raises(AttributeError, match="expected one of the layers"):
        word.nothing  # noqa: B018
