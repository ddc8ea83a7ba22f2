"""The corpus that comes with the package keeps the promises of its README."""

from __future__ import annotations

import re
from collections import defaultdict

import pytest

from shipped_corpus import CORPUS, DATA, DOCUMENTS, SENTENCES, SPLITS, Sentence, spans


def words(text: str) -> set[str]:
    return set(text.split())


CHUNK_TYPES = words("NP VP PP ADVP ADJP SBAR PRT CONJP INTJ LST UCP")
ENTITY_TYPES = {"PER", "LOC", "ORG", "MISC"}


def show(sentence: Sentence) -> str:
    return " ".join(f"{t.form}/{t.pos}/{t.chunk}/{t.ner}" for t in sentence)


@pytest.mark.parametrize("split", SPLITS)
def test_file_format(split: str) -> None:
    raw = (DATA / f"{split}.txt").read_bytes()
    assert b"\r" not in raw and b"\t" not in raw and not raw.startswith(b"\xef\xbb\xbf")
    text = raw.decode("utf-8")
    assert text.endswith("\n") and "\n\n\n" not in text and not text.startswith("\n")
    lines = text.split("\n")
    assert lines[:2] == ["-DOCSTART- -X- O O", ""]
    for number, line in enumerate(lines, 1):
        if line:
            assert re.fullmatch(r"\S+ \S+ \S+ \S+", line), f"{split}.txt:{number}: {line!r}"
        if line.startswith("-DOCSTART-"):
            assert line == "-DOCSTART- -X- O O" and lines[number] == "", f"{split}.txt:{number}"


def test_readme_tells_the_sizes() -> None:
    readme = (DATA / "README.md").read_text(encoding="utf-8")
    for name, documents in (*CORPUS.items(), ("all", DOCUMENTS)):
        sentences = [s for d in documents for s in d]
        tokens = sum(len(s) for s in sentences)
        names = sum(len(spans(s, "ner")) for s in sentences)
        numbers = (len(documents), len(sentences), tokens, names)
        cell = f"`{name}.txt`" if name in CORPUS else name
        assert "| " + " | ".join([cell, *(f"{n:,}" for n in numbers)]) + " |" in readme, (name, numbers)


@pytest.mark.parametrize(("column", "types"), [("chunk", CHUNK_TYPES), ("ner", ENTITY_TYPES)])
def test_iob2(column: str, types: set[str]) -> None:
    for sentence in SENTENCES:
        previous = "O"
        for token in sentence:
            label = getattr(token, column)
            if label != "O":
                assert re.fullmatch(r"[BI]-[A-Z]+", label) and label[2:] in types, show(sentence)
            if label[0] == "I":
                assert previous != "O" and previous[2:] == label[2:], show(sentence)
            previous = label


def test_splits_share_no_sentence_and_no_document() -> None:
    homes: dict[tuple[str, ...], set[str]] = defaultdict(set)
    for split, documents in CORPUS.items():
        for document in documents:
            for sentence in document:
                homes[tuple(token.form for token in sentence)].add(split)
    assert [forms for forms, splits in homes.items() if len(splits) > 1] == []
    assert len({tuple(t.form for s in d for t in s) for d in DOCUMENTS}) == len(DOCUMENTS)
