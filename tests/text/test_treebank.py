"""Running text from CoNLL-U: gaps, paragraphs, multiword tokens, and what does not fit."""

from __future__ import annotations

import io

import pytest

from perceptag.errors import DataError
from perceptag.text import read_conllu
from perceptag.text.treebank import Treebank, read_treebank
from text_toys import TREEBANK, conllu


def bank(text: str) -> Treebank:
    return read_treebank(read_conllu(io.StringIO(text)))


def row(number: str, form: str, misc: str = "_") -> str:
    return "\t".join([number, form, *["_"] * 7, misc])


def test_text_and_tokens():
    found = bank(conllu("¶ I did+n't~.", "Bye~!", "¶ New"))
    passage = found.passage()
    assert passage.text == "I didn't. Bye!\n\nNew "
    assert [[t.text for t in s.tokens] for s in passage.sentences] == [["I", "didn't", "."], ["Bye", "!"], ["New"]]
    assert passage.sentences[0].tokens[1].words == ("did", "n't")
    assert [s.starts_paragraph for s in passage.sentences] == [True, False, True]
    assert (found.several, found.whole) == (1, 0)


def test_words_that_do_not_spell_a_token():
    found = bank("\n".join([row("1-2", "au"), row("1", "à"), row("2", "le")]))
    [token] = found.sentences[0].tokens
    assert (token.text, token.words, token.is_spelt) == ("au", ("à", "le"), False)
    assert (found.several, found.whole) == (1, 1)


@pytest.mark.parametrize(
    ("rows", "text"),
    [
        ([row("1", "a", "SpacesAfter=\\s\\n"), row("2", "b", "SpaceAfter=No")], "a \nb"),
        ([row("1", "a", "SpacesBefore=\\n\\t"), row("2", "b", "X=1|SpacesAfter=\\r\\n")], "\n\ta b\r\n"),
        ([row("1", "10 000", "SpacesInToken=10\\s\\s000"), row("2", "b")], "10  000 b "),
        (["# text = a\u00a0b", row("1", "a"), row("2", "b")], "a\u00a0b "),
        (["# text = 10  000 b", row("1", "10 000"), row("2", "b")], "10 000 b "),
        (["# text = ab", row("1", "a", "SpacesAfter=\\s"), row("2", "b")], "a b "),
        ([row("1", "10_0", "SpacesInToken=10\\u00a00|SpaceAfter=No")], "10\u00a00"),
        ([row("1", "a"), "1.1" + "\tgone" + "\t_" * 8, row("2", "b")], "a b "),
    ],
)
def test_gaps(rows: list[str], text: str):
    assert bank("\n".join(rows)).passage().text == text


def test_a_gap_with_a_blank_line_stays_and_others_give_way_to_paragraphs():
    end = row("1", "a", "SpacesAfter=\\n\\s\\n")
    assert bank(f"{end}\n\n# newpar\n{row('1', 'b', 'SpaceAfter=No')}").passage().text == "a\n \nb"
    assert bank(f"{row('1', 'a')}\n\n# newdoc id = x\n{row('1', 'b', 'SpaceAfter=No')}").passage().text == "a\n\nb"


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        (["# text = a c", row("1", "a"), row("2", "b")], "<stream>:3: # text: expected the token 'b'"),
        (["# text = a b c", row("1", "a"), row("2", "b")], "<stream>:2: # text: expected the end of the sentence"),
        (
            [row("1", "a", "SpacesAfter=\\ud800")],
            "<stream>:1: SpacesAfter, SpacesBefore: expected white space, found 'ud8",
        ),
        (
            [row("1", "a", "SpacesAfter=\\u0000")],
            "<stream>:1: SpacesAfter, SpacesBefore: expected white space, found 'u00",
        ),
        ([row("1", "a", "SpacesAfter=x")], "<stream>:1: SpacesAfter, SpacesBefore: expected white space, found 'x'"),
        ([row("1", "a\u00a0")], "<stream>:1: expected a token without white space around it"),
    ],
)
def test_what_does_not_fit_is_refused(rows: list[str], message: str):
    with pytest.raises(DataError) as caught:
        bank("\n".join(rows))
    assert str(caught.value).startswith(message)


# ------------------------------------------------------------------------------------- the shipped text


@pytest.mark.parametrize("part", ["train", "dev"])
def test_the_shipped_text_has_the_words_of_the_shipped_corpus(part: str):
    brackets = {"``": '"', "''": '"', "-LRB-": "(", "-RRB-": ")"}
    rows = [line.split() for line in (TREEBANK.parent / f"{part}.txt").read_text("utf-8").split("\n")]
    expected = [brackets.get(row[0], row[0]) for row in rows if row and row[0] != "-DOCSTART-"]
    sentences = list(read_conllu(TREEBANK.parent / f"text-{part}.conllu"))
    assert [form for sentence in sentences for form in sentence.columns["form"]] == expected
    assert [p for s in sentences for p in s.columns["xpos"]] == [r[1] for r in rows if r and r[0] != "-DOCSTART-"]
    found = read_treebank(sentences)
    assert found.whole == 0 < found.several
    assert sum(s.starts_document for s in sentences) == sum(r[:1] == ["-DOCSTART-"] for r in rows)
