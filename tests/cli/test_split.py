"""``perceptag split``: a file in parts."""

from __future__ import annotations

import json

import pytest

from command_line import CORPUS, check, run, succeed
from perceptag.text import read


@pytest.fixture
def news(tmp_path):
    path = tmp_path / "news.txt"
    path.write_bytes((CORPUS / "train.txt").read_bytes())
    return path


def parts(folder, ending="txt"):
    return {p.suffixes[-2][1:]: p.read_bytes() for p in folder.glob(f"*.*.{ending}")}


def test_parts_have_the_bytes_of_the_file(news, tmp_path):
    out = succeed("split", news, "--stratify").out
    found = parts(tmp_path)
    assert sorted(found) == ["dev", "test", "train"]
    whole = news.read_bytes()
    documents = b"".join(found.values()).split(b"-DOCSTART-")[1:]
    assert sorted(documents) == sorted(whole.split(b"-DOCSTART-")[1:])
    assert "MISC" in out
    assert "news.dev.txt" in out


def test_files_are_not_written_over(news, tmp_path):
    other = tmp_path / "news.dev.txt"
    other.write_text("old")
    check(run("split", news), r"news.dev.txt: the file is there already; --overwrite replaces it")
    assert other.read_text() == "old"
    assert not (tmp_path / "news.train.txt").exists()
    succeed("split", news, "--overwrite", "-q")
    assert other.read_text() != "old"
    succeed("split", news, "--overwrite", "-q")


@pytest.mark.parametrize("written", ["a=80,b=20", "a=80%,b=20%", "a = 80 %,b=20.0"])
def test_shares_in_per_cent(news, tmp_path, written):
    (tmp_path / "other").mkdir()
    succeed("split", news, "--parts", "a=0.8,b=0.2", "-q")
    succeed("split", news, "--parts", written, "-q", "-o", tmp_path / "other")
    assert parts(tmp_path) == parts(tmp_path / "other")


def test_comments_are_kept_and_json_tells_the_sizes(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text("".join(f"# number {i} x\nw{i} X\n\n" for i in range(10)))
    told = succeed("split", path, "--comment", "#", "--parts", "a=0.5,b=0.5", "--json")
    found = json.loads(told.out)
    assert [part["sentences"] for part in found["parts"]] == [5, 5]
    for text in parts(tmp_path).values():
        rows = text.decode().split("\n\n")[:-1]
        assert len(rows) == 5
        assert all(row == f"# number {row[-3]} x\nw{row[-3]} X" for row in rows)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--parts", "a=1%"), "expected shares that are 1 together, or 100 per cent; found 1"),
        (("--parts", "a=0.5,a=0.5"), "expected different names with shares"),
        (("--parts", "../a=1"), "expected different names with shares"),
        (("-o", "/nowhere/at/all"), "there is no folder '/nowhere/at'"),
    ],
)
def test_bad_options_are_refused(news, options, message):
    check(run("split", news, *options), message)


def test_single_sentences_do_not_stay_together(tmp_path):
    (tmp_path / "two.txt").write_text("Ann B-PER\nleft O\n\nBob B-PER\nmet O\nAnn B-PER\n\n")
    assert succeed("split", tmp_path / "two.txt", "--parts", "train=0.5,test=0.5").err == ""


TOKENS = "word,tag\nAnna,B-PER\nleft,O\n\nBob,B-PER\nran,O\n\nEva,B-PER\nsat,O\n"


def test_the_header_of_a_table_is_no_word_of_the_parts(tmp_path):
    (tmp_path / "names.csv").write_text(TOKENS)
    succeed("split", tmp_path / "names.csv")
    found = [list(read(tmp_path / f"names.{part}.jsonl")) for part in ("train", "dev", "test")]
    assert sorted(s.tokens[0] for part in found for s in part) == ["Anna", "Bob", "Eva"]
    assert {tuple(s.columns["label"]) for part in found for s in part} == {("B-PER", "O")}


def test_a_folder_is_made_and_conllu_is_recognised_by_its_content(tmp_path):
    (tmp_path / "names.txt").write_text(TOKENS.partition("\n")[2].replace(",", " "))
    succeed("split", tmp_path / "names.txt", "--output", tmp_path / "new")
    assert len(list((tmp_path / "new").iterdir())) == 3
    check(run("split", tmp_path / "names.txt", "--output", tmp_path / "names.txt"), "--output: expected a folder")
    sentence = "# text = Anna\n1\t{}\t_\tPROPN\t_\t_\t_\t_\t_\t_\n\n"
    (tmp_path / "ud.txt").write_text("".join(map(sentence.format, ("Anna", "Bob", "Eva"))))
    succeed("split", tmp_path / "ud.txt")
    assert (tmp_path / "ud.dev.txt").read_text().startswith("# text")


def test_what_cannot_be_split_is_refused(tmp_path):
    check(run("split", "-"), "expected a file")
    path = tmp_path / "a.txt"
    path.write_text("a\n\nb\n")
    check(run("split", path, "--stratify", "--parts", "x=0.5,y=0.5"), "expected a column of labels")
    check(run("split", path, "--by", "document"), "expected marks of documents")
