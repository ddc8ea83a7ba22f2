"""Names in `perceptag build`: data of their own, word classes, lists, and languages without tags."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from command_line import succeed
from perceptag import DataError, Pipeline
from perceptag.building.builder import SETTINGS, Builder
from perceptag.building.language_file import read_language
from perceptag.building.names import read_names
from perceptag.building.treebank_folder import TreebankData
from toy_treebank import write_treebank

PLACES = ["Paris", "Lyon", "Nantes", "Lille", "Brest", "Dijon"]


def rows(number: int) -> str:
    place, verb = PLACES[number % 6], ["aime", "quitte", "voit"][number % 3]
    return f"Il\tO\n{verb}\tO\n{place}\tB-LOC\n.\tO\n\n"


def uner(number: int, newdoc: bool) -> str:
    lines = [f"{i}\t{line}\t-\t-" for i, line in enumerate(rows(number).strip().split("\n"), 1)]
    return ("# newdoc id = a\n" if newdoc else "") + "# text = x # y\n" + "\n".join(lines) + "\n\n"


def write_names(folder: Path) -> None:
    (folder / "names-train.tsv").write_text("".join(map(rows, range(30))), "utf-8")
    (folder / "names-dev.tsv").write_text("".join(map(rows, range(30, 40))), "utf-8")
    (folder / "plain.txt").write_text("".join(f"Il aime Paris. Il voit a{i} b{i}.\n" for i in range(80)) * 3, "utf-8")
    (folder / "places.txt").write_text("Paris\nRennes\n", "utf-8")


LANGUAGE = """
treebank = "bank"
output = "fr.pipeline"
names = ["names-train.tsv", "names-dev.tsv"]
text = ["plain.txt"]
lists = ["place~=places.txt"]
layers = ["upos"]
licence = "CC0"
[tokens]
epochs = 3
[upos]
epochs = 3
[ner]
epochs = 3
"""


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    folder = tmp_path_factory.mktemp("names")
    write_treebank(folder / "bank")
    write_names(folder)
    (folder / "fr.toml").write_text(LANGUAGE, "utf-8")
    return folder, json.loads(succeed("build", folder / "fr.toml", "--json").out)


def test_a_pipeline_has_names(built):
    folder, report = built
    assert report["layers"] == ["tokens", "upos", "ner"]
    assert report["figures"]["gold tokens"]["Names"] == 100
    assert {"gold tokens, lower case", "gold tokens, upper case"} <= set(report["figures"])
    doc = Pipeline.load(folder / "fr.pipeline")("Il quitte Rennes.")
    assert [(span.text, span.label) for span in doc.spans] == [("Rennes", "LOC")]
    card = (folder / "fr.pipeline.md").read_text("utf-8")
    assert "- Names: names-train.tsv, names-dev.tsv: 30 sentences for training, 10 dev." in card
    assert "- Licence: CC0." in card


def test_classes_and_lists_are_in_the_model(built):
    folder, _ = built
    model = Pipeline.load(folder / "fr.pipeline").models["ner"].model
    assert model.facts["classes"]["sizes"] == [64], "the text has too few words for more"
    assert any(path.endswith("places.txt") for path in model.recipe.gazetteer)


def test_the_same_build_elsewhere_gives_the_same_bytes(built, tmp_path):
    folder, report = built
    again = json.loads(succeed("build", folder / "fr.toml", "--parts", tmp_path / "parts", "--json").out)
    assert again["sha256"] == report["sha256"]
    assert any(path.name.startswith("ner-") for path in (tmp_path / "parts").iterdir())


@pytest.mark.parametrize("given", ['["town=towns.txt"]', '"town=towns.txt"'])
def test_lists_of_the_layer_and_of_the_language_add_up(tmp_path, given):
    write_names(tmp_path)
    (tmp_path / "towns.txt").write_text("Lyon\n", "utf-8")
    (tmp_path / "fr.toml").write_text(f"{LANGUAGE}add_gazetteer = {given}\nadd = ['form[0] form[2]']\n", "utf-8")
    language = read_language(str(tmp_path / "fr.toml"))
    found = language.settings["ner"]["add_gazetteer"]
    assert found == [f"place~={tmp_path}/places.txt", f"town={tmp_path}/towns.txt"]
    builder = Builder(language, TreebankData([], [], (), is_cut=False), tmp_path)
    assert builder._settings("ner")["add"] == [*SETTINGS["ner"]["add"], "form[0] form[2]"]


def test_names_alone_are_enough_and_little_text_gives_no_classes(tmp_path):
    bank = write_treebank(tmp_path / "bank")
    for path in bank.glob("*-ud-[td][re]*.conllu"):
        lines = [line.split("\t") for line in path.read_text("utf-8").split("\n")]
        bare = ["\t".join([*row[:2], *["_"] * 7, row[9]]) if len(row) > 1 else row[0] for row in lines]
        path.write_text("\n".join(bare), "utf-8")
    write_names(tmp_path)
    (tmp_path / "plain.txt").write_text("Il aime Paris.\n", "utf-8")
    text = LANGUAGE.replace('layers = ["upos"]\n', "").replace("[upos]\nepochs = 3\n", "")
    (tmp_path / "fr.toml").write_text(text, "utf-8")
    assert json.loads(succeed("build", tmp_path / "fr.toml", "--json").out)["layers"] == ["tokens", "ner"]
    assert "classes" not in Pipeline.load(tmp_path / "fr.pipeline").models["ner"].model.facts


def test_files_of_universal_ner_and_documents(tmp_path):
    path = tmp_path / "train.iob2"
    path.write_text("".join(uner(i, i % 2 == 0) for i in range(60)), "utf-8")
    data = read_names([str(path)])
    assert data.train[0].columns == {"form": ["Il", "aime", "Paris", "."], "ner": ["O", "O", "B-LOC", "O"]}
    assert [s.starts_document for s in data.train[:3]] == [True, False, True]
    assert (len(data.train), len(data.dev)) == (54, 6)  # documents 10, 20 and 30
    path.write_text("".join(uner(i, False) for i in range(60)), "utf-8")
    assert all(s.starts_document for s in read_names([str(path)]).train)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a\tO\n\n" * 30, "expected labels such as B-PER, found none"),
        ("a\tB-PER\n\n" * 9, "expected dev data, or 20 documents to cut some off, found 9"),
        ("a\n\n" * 30, "expected a word and its label"),
    ],
)
def test_other_names_are_refused(tmp_path, text, message):
    (tmp_path / "train.tsv").write_text(text, "utf-8")
    with pytest.raises(DataError, match=message):
        read_names([str(tmp_path / "train.tsv")])


def test_models_lists_what_can_be_built(tmp_path):
    write_treebank(tmp_path / "bank")
    for name, bank in (("fr", "bank"), ("zz", "nothing")):
        (tmp_path / f"{name}.toml").write_text(f'treebank = "{bank}"\noutput = "x"\n', "utf-8")
    (tmp_path / "yy.toml").write_text('treebank = "bank"\noutput = "x"\ntext = ["a.txt"]\n', "utf-8")
    shown = " ".join(succeed("list", "--models", "--languages", tmp_path).out.split())
    assert "fr perceptag build" in shown
    assert "treebank: expected a folder with CoNLL-U files" in shown
    assert "text: expected a file, found nothing" in shown
    assert "to build" not in succeed("list", "--models", "--languages", tmp_path / "bank").out
