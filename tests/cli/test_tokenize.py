"""``perceptag tokenize``, and the other verbs with tokenisers."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from command_line import OLD, run, succeed
from perceptag import Tokenizer
from perceptag.training.checkpoint import Checkpoints
from text_toys import HELD_OUT, TREEBANK, shipped_tokenizer

TEXT = "Austin didn't answer. He had left.\n\nNobody knew why\n"


@pytest.fixture
def model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    shipped_tokenizer().save(tmp_path / "tok.model")
    (tmp_path / "in.txt").write_text(TEXT)
    return tmp_path / "tok.model"


def test_formats(model: Path):
    assert succeed("tokenize", "-m", model, "in.txt").out.startswith("Austin\ndid\nn't\nanswer\n.\n\nHe\n")
    assert succeed("tokenize", "-m", model, "in.txt", "--to", "text").out == (
        "Austin didn't answer .\nHe had left .\nNobody knew why\n"
    )
    lines = succeed("tokenize", "-m", model, "in.txt", "--to", "jsonl").out.splitlines()
    assert json.loads(lines[2])["offsets"] == [[36, 42], [43, 47], [48, 51]]
    rows = succeed("tokenize", "-m", model, "in.txt", "--to", "conllu").out.split("\n")
    assert rows[:3] == ["# newdoc", "# newpar", "# text = Austin didn't answer."]
    assert rows[4] == "2-3\tdidn't" + "\t_" * 8
    assert sum(row == "# newdoc" for row in rows) == 1


@pytest.mark.parametrize("name", ["out.txt", "out.conllu", "out.jsonl", "out.parquet"])
def test_the_number_of_tokens_does_not_depend_on_the_format(model: Path, name: str):
    assert succeed("tokenize", "-m", model, "in.txt", "-o", name).err == f"found 11 tokens: {name}\n"


def test_lines_of_a_long_text_do_not_depend_on_blocks(model: Path):
    text = TEXT * 4000  # more than is read at once
    Path("long.txt").write_text(text)
    succeed("tokenize", "-m", model, "long.txt", "-o", "long.jsonl", "--to", "jsonl", "-q")
    lines = Path("long.jsonl").read_text().splitlines()
    for record in map(json.loads, lines):
        assert [text[a:b] for a, b in record["offsets"]] == record["tokens"]
    assert [json.loads(line)["tokens"] for line in lines] == [[t.text for t in s] for s in Tokenizer.load(model)(text)]


def test_a_failure_leaves_the_old_output(model: Path):
    Path("bad.txt").write_bytes(TEXT.encode() * 10_000 + b"\xff")
    Path("out.txt").write_bytes(OLD)
    assert run("tokenize", "-m", model, "bad.txt", "-o", "out.txt").status == 2
    assert Path("out.txt").read_bytes() == OLD


# ------------------------------------------------------------------------------------------ train, eval


def test_train_and_score(tmp_path: Path):
    model = tmp_path / "tok.model"
    result = succeed("train", "-r", "tokenize", "--train", TREEBANK, "--dev", HELD_OUT, "-m", model, "--epochs", 3)
    assert "train: 274 sentences, " in result.err and " characters" in result.err
    assert "training: 15 tokens of several words\n" in result.err
    report = json.loads(succeed("eval", "-m", model, "--raw", HELD_OUT, "--json").out)
    assert list(report) == ["tokens", "sentences", "words"]
    assert all(90 < scores[name] <= 100 for scores in report.values() for name in ("precision", "recall", "f1"))
    lines = succeed("eval", "-m", model, "--raw", HELD_OUT).out.splitlines()
    assert [line.split(":")[0].strip() for line in lines] == ["tokens", "sentences", "words"]
    result = run("eval", "-m", model, "--raw", HELD_OUT, "--fail-below", 3)
    assert (result.status, "--raw: several scores, so neither" in result.err) == (2, True)


def test_a_run_can_be_stopped_and_resumed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    common = ["train", "-r", "tokenize", "--train", TREEBANK, "--dev", HELD_OUT, "--epochs", 3]
    whole, parts = tmp_path / "whole", tmp_path / "parts"
    succeed(*common, "-m", whole)
    with monkeypatch.context() as patched:
        after_pass = Checkpoints.after_pass

        def interrupt(self: Checkpoints) -> bool:
            after_pass(self)
            raise KeyboardInterrupt

        patched.setattr(Checkpoints, "after_pass", interrupt)
        assert run(*common, "-m", parts).status == 130
    assert "after pass 1" in succeed(*common, "-m", parts, "--resume").err
    assert parts.read_bytes() == whole.read_bytes()


def test_training_continues_from_a_model(model: Path):
    succeed("train", "--from", model, "--train", HELD_OUT, "--no-dev", "-m", "new.model", "--epochs", 1)
    assert Tokenizer.load("new.model").model_.manifest["from"]
