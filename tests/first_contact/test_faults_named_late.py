"""Faults of files that were learned from in silence, or kept other files from being done."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from command_line import run, succeed
from perceptag.evaluation.comparison import compare

ANNA = "Anna B-PER\nlives O\nin O\nRome B-LOC\n. O\n\n"


@pytest.fixture
def model(tmp_path: Path) -> Path:
    (tmp_path / "train.txt").write_text(ANNA * 5)
    succeed("train", "--train", tmp_path / "train.txt", "-r", "basic-ner", "-m", tmp_path / "a.model")
    return tmp_path / "a.model"


def test_good_files_are_tagged_next_to_bad_ones(model: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    good, bad, worse = (tmp_path / name for name in ("good.txt", "bad.txt", "worse.txt"))
    good.write_text("Anna\nleft\n\n")
    bad.write_bytes(b"Anna\n\0\n")
    worse.write_bytes(b"Anna\n\xff\n")
    words = ("tag", "-m", model, "--out-dir", out, bad, good, worse)
    refused = run(*words)
    assert refused.status == 2
    assert f"{bad}:2: NUL character" in refused.err and f"{worse}:2: invalid UTF-8" in refused.err
    assert f"2 of 3 files cannot be tagged; the others are in {out}; repair the input and run" in refused.err
    assert (out / "good.txt").read_text() == "Anna B-PER\nleft O\n\n"
    assert not any((out / name).exists() for name in ("bad.txt", "worse.txt", "_SUCCESS.json"))
    bad.write_text("Anna\n")
    worse.write_text("Rome\n")
    assert "done before: 1 part" in succeed(*words).err
    assert (out / "bad.txt").read_text() == "Anna B-PER\n\n" and (out / "_SUCCESS.json").exists()


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("c.csv", "Sentence #,Word,Tag\n1,Anna,B-PER\n1,left,O\n2,She,O\n"),
        ("c.txt", ANNA),
        ("c.conllu", "1\tAnna\t_\tPROPN\t_\t_\t_\t_\t_\t_\n\n"),
    ],
)
def test_lines_that_end_twice_are_refused(name: str, content: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_bytes(content.replace("\n", "\r\r\n").encode())
    refused = run("convert", path, tmp_path / "out.jsonl")
    assert refused.status == 2 and f"{path}: expected lines that end in LF, CRLF or CR, found CR CR LF" in refused.err
    path.write_bytes(content.replace("\n", "\r\n").encode())
    assert run("convert", path, tmp_path / "out.jsonl").status == 0


def test_cells_of_texts_may_hold_such_ends(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_bytes(b'id,text\n1,"Anna left.\r\r\nShe slept."\n')
    succeed("convert", tmp_path / "t.csv", tmp_path / "t.jsonl")
    assert json.loads((tmp_path / "t.jsonl").read_text().splitlines()[0])["tokens"][0] == "Anna"


def test_training_says_that_blank_lines_are_probably_missing(tmp_path: Path) -> None:
    path = tmp_path / "train.txt"
    words = ("train", "--train", path, "-r", "basic-ner", "-m", tmp_path / "m.model")
    path.write_text(ANNA.replace("\n\n", "\n") * 30 + "\n" + ANNA)  # 150 tokens, then 5
    assert "is a blank line missing?" not in succeed(*words).err
    path.write_text(ANNA.replace("\n\n", "\n") * 30)
    assert f"warning: {path}:1: a sentence of 150 tokens: is a blank line missing?" in succeed(*words).err


def test_repeats_are_named_where_no_dev_data_shows_them(tmp_path: Path) -> None:
    train, dev = tmp_path / "train.txt", tmp_path / "dev.txt"
    other = "\n\n".join(f"Anna B-PER\nmet O\nPerson{n} B-PER\nin O\nRome B-LOC\n. O" for n in range(20))
    dev.write_text(other.replace("Person", "Nobody"))
    words = ("train", "--train", train, "-r", "basic-ner", "-m", tmp_path / "m.model")
    train.write_text(f"{other}\n\n")
    assert "repeat others" not in succeed(*words).err
    train.write_text(f"{other}\n\n{other}\n\n")
    assert "warning: 20 of 40 sentences repeat others; scores on folds of them are too high" in succeed(*words).err
    assert "repeat others" not in succeed(*words, "--dev", dev).err


def test_records_are_not_named_as_left_out(tmp_path: Path) -> None:
    export = {"classes": ["PER"], "annotations": [["Anna lives in Oslo.", {"entities": [[0, 4, "PER"]]}], None]}
    (tmp_path / "a.json").write_text(json.dumps(export))
    told = succeed("convert", tmp_path / "a.json", tmp_path / "a.conllu").err
    assert "left out, beside the records: 'classes'\n" in told


def test_an_interval_that_the_p_value_does_not_confirm_is_noted() -> None:
    gold = [["A", "B", "A", "B"] for _ in range(50)]
    worse = [["A", "B", "A", "A"] if n < 4 else list(tags) for n, tags in enumerate(gold)]
    told = compare(gold, worse, gold, rounds=999).render()
    assert "the interval excludes 0, the p-value does not confirm it: 4 sentences with a difference are few" in told
    far_worse = [["A", "B", "A", "A"] if n < 12 else list(tags) for n, tags in enumerate(gold)]
    assert "does not confirm" not in compare(gold, far_worse, gold, rounds=999).render()
