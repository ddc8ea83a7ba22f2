"""What `en` makes of text that tokenisers often get wrong: abbreviations, initials, addresses, files, lists."""

from __future__ import annotations

import pytest

import perceptag

WHOLE = [  # one sentence each
    "The merger was blocked by A. G. Edwards's lawyers on Monday.",
    "Rep. Maxine Waters asked the first question.",
    "Please pay invoice no. 8213 by Friday.",
    "The case is SMITH V. JONES of 1987.",
    "She was taken to Conn. General last night.",
    "See Loving v. Fairfax County for the details.",
    "This follows from par. 7 of the lease.",
    "We spoke to Mrs. O'Hara about the roof.",
    "Insp. Rebus and Sgt. Clarke met at the station.",
    "It costs approx. 40 euros.",
    "The method is older (cf. Baker et al. 2004).",
    "The motion (Dkt. 44) was denied.",
    "Who is J. R. R. Tolkien?",
    "Gov. Newsom and Lt. Gov. Kounalakis agreed.",
    "Prof. Dr. Keller moved to St. Louis in Sept. 2011.",
    "It follows from Eq. (5) and Fig. 3.",
]
SENTENCES = [
    ["The doors open at 7 p.m. sharp.", "Bring a coat."],
    ["Dr. A. B. Small Jr. came.", "We left."],
    ["They moved to the U.S. in May.", "It was hot."],
    ["The bill (H.R. 2144) passed.", "Nobody objected."],
    ["Ada Byron sat.", "Rome fell."],  # words that are spelt as abbreviations are
    ["Close the tab.", "Use the app instead."],
    ["He said no.", "Then he left."],
]
TOKENS = {
    "Open notes.docx and budget_2020.xlsx now.": ["notes.docx", "budget_2020.xlsx"],
    "The doors open at 7 p.m. sharp.": ["p.m."],
    "Call +44 (0)161 496 0000 today.": ["+44"],
    "It was signed on 2021-03-14 in Bonn.": ["2021-03-14"],
    "Look at https://t.co/xyz789 please.": ["https://t.co/xyz789"],
    "Thanks @katyperry99 for the ride!": ["@katyperry99"],
    "Install bar-baz==2.4.1 with pip.": ["bar-baz==2.4.1"],
    "<b>Tim Baker</b> left.": ["Tim", "Baker", "</b>"],
    "It costs approx. 40 euros.": ["approx."],
    "Insp. Rebus called.": ["Insp."],
    "I love it 😭😭": ["😭😭"],
    "Write to bob.smith@mail.example.co.uk or #help.": ["bob.smith@mail.example.co.uk", "#help"],
}


@pytest.fixture(scope="module")
def english() -> perceptag.Pipeline:
    return perceptag.load("en")


def sentences(english: perceptag.Pipeline, text: str) -> list[str]:
    return [sentence.text for sentence in english(text).sentences]


@pytest.mark.parametrize("text", WHOLE)
def test_a_full_stop_that_ends_no_sentence(english: perceptag.Pipeline, text: str) -> None:
    assert sentences(english, text) == [text]


@pytest.mark.parametrize("expected", SENTENCES, ids=lambda expected: expected[0])
def test_a_full_stop_that_ends_a_sentence(english: perceptag.Pipeline, expected: list[str]) -> None:
    assert sentences(english, " ".join(expected)) == expected


def test_lines_of_a_list_are_sentences(english: perceptag.Pipeline) -> None:
    for bullet in "-*•":
        lines = ["To do:", f"{bullet} buy paint", f"{bullet} call Anna", f"{bullet} Book the van"]
        assert sentences(english, "\n".join(lines)) == lines


@pytest.mark.parametrize("text", TOKENS)
def test_tokens_that_stay_whole(english: perceptag.Pipeline, text: str) -> None:
    tokens = [token.text for sentence in english(text).sentences for token in sentence.tokens]
    assert [token for token in TOKENS[text] if token not in tokens] == []
