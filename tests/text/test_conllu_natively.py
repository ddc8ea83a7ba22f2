"""CoNLL-U read natively, compared with reading it line by line."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable, Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from conllu_toys import texts
from perceptag import _core
from perceptag.errors import DataError
from perceptag.text import CONLLU_COLUMNS, Sentence, read_conllu
from perceptag.text.conllu import sentences_by_lines
from perceptag.text.lines import whole_paragraphs

ROW = "{}\ta\t_\t_\t_\t_\t_\t_\t_\t_"


def by_lines(source: io.BytesIO) -> Iterator[Sentence]:
    for block in whole_paragraphs(source):
        yield from sentences_by_lines(block)


def outcome(read: Callable[[io.BytesIO], Iterable[Sentence]], data: bytes, size: int) -> list[object]:
    """All that is known about each sentence, and the error after the last one."""
    found: list[object] = []
    try:
        for s in read(InParts(data, size)):
            facts = s.columns, list(s.columns), s.source, s.line, s.starts_document, s.layout
            found.append(facts)
    except DataError as error:
        found.append((str(error), error.where))
    return found


class InParts(io.BytesIO):
    """A stream that gives a few bytes at a time."""

    def __init__(self, data: bytes, size: int) -> None:
        super().__init__(data)
        self.size = size

    def read1(self, size: int | None = -1) -> bytes:
        del size
        return self.read(self.size)


@given(texts(), st.sampled_from([7, 100, 1 << 20]))
@settings(max_examples=300, deadline=None)
def test_both_ways_give_the_same_sentences_and_errors(text: str, size: int) -> None:
    data = text.encode()
    assert outcome(read_conllu, data, size) == outcome(by_lines, data, size)


@given(texts())
def test_text_is_refused_only_if_there_is_an_error(text: str) -> None:
    """Otherwise reading would be right but slow."""
    for block in whole_paragraphs(io.BytesIO(text.replace("\0", "").encode())):
        try:
            expected = len(list(sentences_by_lines(block)))
        except DataError:
            expected = -1
        native = _core.ConlluText(block.text)
        assert native.is_plain == (expected >= 0)
        assert len(native.sentences(CONLLU_COLUMNS, _core.SharedValues())) == max(expected, 0)


def test_equal_values_are_one_object() -> None:
    a, b = read_conllu(io.StringIO("\n\n".join([ROW.format(1).replace("a", "Ωlong")] * 2)))
    assert a.tokens[0] is b.tokens[0]
    assert a.columns["lemma"][0] is b.columns["misc"][0]
    assert a.columns["lemma"] is not a.columns["misc"]


def test_values_are_forgotten_when_there_are_too_many() -> None:
    values = _core.SharedValues()

    def forms(names: Iterable[str]) -> list[str]:
        text = _core.ConlluText("\n".join(ROW.format(n).replace("a", name) for n, name in enumerate(names, 1)))
        ((columns, *_),) = text.sentences(CONLLU_COLUMNS, values)
        return columns["form"]

    first, again = forms(["same"]), forms(["same"])
    assert first[0] is again[0]
    assert forms(map(str, range(1 << 17))) == [str(n) for n in range(1 << 17)]
    assert forms(["same"]) == first
    assert forms(["same"])[0] is not first[0]


def test_many_words() -> None:
    rows = "\n".join(ROW.format(n) for n in range(1, 2001))
    (sentence,) = read_conllu(io.StringIO(rows))
    assert len(sentence) == 2000
    with pytest.raises(DataError, match=r"<stream>:2001: ids must be consecutive: expected 2001, .*, found '2000'"):
        list(read_conllu(io.StringIO(rows + "\n" + ROW.format(2000))))
