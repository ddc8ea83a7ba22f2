"""Texts that are put together from sentences."""

from __future__ import annotations

import pytest

from perceptag.foreign.marking import marked
from perceptag.text import Sentence


@pytest.mark.parametrize("last", ["", " ", "\u00a0", "end"])
def test_every_word_is_within_the_text(last: str) -> None:
    sentence = Sentence({"form": ["Anna", last], "label": ["B-PER", "I-PER"]})
    (text,) = marked([sentence], "label")
    assert [text.text[begin:end] for begin, end in text.words] == ["Anna", last]
    assert max(end for _, end in text.words) <= len(text.text)
    assert text.spans[0].end <= len(text.text)
