"""Data that people own, in the layouts in which it is sold and copied: small files that these tests write."""

from __future__ import annotations

from pathlib import Path

import pytest

from command_line import run as perceptag
from perceptag.errors import DataError, SettingError
from perceptag.reproduce.corpora import CORPORA, Folder
from perceptag.reproduce.experiment import Experiment, settings
from perceptag.reproduce.name_lists import TEMPLATES, find_lists, with_lists
from perceptag.reproduce.penn_treebank import read_treebank
from perceptag.reproduce.retagged import missing_tagchunk
from perceptag.reproduce.run import load_parts, prepared
from perceptag.reproduce.schedule import missing_data

TREES = """
( (S (NP-SBJ (NNP Mr.) (NNP Vinken))
     (VP (VBZ is) (NP (NN chairman) (-NONE- *T*-1)) (-LRB- -LRB-) (CD 1\\/2) (-RRB- -RRB-))
     (. .)))
( (S (VP (VBG|NN Selling)) (. !)))
"""
TAGGED = """
[ Mr./NNP Vinken/NNP ]
is/VBZ
[ chairman/NN ]
(/( 1\\/2/CD )/) ./.
======================================

[ Selling/VBG|NN ]
!/.
"""
WORDS = [["Mr.", "Vinken", "is", "chairman", "(", "1/2", ")", "."], ["Selling", "!"]]
NER = "EU NNP B-NP B-ORG\nrejects VBZ B-VP O\n\nGerman JJ B-NP B-MISC\n\n"


def write_sections(root: Path, first: int, last: int, ending: str, text: str) -> None:
    for section in range(first, last + 1):
        folder = root / f"{section:02}"
        folder.mkdir(parents=True, exist_ok=True)
        for number in (1, 2):
            (folder / f"wsj_{section:02}{number:02}{ending}").write_text(text)


@pytest.mark.parametrize(("name", "text"), [("wsj_0001.mrg", TREES), ("WSJ_0001.POS", TAGGED)])
def test_words_and_tags_of_the_penn_treebank(tmp_path: Path, name: str, text: str):
    (tmp_path / name).write_text(text)
    sentences = list(read_treebank(tmp_path / name))
    assert [list(s.tokens) for s in sentences] == WORDS
    assert sentences[1].columns["xpos"] == ["VBG", "."]
    assert sentences[0].columns["xpos"][:4] == ["NNP", "NNP", "VBZ", "NN"]
    assert [s.starts_document for s in sentences] == [True, False]


def test_what_is_wrong_in_a_treebank_is_named(tmp_path: Path):
    path = tmp_path / "wsj_0001.mrg"
    path.write_text("( (S (NN a)))\n )")
    with pytest.raises(DataError, match=r"wsj_0001\.mrg:2: expected as many"):
        list(read_treebank(path))
    path.write_text("( (S (NN a)))\n( (S")
    with pytest.raises(DataError, match="found the end of the file"):
        list(read_treebank(path))
    tagged = tmp_path / "wsj_0001.pos"
    tagged.write_text("a/NN\nword\n")
    with pytest.raises(DataError, match=r"wsj_0001\.pos:2: expected word/TAG, found 'word'"):
        list(read_treebank(tagged))


@pytest.mark.parametrize(("ending", "text"), [(".mrg", TREES), (".pos", TAGGED)])
def test_sections_of_the_penn_treebank_come_before_other_data(tmp_path: Path, ending: str, text: str):
    line = "1\ta\ta\tX\tNN\t_\t0\troot\t_\t_\n\n"
    for part in ("train", "dev"):
        (tmp_path / f"en_ewt-ud-{part}.conllu").write_text(line)
    folder = Folder(str(tmp_path))
    assert folder.title(CORPORA["pos"]).startswith("UD English EWT")
    write_sections(tmp_path / "parsed" / "wsj", 0, 20, ending, text)
    assert folder.title(CORPORA["pos"]).startswith("UD English EWT"), "section 21 is missing"
    write_sections(tmp_path / "parsed" / "wsj", 21, 24, ending, text)
    assert folder.title(CORPORA["pos"]) == "Penn Treebank, WSJ sections"
    parts = folder.load(CORPORA["pos"])
    assert parts.test is not None
    assert (len(parts.train), len(parts.dev), len(parts.test)) == (19 * 4, 3 * 4, 3 * 4)
    assert list(parts.train[0].tokens) == WORDS[0]


def test_german_is_read_in_its_own_encoding(tmp_path: Path):
    text = "Größe Größe NN I-NC O\nZürich Zürich NE I-NC I-LOC\n\n"
    for part in ("train", "testa"):
        (tmp_path / f"deu.{part}").write_bytes(text.encode("latin-1"))
    (tmp_path / "eng.train").write_text("café NN I-NP O\n\n", encoding="utf-8")
    (tmp_path / "eng.testa").write_text("café NN I-NP O\n\n", encoding="utf-8")
    with pytest.raises(DataError, match=r"deu\.train:1: .*UTF-8"):
        Folder(str(tmp_path)).load(CORPORA["de"])
    folder = Folder(str(tmp_path), "latin-1")
    assert folder.load(CORPORA["de"]).train[0].columns["lemma"] == ["Größe", "Zürich"]
    assert list(folder.load(CORPORA["ner"]).train[0].tokens) == ["café"], "what is UTF-8 stays UTF-8"
    with pytest.raises(SettingError, match="found 'latin-11'"):
        Folder(str(tmp_path), "latin-11")
    done = perceptag("reproduce", "carreras2003", "--data", tmp_path, "--encoding", "latin-11", "--plan")
    assert done.status == 2 and "latin-11" in done.err


def entity_data(root: Path) -> Folder:
    for part in ("train", "testa"):
        (root / f"eng.{part}").write_text(NER)
    return Folder(str(root))


def test_tagchunk_replaces_parts_of_speech_and_chunks(tmp_path: Path):
    folder = entity_data(tmp_path)
    run = Experiment("ner", "basic-ner", settings(epochs=1), tags="tagchunk")
    assert "no tagchunk/eng.train and no tagchunk/eng.testa" in missing_data(run, folder)
    (tmp_path / "tagchunk").mkdir()
    for part in ("train", "testa"):
        (tmp_path / "tagchunk" / f"eng.{part}").write_text("EU NN B-NP\nrejects VBD B-VP\n\nGerman NNP B-NP\n\n")
    assert missing_data(run, folder) == "" == missing_tagchunk(folder)
    parts = load_parts(run, folder, tmp_path / "out", quick=False)
    assert parts.train[0].columns["pos"] == ["NN", "VBD"]
    assert parts.train[0].columns["ner"] == ["B-ORG", "O"]
    (tmp_path / "tagchunk" / "eng.train").write_text("EU NN B-NP\naccepts VBD B-VP\n\nGerman NNP B-NP\n\n")
    with pytest.raises(DataError, match=r"eng\.train: sentence 1: expected the words of the data, 'EU rejects'"):
        load_parts(run, folder, tmp_path / "out", quick=False)
    (tmp_path / "tagchunk" / "eng.train").write_text("EU NN B-NP\nrejects VBD B-VP\n\n")
    with pytest.raises(DataError, match="expected 2 sentences, as in the data, found 1"):
        load_parts(run, folder, tmp_path / "out", quick=False)


def test_gazetteers_have_the_templates_of_table_1(tmp_path: Path):
    folder = entity_data(tmp_path)
    run = Experiment("ner", "kazama-margin-paper", settings(epochs=1), lists=True)
    plain, _, key = prepared(run, folder, tmp_path, quick=False)
    (tmp_path / "gazetteers").mkdir()
    for name, text in (("org", "EU\nEU rejects\n"), ("per", "Blackburn\n"), ("misc", "German\n")):
        assert find_lists(folder) == {}
        (tmp_path / "gazetteers" / f"{name}.txt").write_text(text)
    recipe, parts, other = prepared(run, folder, tmp_path, quick=False)
    assert recipe.templates == (*plain.templates, *TEMPLATES) and key != other
    assert len(TEMPLATES) == 3 * 4, "for go, gp and gm: five places, and three pairs of neighbours"
    assert parts.train[0].columns["go"] == ["B", "I"], "the longest match"
    assert parts.train[1].columns["gm"] == ["B"] and parts.train[1].columns["gp"] == ["O"]
    assert list(parts.train[0].columns)[-1] == "ner", "the labels stay last"
    assert with_lists(parts, {}).train == parts.train
