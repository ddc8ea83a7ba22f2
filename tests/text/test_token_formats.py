"""Tokenised text in files: what is written, and that CoNLL-U gives the text back."""

from __future__ import annotations

import io
import json

from hypothesis import example, given, settings

from perceptag.text import read_conllu, write_conllu
from perceptag.text.conllu import from_text
from perceptag.text.text_layout import sentences_of
from perceptag.text.token_formats import write_tokens
from perceptag.text.tokens import Passage, TextSentence, Token
from perceptag.text.treebank import read_treebank
from text_toys import shipped_tokenizer, texts

TEXT = "\nI didn't.  Bye\n\n10 000!"
PASSAGE = Passage(
    TEXT,
    0,
    [
        TextSentence(
            [Token("I", 1, 2, ("I",)), Token("didn't", 3, 9, ("did", "n't")), Token(".", 9, 10, (".",))], True, True
        ),
        TextSentence([Token("Bye", 12, 15, ("Bye",))]),
        TextSentence([Token("10 000", 17, 23, ("10 000",)), Token("!", 23, 24, ("!",))], True),
    ],
)


def written(passage: Passage, name: str) -> str:
    out = io.BytesIO()
    write_tokens([passage], out, name)
    return out.getvalue().decode()


def test_jsonl():
    first, second, third = map(json.loads, written(PASSAGE, "jsonl").splitlines())
    assert first == {
        "text": "I didn't.",
        "tokens": ["I", "didn't", "."],
        "offsets": [[1, 2], [3, 9], [9, 10]],
        "words": [["I"], ["did", "n't"], ["."]],
        "paragraph": True,
    }
    assert second == {"text": "Bye", "tokens": ["Bye"], "offsets": [[12, 15]]}
    assert third["paragraph"] is True


def test_conllu():
    rows = [row.replace("\t_" * 7, " …") for row in written(PASSAGE, "conllu").split("\n")]
    assert rows == [
        "# newdoc",
        "# newpar",
        "# text = I didn't.",
        "1\tI …\tSpacesBefore=\\n",
        "2-3\tdidn't …\tSpaceAfter=No",
        "2\tdid …\t_",
        "3\tn't …\t_",
        "4\t. …\tSpacesAfter=\\s\\s",
        "",
        "# text = Bye",
        "1\tBye …\tSpacesAfter=\\n\\n",
        "",
        "# newpar",
        "# text = 10 000!",
        "1\t10 000 …\tSpaceAfter=No",
        "2\t! …\tSpaceAfter=No",
        "",
        "",
    ]


def is_writable(text: str) -> bool:
    """Whether a file can hold it."""
    return "\0" not in text and not any("\ud800" <= c <= "\udfff" for c in text)


@given(texts.filter(is_writable))
@example("0\nA 0")  # a heading: a paragraph ends at a line end, without a blank line
@settings(max_examples=200, deadline=None)
def test_conllu_gives_the_text_back(text: str):
    passage = shipped_tokenizer().tokenize(text)
    if not passage.sentences:
        return
    back = read_treebank(read_conllu(io.StringIO(written(passage, "conllu"), newline=""))).passage()
    assert back == passage


def test_text_that_is_labelled_has_the_same_rows() -> None:
    out = io.BytesIO()
    write_conllu(map(from_text, sentences_of(PASSAGE)), out)
    rows = [row for row in out.getvalue().decode().splitlines() if not row.startswith("#")]
    assert rows == [row for row in written(PASSAGE, "conllu").splitlines() if not row.startswith("#")]
    assert [row.split("\t")[0] for row in rows[:5]] == ["1", "2-3", "2", "3", "4"]
