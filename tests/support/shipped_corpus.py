"""Data and functions that the tests of the shipped corpus share."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

DATA = Path(__file__).resolve().parents[2] / "src" / "perceptag" / "data"
SPLITS = ("train", "dev", "test")


class Token(NamedTuple):
    form: str
    pos: str
    chunk: str
    ner: str


Sentence = list[Token]
Document = list[Sentence]


def read(split: str) -> list[Document]:
    documents: list[Document] = []
    for block in (DATA / f"{split}.txt").read_text(encoding="utf-8").split("\n\n"):
        lines = block.splitlines()
        if lines == ["-DOCSTART- -X- O O"]:
            documents.append([])
        elif lines:
            documents[-1].append([Token(*line.split(" ")) for line in lines])
    return documents


CORPUS = {split: read(split) for split in SPLITS}
DOCUMENTS = [document for split in SPLITS for document in CORPUS[split]]
SENTENCES = [sentence for document in DOCUMENTS for sentence in document]
TOKENS = [token for sentence in SENTENCES for token in sentence]


def spans(sentence: Sentence, column: str) -> list[tuple[int, int, str]]:
    found: list[tuple[int, int, str]] = []
    for i, token in enumerate(sentence):
        label = getattr(token, column)
        if label[0] == "B":
            found.append((i, i + 1, label[2:]))
        elif label[0] == "I":
            found[-1] = (found[-1][0], i + 1, found[-1][2])
    return found
