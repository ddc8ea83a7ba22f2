"""``perceptag split``: a file in parts."""

from __future__ import annotations

import json

import pytest

from command_line import CORPUS, check, run, succeed


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
