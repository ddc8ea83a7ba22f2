"""How `models/` prepares the data of other languages, and what a distribution has in it."""

from __future__ import annotations

import gzip
from pathlib import Path

from models import distribution, treebanks
from perceptag.building.language_file import read_language
from perceptag.text import read_conllu
from perceptag.text.treebank import read_treebank

UNER = """# newdoc id = a
# text = Vai em o carro, Ana.
1\tVai\tO\t-\t-
2\tem\tO\t-\t-
3\to\tO\t-\t-
4\tcarro\tO\t-\t-
5\t,\tO\t-\t-
6\tAna\tB-PER\t-\t-
7\t.\tO\t-\t-

"""
TAGS = "Vai\tVERB\t_\nem\tADP\t_\no\tDET\tGender=Masc\ncarro\tNOUN\t_\n,\tPUNCT\t_\nAna\tPROPN\t_\n.\tPUNCT\t_\n\n"


def write(folder: Path, name: str, text: str) -> None:
    path = folder / treebanks.FOLDER
    path.mkdir(parents=True, exist_ok=True)
    (path / f"{name}.gz").write_bytes(gzip.compress(text.encode()))


def passage(path: Path) -> str:
    return read_treebank(read_conllu(path)).passage().text


def test_contractions_become_tokens_of_two_words(tmp_path: Path) -> None:
    write(tmp_path, "pt_bosque-ud-train.iob2", UNER)
    source = treebanks.SOURCES["pt"]
    write(tmp_path, "pos_pt_bosque_train.tsv", TAGS)
    (tmp_path / "train.conllu").write_text(
        treebanks.write_treebank(tmp_path / treebanks.FOLDER, source, "train"), "utf-8"
    )
    assert passage(tmp_path / "train.conllu").strip() == "Vai no carro, Ana."
    [sentence] = read_conllu(tmp_path / "train.conllu")
    assert sentence.columns["form"][1:3] == ["em", "o"]
    assert sentence.columns["upos"] == ["VERB", "ADP", "DET", "NOUN", "PUNCT", "PROPN", "PUNCT"]
    assert sentence.starts_document
    names = treebanks.write_names(tmp_path / treebanks.FOLDER, source, "train")
    assert names.split("\n")[0] == "-DOCSTART-\tO"
    assert "Ana\tB-PER" in names


def test_every_language_file_is_sound_and_is_distributed_or_says_why_not() -> None:
    known = distribution.languages()
    for path in sorted(distribution.LANGUAGES.glob("*.toml")):
        text = path.read_text("utf-8")
        assert path.stem in known or "not for a distribution" in text
        assert f'output = "{path.stem}.pipeline"' in text
        assert f'treebank = "data/{path.stem}"' in text
    assert set(known) <= {path.stem for path in distribution.LANGUAGES.glob("*.toml")}


def test_a_language_file_of_the_repository_is_read_where_its_data_are(tmp_path: Path) -> None:
    folder = tmp_path / "data" / "vi"
    folder.mkdir(parents=True)
    (tmp_path / "vi.toml").write_bytes((distribution.LANGUAGES / "vi.toml").read_bytes())
    assert read_language(str(tmp_path / "vi.toml")).treebank == str(folder)
