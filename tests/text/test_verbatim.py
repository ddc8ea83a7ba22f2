"""The bytes of each sentence."""

from __future__ import annotations

import dataclasses
from functools import partial

import pytest

from perceptag.text.columns import FORMAT as COLUMNS
from perceptag.text.columns import read_columns
from perceptag.text.conllu import FORMAT as CONLLU
from perceptag.text.jsonl import FORMAT as JSONL
from perceptag.text.verbatim import NamedBytes, joined, read_verbatim

WITH_COMMENTS = dataclasses.replace(COLUMNS, read=partial(read_columns, comment="#"))
WORD = "\t".join(["{}", "a", *"_" * 8])


def pieces(text, format_=COLUMNS):
    data = text.encode()
    sentences, found = read_verbatim(NamedBytes(data, "f"), format_, None)
    assert b"".join(found) == data.removeprefix(b"\xef\xbb\xbf")
    assert len(found) == len(sentences)
    return [piece.decode() for piece in found]


@pytest.mark.parametrize(
    "expected",
    [
        ["a  X\n\n", "b X\n\n"],
        ["a X\r\n\r\n", "b\tX \r\n"],
        ["-DOCSTART- -X-\n\na X\n \t\n", "\n\nb X"],
        ["a X\n", "-DOCSTART- O\nb X\n\n"],
        ["\n\na X\n\n", "b X\n\n\n\n"],
    ],
)
def test_a_piece_ends_after_the_blank_line(expected):
    assert pieces("".join(expected)) == expected


def test_comments_belong_to_the_sentence_after_them():
    expected = ["# a file\n\n# no 1\na X\n# in it\nb X\n# the last\n\n", "# id 2 x\nc X\n\n# end of it\n"]
    assert pieces("".join(expected), WITH_COMMENTS) == expected


def test_words_that_are_not_words_of_conllu():
    first = f"# newdoc\n{WORD.format('1-2')}\n{WORD.format(1)}\n{WORD.format(2)}\n{WORD.format('2.1')}\n\n"
    second = f"# text = a\n{WORD.format(1)}\n\n"
    assert pieces(first + second, CONLLU) == [first, second]


def test_lines_of_json():
    expected = ['{"tokens": ["a"],  "x": 1}\n', '\n["b"]\r\n', '["c"]']
    assert pieces("".join(expected), JSONL) == expected


def test_the_end_of_a_file_is_completed_if_something_follows():
    found = [piece.encode() for piece in pieces("a X\n\nb X")]
    assert joined(found, COLUMNS) == b"a X\n\nb X"
    assert joined(found[::-1], COLUMNS) == b"b X\n\na X\n\n"
    assert joined([b"a X\r\nb X", b"c X"], COLUMNS) == b"a X\r\nb X\r\n\r\nc X"
    assert joined([b'["a"]', b'["b"]'], JSONL) == b'["a"]\n["b"]'


def test_a_byte_order_mark_is_left_out():
    assert pieces("\ufeffa X\n\nb X\n") == ["a X\n\n", "b X\n"]


def test_only_text_has_pieces():
    sentences, found = read_verbatim(NamedBytes(b'["a"]', "f"), dataclasses.replace(JSONL, unit=""), None)
    assert ([s.tokens for s in sentences], found) == ([["a"]], [])
