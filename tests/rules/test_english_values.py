"""The shipped rules for English find values in their many written forms."""

from pathlib import Path

import pytest

from perceptag import Rules, Sentence

FORMS = [line.split("\t") for line in (Path(__file__).parent / "written_forms.txt").read_text("utf-8").splitlines()]


@pytest.fixture(scope="module")
def english():
    return Rules.load("en")


def _cut(text: str) -> Sentence:
    """Cut a text at every change between letters, digits and signs, as no tokeniser would, but some do in part."""
    words: list[str] = []
    misc: list[str] = []
    for piece in text.split():
        begin = len(words)
        for letter in piece:
            kind = letter.isalpha(), letter.isdigit()
            if len(words) > begin and any(kind) and (words[-1][-1].isalpha(), words[-1][-1].isdigit()) == kind:
                words[-1] += letter
            else:
                words.append(letter)
                misc.append("SpaceAfter=No")
        misc[-1] = "_"
    return Sentence({"form": words, "misc": misc})


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
