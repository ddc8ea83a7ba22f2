"""Line ends that end a paragraph, and those of wrapped text."""

from __future__ import annotations

import textwrap
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from perceptag.models.tokenizer.line_ends import NARROWEST, paragraph_starts


def lines_of(text: str) -> list[str]:
    """Cut a text without blank lines where a paragraph begins."""
    starts = [0, *paragraph_starts(text), len(text)]
    return [text[begin:end].rstrip() for begin, end in pairwise(starts)]


@pytest.mark.parametrize(
    "text",
    [
        "Offices\nToronto: 12 people\nLima: 7 people\nContact: Wendy Lim, wendy@corp.example",
        "Sofie Janssens\nBrightwater Logistics\n12 Dock Road",
        "2019-2023 Engineer, Oslo\n2016-2019 Assistant at the University of Technology\n2015 Intern",
        "[00:14] Welcome.\n[00:17] Today I'm talking with Esther.\n[00:22] Esther, thanks.",
        "PATIENT: MORRISON\r\nPHYSICIAN: DR. PATEL\r\nSEEN AT CEDARS-SINAI, LOS ANGELES, ON MONDAY.",
    ],
)
def test_lines_that_were_ended_on_purpose_are_paragraphs(text: str) -> None:
    assert lines_of(text) == text.splitlines()


@pytest.mark.parametrize(
    "text",
    [
        "We met in Oslo,\nNorway, and then we went\nback to the hotel",
        "the winner is the author of\nthe book about trains\nand ships",
        "Research and\ndevelopment at Lucent –\nBell Labs",
    ],
)
def test_lines_that_continue_are_not_cut(text: str) -> None:
    assert lines_of(text) == [text]


WORDS = st.lists(st.from_regex(r"[A-Z]?[a-z]{1,11}[a-z0-9]", fullmatch=True), min_size=1, max_size=60)


@given(WORDS, st.integers(NARROWEST, 90))
def test_wrapped_text_is_never_cut(words: list[str], width: int) -> None:
    assert list(paragraph_starts(textwrap.fill(" ".join(words), width))) == []


@given(WORDS, st.integers(NARROWEST, 90))
def test_blank_lines_separate_what_is_looked_at(words: list[str], width: int) -> None:
    wrapped, table = textwrap.fill(" ".join(words), width), "Oslo: 12\nRome: 7"
    assert list(paragraph_starts(f"{wrapped}\n \n{table}\n\n{wrapped}")) == [len(wrapped) + 3 + table.index("Rome")]


def test_a_heading_of_wrapped_text() -> None:
    wrapped = "We sold more books than in any year before, and fewer pens in\nLondon than last year."
    assert lines_of(f"Results of the year\n{wrapped}") == ["Results of the year", wrapped]


ADDRESS = "https://intranet.example.com/reports/2026/quarter-3/final/figures-of-the-last-quarter-for-the-board.html"
MAIL = f"""I met the people of the team in the old office on Monday afternoon, and
Anna told me that the figures of the last quarter had been sent to Mr.
Miller before noon. Please have a look at them when you find the time:
{ADDRESS}
The board will meet next Tuesday in the small room on the second floor of
Building 7, and then we will have to tell them what we think about it and
Peter will probably ask why he was not told about the numbers earlier."""
# A full line of a proportional font has more characters if they are narrow ones.
PROPORTIONAL = """It is still a bit silly to fill it till it is full, they all tell us:
most members of the commission remember what women from among
Limerick still tell of it: little is left in the till, if it is filled"""


@pytest.mark.parametrize("text", [MAIL, PROPORTIONAL])
def test_wrapped_text_with_lines_of_other_lengths_is_not_cut(text: str) -> None:
    assert lines_of(text) == [text]


def test_a_wide_header_above_wrapped_text_is_one_line() -> None:
    page = (
        "QUARTERLY REPORT OF THE NATIONAL BANK OF NORWAY, SECOND EDITION, PAGE 12 OF 48, FOR INTERNAL USE\n"
        "the board met in Oslo on Monday and decided, after\nAnna Smith had spoken, to keep the rate where it\n"
        "was. The members from Bergen were against it, and\nPaul Jones, who had come late, did not vote at all\n"
        "in the first round.\n"
    )
    lines = [page[start:].split("\n", maxsplit=1)[0] for start in paragraph_starts(page)]
    assert not [line for line in lines if line.startswith(("Anna", "Paul"))]
    offices = "Offices of the bank in the three largest towns of the country\nOslo, 12 people\nBergen, 7\nVoss, 2\n"
    assert len(list(paragraph_starts(offices))) == 3  # a list under a wide line is still a list


def test_rows_of_a_table_in_markdown_are_paragraphs() -> None:
    table = "Two people came.\n| Name | Age |\n|------|-----|\n| Anna | 3 |\n"
    assert [table[start:].split("\n", maxsplit=1)[0] for start in paragraph_starts(table)] == table.split("\n")[1:4]
