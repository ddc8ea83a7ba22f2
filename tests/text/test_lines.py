"""All readers: bytes, line ends, encodings, and the errors that name file and line."""

from __future__ import annotations

import io
import os
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from perceptag.errors import DataError, FileWarning
from perceptag.text import Sentence, lines, read, read_columns
from perceptag.text.lines import whole_lines, whole_paragraphs
from slow_streams import Dribble


@given(st.text(alphabet="a \t\n\r", max_size=40).filter(lambda text: "\r\r\n" not in text), st.integers(1, 9))
def test_blocks_hold_all_the_text_and_right_line_numbers(text: str, size: int) -> None:
    whole = text.replace("\r\n", "\n").replace("\r", "\n")
    whole += "" if whole.endswith("\n") or not whole else "\n"
    for blocks in (list(whole_lines(Dribble(text.encode(), size))), list(whole_paragraphs(io.StringIO(text)))):
        line = 1
        for block in blocks:
            assert block.line == line
            assert block.text.endswith("\n")
            line += block.text.count("\n")
        assert line == 1 + whole.count("\n")
    assert "".join(block.text for block in whole_lines(Dribble(text.encode(), size))) == whole


@pytest.mark.parametrize("size", [1, 2, 3, 4, 5, 64])
def test_lines_that_end_twice_are_refused_in_pieces_of_any_size(size: int) -> None:
    with pytest.raises(DataError, match="found CR CR LF"):
        list(whole_paragraphs(Dribble(b"a b\r\r\nc d\r\r\n", size)))


class Endless(io.RawIOBase):
    """A stream that never ends, and fails if more of it is read than necessary."""

    name = "endless.txt"

    def __init__(self, start: bytes, fill: bytes, most: int) -> None:
        self.next = start
        self.fill = fill
        self.left = most

    def read(self, size: int = -1) -> bytes:
        data, self.next = self.next or self.fill * size, b""
        self.left -= len(data)
        assert self.left > 0, "read on and on"
        return data


@pytest.mark.parametrize("name", ["columns", "conllu", "jsonl"])
def test_a_nul_is_refused_before_the_line_ends(name: str) -> None:
    with pytest.raises(DataError, match=r"endless\.txt:2: NUL character at byte 1 of the line"):
        list(read(Endless(b"\n", b"\0", 1 << 18), name))


@pytest.mark.parametrize("name", ["columns", "conllu", "jsonl"])
def test_a_line_beyond_all_length_is_refused_before_it_ends(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lines, "MAX_LINE", 1 << 20)
    with pytest.raises(DataError, match=r"endless\.txt:2: expected a line of at most 1048576 bytes"):
        list(read(Endless(b"\n", b"a", 1 << 21), name))


@pytest.mark.parametrize("size", [1, 3])  # a chunk is never as long as the longest line
def test_the_longest_line_is_the_same_in_chunks_of_any_size(size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lines, "MAX_LINE", 5)
    assert [s.tokens for s in read(Dribble(b"aaa X\n\nbbb X\r\n\nccc X", size))] == [["aaa"], ["bbb"], ["ccc"]]
    for text in (b"aaaa X", b"aaaa X\n", b"aaaa X\nb X\n"):
        with pytest.raises(DataError, match="stream>:3: expected a line of at most 5 bytes"):
            list(read(Dribble(b"b X\n\n" + text, size)))


def test_a_text_stream_with_a_lone_surrogate_is_refused() -> None:
    with pytest.raises(DataError, match=r"<stream>:2: invalid UTF-8"):
        list(read(io.StringIO("a b\n\ud800 c\n")))


def test_standard_input_is_utf8_whatever_the_locale(monkeypatch: pytest.MonkeyPatch) -> None:
    stdin = io.TextIOWrapper(io.BytesIO("é ß\n".encode()), encoding="latin-1")
    monkeypatch.setattr(sys, "stdin", stdin)
    (sentence,) = read("-")
    assert sentence == Sentence({"form": ["é"], "label": ["ß"]})
    assert sentence.where() == "<stdin>:1"


def test_a_sentence_from_a_pipe_does_not_wait_for_the_next() -> None:
    reading, writing = os.pipe()
    with open(reading, "rb") as source, open(writing, "wb", buffering=0) as target:  # noqa: PTH123, descriptors
        sentences = read(source)
        for word in ("a", "b", "c"):
            target.write(f"{word} X\n\n".encode())
            assert next(sentences).tokens == [word]


def test_a_long_sentence_and_a_long_token_take_linear_time() -> None:
    (sentence,) = read(io.BytesIO(b"word X\n" * 300_000))
    assert len(sentence) == 300_000
    (sentence,) = read(Dribble(b"x" * 5_000_000 + b" Y", 1 << 12))
    assert len(sentence.tokens[0]) == 5_000_000


def test_text_that_is_utf8_already_is_read_as_such(tmp_path: Path) -> None:
    german, file = "Jürgen B-PER\n\n", tmp_path / "a.txt"
    file.write_text(german, "utf-8")
    with pytest.warns(FileWarning, match=r"a\.txt: the text is UTF-8, not latin-1"):
        assert read(file, encoding="latin-1")[0].tokens == ["Jürgen"]
    file.write_text(german, "latin-1")
    assert read(file, encoding="latin-1")[0].tokens == ["Jürgen"]
    assert next(read_columns(file, encoding="cp1252")).tokens == ["Jürgen"]
    assert next(read_columns(io.StringIO(german), encoding="latin-1")).tokens == ["Jürgen"]  # is text already


@pytest.mark.parametrize("encoding", ["latin-1", "cp1252", "iso-8859-2"])
def test_a_character_may_be_cut_by_a_border_of_pieces(tmp_path: Path, encoding: str) -> None:
    (tmp_path / "a.txt").write_text("a" + "ü" * 200_000 + "\n", "utf-8")
    with pytest.warns(FileWarning):
        assert read(tmp_path / "a.txt", encoding=encoding)[0].tokens == ["a" + "ü" * 200_000]
