"""Parameters of requests: what is read, and both ends of what is allowed."""

from __future__ import annotations

import pytest
from starlette.requests import Request

from perceptag.server.problems import HttpProblem
from perceptag.workbench.parameters import LARGEST, RequestParameter, id_of, number, numbers, some_text


def takes(parameter: RequestParameter, text: str) -> bool:
    """Whether a parameter reads a text."""
    try:
        parameter.read(text)
    except ValueError:
        return False
    return True


def test_a_number_may_be_at_either_end() -> None:
    asked = number(2, 500, 100)
    assert (asked.default, asked.read("2"), asked.read("500"), asked.read("007")) == (100, 2, 500, 7)
    assert not any(takes(asked, text) for text in ("1", "501", "-2", "+2", "2.0", "²", "٣", " 2", ""))


def test_numbers_of_sentences() -> None:
    asked = numbers(2)
    assert asked.read(f"0,{LARGEST - 1}") == [0, LARGEST - 1]
    assert not any(takes(asked, text) for text in ("1,2,3", "-1", str(LARGEST), "a"))


@pytest.mark.parametrize(("text", "is_taken"), [("", True), ("abc", True), ("abcd", False)])
def test_text_may_be_as_long_as_its_limit(text: str, is_taken: bool) -> None:
    assert takes(some_text(3), text) == is_taken


@pytest.mark.parametrize(("text", "is_taken"), [("7", True), ("0" * 15 + "7", True), ("0" * 16 + "7", False)])
def test_the_number_of_a_sentence_has_at_most_16_digits(text: str, is_taken: bool) -> None:
    request = Request({"type": "http", "path_params": {"id": text}})
    if is_taken:
        assert id_of(request) == 7
    else:
        with pytest.raises(HttpProblem):
            id_of(request)
