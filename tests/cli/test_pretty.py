"""`perceptag tag --pretty`: brackets in files, colours at terminals; and the words that the shell completes."""

from __future__ import annotations

import io
from collections.abc import Sequence

import pytest

from perceptag.tagging.pretty import pretty_format, wants_colours
from perceptag.text import Sentence
from perceptag.text.text_layout import sentences_of
from perceptag.text.tokens import Passage, TextSentence, Token

NAMES = Sentence({"form": ["Angela", "Merkel", "saw", "Rome"], "ner": ["B-PER", "I-PER", "O", "B-LOC"]})


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture(autouse=True)
def no_wishes(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm")


def pretty(*sentences: Sentence, stream: io.StringIO | None = None, lower: Sequence[str] = ()) -> str:
    target = stream or io.StringIO()
    pretty_format(lower).write(sentences, target)
    return target.getvalue()


def test_spans_are_in_brackets_or_in_colour(monkeypatch: pytest.MonkeyPatch) -> None:
    plain = "[Angela Merkel PER] saw [Rome LOC]\n"
    assert pretty(NAMES) == plain
    coloured = pretty(NAMES, stream=Terminal())
    assert coloured.startswith("\x1b[1;34mAngela Merkel\x1b[0m\x1b[2m PER\x1b[0m saw ")
    monkeypatch.setenv("NO_COLOR", "1")
    assert pretty(NAMES, stream=Terminal()) == plain


def test_the_environment_decides_about_colours(monkeypatch: pytest.MonkeyPatch) -> None:
    assert wants_colours(Terminal())
    assert not wants_colours(io.StringIO())
    monkeypatch.setenv("TERM", "dumb")
    assert not wants_colours(Terminal())
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert wants_colours(io.StringIO())
    monkeypatch.setenv("NO_COLOR", "1")
    assert not wants_colours(Terminal())


def test_other_labels_stand_behind_words_and_control_characters_are_shown() -> None:
    tags = Sentence({"form": ["It", "\x1b[2J"], "pos": ["PRP", "SYM"]})
    assert pretty(tags) == "It/PRP \\x1b[2J/SYM\n"
    assert pretty(Sentence({"form": ["No"], "ner": ["O"]}), Sentence({"form": [], "ner": []})) == "No\n\n"


def test_spans_without_a_name_get_one() -> None:
    assert pretty(Sentence({"form": ["A", "battery", "life"], "label": ["O", "B", "I"]})) == "A [battery life SPAN]\n"


def test_spans_of_all_layers_are_shown() -> None:
    columns = {
        "form": ["Bank", "of", "New", "York", "in", "May", "2024"],
        "pos": ["N"] * 7,
        "code": ["O", "B-OF", "I-OF", "O", "O", "O", "O"],
        "values": ["O", "O", "O", "O", "O", "B-DATE", "I-DATE"],
        "places": ["O", "O", "B-LOC", "I-LOC", "O", "O", "O"],
        "ner": ["B-ORG", "I-ORG", "I-ORG", "I-ORG", "O", "O", "O"],
    }
    sentence = Sentence(columns)
    assert pretty(sentence, lower=["values"]) == "[Bank of New York ORG] in [May 2024 DATE]\n"
    assert pretty(sentence, lower=["places", "pos"]) == "[Bank of [New York LOC] ORG] in May 2024\n"
    crossing = pretty(sentence, lower=["code", "places"])
    assert crossing == "[Bank [of New OF] York ORG] in May 2024  [New York LOC]\n"
    tagged = Sentence({name: columns[name] for name in ("form", "values", "pos")})
    assert pretty(tagged, lower=["values"]).endswith("in/N [May/N 2024/N DATE]\n")
    inner, outer = "\x1b[1;36m", "\x1b[1;33m"
    shown = pretty(sentence, lower=["places"], stream=Terminal())
    assert shown.startswith(f"{outer}Bank of {inner}New York\x1b[0m{outer}"), shown


def test_white_space_is_that_of_the_text() -> None:
    tokens = [Token("(", 0, 1, ("(",)), Token("Rome", 1, 5, ("Rome",)), Token("didn't", 6, 12, ("did", "n't"))]
    (sentence,) = sentences_of(Passage("(Rome didn't", 0, [TextSentence(tokens)]))
    sentence.columns["ner"] = ["O", "B-LOC", "O", "O"]
    assert pretty(sentence) == "([Rome LOC] didn't\n"
