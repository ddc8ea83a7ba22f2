"""Files that the tools themselves have written, in `exports`: Label Studio 1.23.2, spaCy 3.8.16 and doccano 1.8.4.

Those of doccano are of two projects, with relations and without, into which a file that `convert --to doccano` wrote
was imported; a span, a relation and a comment were added there.
"""

from __future__ import annotations

import importlib.util
import json
import re
from pathlib import Path

import pytest

from command_line import run, succeed
from foreign_toys import read as read_records
from perceptag.foreign.read_export import ForeignFile, read_foreign
from perceptag.foreign.texts import ForeignToken
from perceptag.text import read

FOLDER = Path(__file__).parent / "exports"
HAS_SPACY = importlib.util.find_spec("spacy") is not None


def words(text: str) -> list[list[ForeignToken]]:
    """Words and marks; a line is a sentence."""
    return [
        [
            ForeignToken(w.group(), line.start() + w.start(), line.start() + w.end())
            for w in re.finditer(r"[^\s.]+|\.", line.group())
        ]
        for line in re.finditer(r"[^\n]+", text)
    ]


def opened(name: str) -> ForeignFile:
    return read_foreign((FOLDER / name).read_bytes(), name, None, words)


def labelled(found: ForeignFile) -> dict[str, str | None]:
    """The labels of each sentence; an O is a dot."""
    return {
        " ".join(one.tokens): " ".join(one.labels).replace("O", ".") if one.labels else None for one in found.sentences
    }


LABEL_STUDIO = {
    "Anna Berg left Oslo .": "B-PER I-PER . B-L.C .",
    "She works for Statoil .": ". . . B-.RG .",
    "😀 Ben 👩‍👧 moved to Zürich .": ". B-PER . . . B-L.C .",
    "Nothing to see here .": ". . . . .",
    "Nobody has looked at Bergen .": None,
}


def test_json_of_label_studio() -> None:
    found = opened("label-studio.json")
    skipped = {"Carla was skipped .": None}
    assert labelled(found) == LABEL_STUDIO | {"Washington called .": "B-PER . ."} | skipped
    assert [one.draft for one in found.sentences] == [None] * 7
    assert found.tool == "label-studio"


def test_minimal_json_of_label_studio() -> None:
    """It has the newest annotation first, no tasks that were skipped, and nulls where there is no annotation."""
    assert labelled(opened("label-studio-min.json")) == LABEL_STUDIO | {"Washington called .": "B-L.C . ."}


def test_minimal_json_of_label_studio_with_another_name_for_the_text() -> None:
    """The dates of an annotation are texts too, but not the one that was labelled."""
    records = json.loads((FOLDER / "label-studio-min.json").read_text("utf-8"))
    renamed = [{"body": one.pop("text"), **one} for one in records]
    assert [one.text for one in read_records(renamed, lines=False).sentences][3] == "Nothing to see here."


def test_conll_of_label_studio() -> None:
    """Its first line has fewer columns than the others."""
    found = list(read(FOLDER / "label-studio.conll"))
    assert [len(one.tokens) for one in found] == [9, 7, 5, 3, 3, 6]
    assert found[0].columns["label"] == ["B-PER", "I-PER", "O", "B-LOC", "O", "O", "O", "B-ORG", "O"]
    assert found[0].tokens[3] == "Oslo."  # the tool cuts words so


DOCCANO = {
    "Anna lives in Oslo .": "B-PER . . B-L.C .",
    "Eva left .": "B-PER . .",
    "Bob 😀 sings in Rome .": "B-PER . . . . .",
}


@pytest.mark.parametrize(
    ("name", "notes"), [("doccano.jsonl", []), ("doccano-relations.jsonl", ["left out: relations (1)"])]
)
def test_json_of_doccano(name: str, notes: list[str]) -> None:
    found = opened(name)
    assert (found.tool, labelled(found)) == ("doccano", DOCCANO)
    told = [note.partition(": ")[2] for note in found.notes]
    assert told == notes
    assert [one.comments for one in found.sentences if one.comments] == ([[("", "a comment")]] if notes else [])


SPACY = {
    "Anna Berg lives in Oslo .": "B-PER I-PER . . B-L.C .",
    "She works for Statoil 😀 in Zürich .": ". . . B-.RG . . B-L.C .",
    "Nothing to see here .": ". . . . .",
}


def test_documents_of_spacy() -> None:
    assert labelled(opened("spacy-docs.jsonl")) == SPACY


@pytest.mark.skipif(HAS_SPACY, reason="spaCy is installed")
def test_a_docbin_needs_spacy(tmp_path: Path) -> None:
    said = run("convert", FOLDER / "spacy-docs.spacy", tmp_path / "out.txt")
    assert (said.status, "looks like a DocBin of spaCy, which only spaCy can read" in said.err) == (2, True)


@pytest.mark.doors
@pytest.mark.filterwarnings("default")
@pytest.mark.skipif(not HAS_SPACY, reason="spaCy is not installed")
def test_a_docbin_of_spacy(tmp_path: Path) -> None:
    succeed("convert", FOLDER / "spacy-docs.spacy", tmp_path / "out.txt")
    found = {" ".join(one.tokens): " ".join(one.columns["label"]) for one in read(tmp_path / "out.txt")}
    assert found == {words: labels.replace(".", "O") for words, labels in SPACY.items()}
