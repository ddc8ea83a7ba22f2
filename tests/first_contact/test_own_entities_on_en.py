"""A person has sentences with entities of their own, and wants them together with what `en` gives."""

from __future__ import annotations

from pathlib import Path

import pytest

import perceptag
from command_line import succeed

pytest.importorskip("perceptag_en")

SENTENCES = [  # of a column file, as an annotation tool writes it
    "Aspirin/B-DRUG lowers fever ./O",
    "Patients took Ibuprofen/B-DRUG and Aspirin/B-DRUG daily ./O",
    "The nurse gave Folic/B-DRUG acid/I-DRUG to Anna ./O",
    "No drug was given in Paris ./O",
    "Ibuprofen/B-DRUG helps ./O",
]
QUICK = ("--epochs", 5, "--no-dev", "-q", "-m", "mine.model")
TEXT = b"Angela Merkel took Ibuprofen in Paris. Folic acid lowers fever.\n"


@pytest.fixture
def drugs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder where this person works, with a model of their own."""
    monkeypatch.chdir(tmp_path)
    rows = ["".join(f"{w} {t or 'O'}\n" for w, _, t in (x.partition("/") for x in s.split())) for s in SENTENCES]
    Path("train.txt").write_text("\n".join(rows * 6))
    succeed("train", "--train", "train.txt", "--columns", "form,drug", "--label", "drug", "-r", "chunk", *QUICK)
    return tmp_path


@pytest.mark.usefixtures("drugs", "quick_compression")
def test_one_command_adds_them() -> None:
    said = succeed("pipeline", "en", "mine.model", "-o", "mine.pipeline").err
    assert "saved mine.pipeline (tokens, upos, xpos, values, ner, drug)" in said
    tagged = succeed("tag", "-m", "mine.pipeline", stdin=TEXT).out.splitlines()
    assert tagged[0].split() == ["Angela", "PROPN", "NNP", "O", "B-PER", "O"]
    assert [row.split()[-1] for row in tagged if row.startswith(("Ibuprofen", "Folic"))] == ["B-DRUG", "B-DRUG"]
    found = {(e.text, e.label) for e in perceptag.load("mine.pipeline")(TEXT.decode()).ents}
    assert {("Ibuprofen", "DRUG"), ("Paris", "LOC"), ("Folic acid", "DRUG")} <= found


@pytest.mark.usefixtures("drugs", "quick_compression")
def test_one_command_replaces_the_names_of_en() -> None:
    succeed("pipeline", "en", "--replace", "ner=mine.model", "-o", "mine.pipeline")
    nlp = perceptag.load("mine.pipeline")
    assert nlp.names == ["upos", "xpos", "values", "ner"]
    document = nlp(TEXT.decode())
    assert {e.label for e in document.ents} == {"DRUG"}
    assert [w.xpos for w in document.words] == [w.xpos for w in perceptag.load("en")(TEXT.decode()).words]
