"""The shipped rules for English find values in their many written forms, and only there."""

import re
from pathlib import Path

import pytest

from perceptag import Rules, Sentence

HERE = Path(__file__).parent
FORMS = [line.split("\t") for line in (HERE / "written_forms.txt").read_text("utf-8").splitlines()]
SENTENCES = (HERE / "values_in_sentences.txt").read_text("utf-8").splitlines()
MARKED = re.compile(r"\[([A-Z]+) ([^|]*)\|([^]]*)\]")  # [DATE --05-05|May 5]


@pytest.fixture(scope="module")
def english():
    return Rules.load("en")


def _cut(text: str) -> Sentence:
    """Cut a text at every change between letters, digits and signs, as no tokeniser would, but some do in part."""
    return _joined([re.findall(r"[^\W\d_]+|\d+|.", piece) for piece in text.split()])


def _words(text: str) -> Sentence:
    """Cut signs from the beginnings and the ends of words, 's, and hyphens before letters."""
    pieces = [
        re.split(r"(^[(\[\"“<]+|^[$€£]|(?<=\w)-(?=[A-Za-z])|['’]s$|[.,;:!?)\]\"”>%]+$)", one) for one in text.split()
    ]
    return _joined([[part for part in piece if part] for piece in pieces])


def _joined(pieces: list[list[str]]) -> Sentence:
    misc = ["_" if place == len(piece) - 1 else "SpaceAfter=No" for piece in pieces for place in range(len(piece))]
    return Sentence({"form": [word for piece in pieces for word in piece], "misc": misc})


def _found(rules: Rules, sentence: Sentence) -> list[tuple[str, str | None, str]]:
    spans = rules(sentence)
    return [(span.label, span.value, "".join(sentence.tokens[span.start : span.end])) for span in spans]


def test_there_are_several_hundred_forms():
    assert len(FORMS) > 300
    assert len({form for _, _, form in FORMS}) == len(FORMS)


@pytest.mark.parametrize("cut", ["at blanks", "at every change"])
def test_each_form_has_its_label_and_its_value(english, cut):
    wrong = []
    for label, value, form in FORMS:
        text = f"It says {form} here"
        sentence = Sentence({"form": text.split()}) if cut == "at blanks" else _cut(text)
        found = _found(english, sentence)
        if found != [(label, value, form.replace(" ", ""))]:
            wrong.append((form, found))
    assert wrong == []


def test_sentences_have_these_values_and_no_others(english):
    wrong = []
    for line in SENTENCES:
        expected = [(label, value, words.replace(" ", "")) for label, value, words in MARKED.findall(line)]
        found = _found(english, _words(MARKED.sub(r"\3", line)))
        if found != expected:
            wrong.append((line, found))
    assert wrong == []
