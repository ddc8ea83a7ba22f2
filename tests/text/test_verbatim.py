"""The bytes of each sentence."""

from __future__ import annotations

import dataclasses

import pytest

from perceptag.text.columns import FORMAT as COLUMNS
from perceptag.text.jsonl import FORMAT as JSONL
from perceptag.text.verbatim import NamedBytes, joined, read_verbatim


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


def test_the_end_of_a_file_is_completed_if_something_follows():
    found = [piece.encode() for piece in pieces("a X\n\nb X")]
    assert joined(found, COLUMNS) == b"a X\n\nb X"
    assert joined(found[::-1], COLUMNS) == b"b X\n\na X\n\n"
    assert joined([b"a X\r\nb X", b"c X"], COLUMNS) == b"a X\r\nb X\r\n\r\nc X"
    assert joined([b'["a"]', b'["b"]'], JSONL) == b'["a"]\n["b"]'


def test_only_text_has_pieces():
    sentences, found = read_verbatim(NamedBytes(b'["a"]', "f"), dataclasses.replace(JSONL, unit=""), None)
    assert ([s.tokens for s in sentences], found) == ([["a"]], [])
