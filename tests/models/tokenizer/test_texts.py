"""Tokenisers give back the text that they were given, whatever it is."""

from __future__ import annotations

import re
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from io import BytesIO
from unittest import mock

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from perceptag.errors import DataError
from perceptag.text import raw_text
from perceptag.text.raw_text import parts, read_blocks
from perceptag.text.tokens import Passage, joined
from text_toys import shipped_tokenizer, texts

ODD = {
    "CRLF": "One line.\r\nAnother one.\r\n\r\nA paragraph.",
    "no-break spaces": "10\u00a0000 euros\u202f!",
    "emoji": "Well done 👍🏽 👩‍👩‍👧! Bye.",
    "right to left": "שלום עולם. مرحبا بالعالم!",
    "combining marks alone": "\u0301\u0308 a\u0301b",
    "NUL": "a\0b\0 c",
    "lone surrogates": "a \ud800 b\udfff.",
    "other line ends": "a\u2028b\u2029c\x85d\x0be\x1cf",
    "zero width": "a\u200bb\ufeffc",
    "no space at all": "x" * 100_000 + "." + "漢字" * 1000,
    "a script never seen": "ꕉꕜꕮ ꔔꘋ ꖸ",
    "brackets": "((((a))))" * 50,
}


def check(text: str, passage: Passage) -> None:
    """Everything that holds for any text."""
    tokens = [token for sentence in passage.sentences for token in sentence.tokens]
    gaps = passage.gaps()
    assert gaps[0] + "".join(token.text + gap for token, gap in zip(tokens, gaps[1:], strict=True)) == text
    assert not "".join(gaps).strip()
    for token in tokens:
        assert text[token.start : token.end] == token.text
        assert token.text and not token.text[0].isspace() and not token.text[-1].isspace()
        assert "".join(token.words) == token.text and all(token.words)
    assert all(sentence.tokens for sentence in passage.sentences)


@given(texts)
@settings(max_examples=300, deadline=None)
def test_the_text_comes_back(text: str):
    check(text, shipped_tokenizer().tokenize(text))


@pytest.mark.parametrize("text", ODD.values(), ids=ODD)
def test_odd_texts_come_back(text: str):
    check(text, shipped_tokenizer().tokenize(text))


@pytest.mark.parametrize("text", ["", " ", "\n\n", "\u00a0\r\n\t"])
def test_without_characters_there_are_no_sentences(text: str):
    assert shipped_tokenizer()(text) == []
    assert shipped_tokenizer().tokenize(text).gaps() == [text]


def test_a_script_never_seen_is_cut_at_white_space():
    [sentence] = shipped_tokenizer()("ꕉꕜꕮ ꔔꘋ ꖸ")
    assert [token.text for token in sentence] == ["ꕉꕜꕮ", "ꔔꘋ", "ꖸ"]


def test_a_blank_line_ends_a_sentence_and_another_line_end_does_not():
    found = shipped_tokenizer().tokenize("The council of the city met on\nTuesday\n\nin the hall.")
    assert [[t.text for t in s.tokens] for s in found.sentences] == [
        ["The", "council", "of", "the", "city", "met", "on", "Tuesday"],
        ["in", "the", "hall", "."],
    ]
    assert [s.starts_paragraph for s in found.sentences] == [True, True]
    assert [s.starts_document for s in found.sentences] == [True, False]


@given(texts, st.integers(1, 7), st.integers(2, 40))
@settings(max_examples=200, deadline=None)
def test_the_size_of_blocks_changes_nothing(text: str, size: int, longest: int):
    """Also where paragraphs are longer than is allowed: those here are cut after a few characters."""
    assume(not re.search(rf"\s{{{longest}}}", text))
    ready = shipped_tokenizer().ready_model
    with mock.patch.multiple(raw_text, LONGEST=longest, AT_ONCE=1):
        whole = ready.tokenize(text)
        place, found = 0, []
        for part in parts(text[i : i + size] for i in range(0, len(text), size)):
            found.append(ready.tokenize_part(part, place))
            place += len(part)
    check(text, whole)
    assert joined(found) == whole


def test_a_long_paragraph_is_cut_behind_white_space():
    with mock.patch.multiple(raw_text, LONGEST=10, AT_ONCE=1):
        assert list(parts(["aaaa bbbb cccc dddd\n\nee"])) == ["aaaa bbbb ", "cccc dddd\n\n", "ee"]
        assert list(parts(["a" * 25])) == ["a" * 10, "a" * 10, "a" * 5]


def test_short_paragraphs_are_tokenised_together():
    assert list(parts(["One.\n\nTwo.\n\n", "\nThree."])) == ["One.\n\n", "Two.\n\n\n", "Three."]
    assert list(parts(["\n\n One.\n\nTwo.\n\nThree."])) == ["\n\n One.\n\nTwo.\n\n", "Three."]


def test_parts_are_bounded_by_what_a_paragraph_may_have():
    text = "word " * 500_000
    assert max(map(len, parts(text[i : i + 65_536] for i in range(0, len(text), 65_536)))) <= raw_text.LONGEST
    assert "".join(parts([text])) == text


def test_threads_share_a_tokenizer():
    text = "The council didn't vote. Nobody knew why!\n\n" * 50
    expected = shipped_tokenizer()(text)
    with ThreadPoolExecutor(8) as pool:
        assert all(found == expected for found in pool.map(shipped_tokenizer(), [text] * 40))


# ------------------------------------------------------------------------------------------ files


def read(data: bytes) -> str:
    return "".join(read_blocks(BytesIO(data)))


def test_files_are_read_as_they_are():
    assert read("é\r\n".encode()) == "é\r\n"
    assert read(b"\xef\xbb\xbfa") == "a"
    assert read(b"") == ""


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"a\nb\xff", "<stream>:2: invalid UTF-8: byte 0xFF"),
        (b"a\n\n\xc3", "<stream>:3: invalid UTF-8: byte 0xC3"),
        (b"a\n\0", "<stream>:2: NUL character; is this text in UTF-8?"),
    ],
)
def test_files_that_are_no_text_are_refused(data: bytes, message: str):
    with pytest.raises(DataError) as caught:
        read(data)
    assert str(caught.value).startswith(message)
    assert "--encoding names another encoding" in str(caught.value)


@pytest.mark.parametrize("text", ["a" * 400_000, "漢字，" * 130_000, "The cat sat. " * 60_000])
def test_other_threads_go_on_while_a_long_text_is_searched(text):
    """A thread that only counts goes on counting during the search, whatever the text is."""
    tokenizer = shipped_tokenizer()
    tokenizer.tokenize("A first text.")
    runs = tokenizer.ready_model.alphabet.runs(text)
    ended, ticks = threading.Event(), []

    def count() -> None:
        while not ended.is_set():
            time.sleep(0.0005)
            ticks.append(time.perf_counter())

    thread = threading.Thread(target=count)
    thread.start()
    began = time.perf_counter()
    tokenizer.ready_model.segmenter.tokens(runs, None)
    ended_at = time.perf_counter()
    ended.set()
    thread.join()
    assert sum(began < tick < ended_at for tick in ticks) > 5  # none, if the call keeps the lock of the interpreter
