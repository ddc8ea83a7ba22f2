"""Small treebanks in a short notation, and tokenisers trained on them."""

from __future__ import annotations

import io
from functools import cache
from pathlib import Path

from hypothesis import strategies as st

from command_line import CORPUS
from perceptag import Sentence, Tokenizer
from perceptag.text import read_conllu

TREEBANK: Path = CORPUS / "text-train.conllu"
HELD_OUT: Path = CORPUS / "text-dev.conllu"

PIECES = st.sampled_from(
    ["The dog", "didn't", ".", "\n", "\r\n", "\n\n", " ", "\t", "\u00a0", "A", "é", '"', "U.S.", "👍"]
)
texts = st.one_of(st.text(max_size=200), st.lists(PIECES, max_size=60).map("".join))


def conllu(*sentences: str) -> str:
    """CoNLL-U of sentences such as ``"¶ I did+n't~."``: ``~`` joins tokens, ``+`` words, ``¶`` starts a paragraph.

    A token whose words do not spell it: ``au=à+le``.
    """
    return "\n\n".join(map(_rows, sentences)) + "\n\n"


def _rows(sentence: str) -> str:
    rows = ["# newpar"] if sentence.startswith("¶") else []
    word = 1
    for group in sentence.removeprefix("¶").split():
        tokens = group.split("~")
        for token in tokens:
            misc = "_" if token is tokens[-1] else "SpaceAfter=No"
            form, _, several = token.rpartition("=")
            words = several.split("+")
            if len(words) > 1:
                rows.append(_row(f"{word}-{word + len(words) - 1}", form or "".join(words), misc))
                misc = "_"
            for form in words:
                rows.append(_row(str(word), form, misc))
                word += 1
    return "\n".join(rows)


def _row(number: str, form: str, misc: str) -> str:
    return "\t".join([number, form, *["_"] * 7, misc])


def treebank(*sentences: str) -> list[Sentence]:
    """The same as sentences."""
    return list(read_conllu(io.StringIO(conllu(*sentences))))


@cache
def shipped_tokenizer() -> Tokenizer:
    """A tokeniser of the shipped text."""
    return Tokenizer(epochs=3).fit(TREEBANK)
