"""CoNLL-U with labels in misc, as ``convert`` writes it: every command that follows reads and writes them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from command_line import run, succeed

NAMES = ["Anna", "Ben", "Cleo", "Dan", "Eva", "Finn", "Gus", "Hana"]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder with the same sentences in CoNLL-U and in columns."""
    monkeypatch.chdir(tmp_path)
    sentences = [[(name, "B-PER"), ("met", "O"), (other, "B-PER")] for name in NAMES for other in NAMES[:3]]
    lines = ["\n".join(f"{word} {label}" for word, label in sentence) + "\n\n" for sentence in sentences]
    Path("names.txt").write_text("".join(lines))
    succeed("convert", "names.txt", "names.conllu")
    return tmp_path


@pytest.mark.parametrize("mode", [("--curve", "--sizes", "1", "--runs", "1"), ("--ablate",), ("--trials", "1")])
def test_tune(folder: Path, mode: tuple[str, ...]) -> None:
    words = ("--train", "names.conllu", "--dev", "names.conllu", "-r", "basic-ner", "--set", "epochs=1", "-j", "1")
    done = run("tune", *mode, *words)
    assert done.status == 0, done.err


def test_tag_writes_them_where_eval_finds_them(folder: Path) -> None:
    succeed("train", "--train", "names.conllu", "--model", "m.model", "--no-dev", "-r", "basic-ner", "-q")
    succeed("tag", "--model", "m.model", "names.conllu", "-o", "tagged.conllu")
    assert (folder / "tagged.conllu").read_text() == (folder / "names.conllu").read_text()
    done = run("tag", "--model", "m.model", "names.conllu", "--label", "upso")
    assert done.status == 2 and "--label: CoNLL-U has no column 'upso'" in done.err and "'upos'" in done.err


def test_a_pipeline_is_scored_on_the_file_that_its_layer_was_trained_on(folder: Path) -> None:
    succeed("train", "--train", "names.txt", "--model", "m.model", "--no-dev", "-r", "basic-ner", "-q")
    succeed("pipeline", "first=m.model", "ner=m.model", "-o", "two.pipeline")
    Path("names.jsonl").write_text(json.dumps({"tokens": ["Anna", "met", "Ben"], "labels": ["B-PER", "O", "B-PER"]}))
    for file in ("names.conllu", "names.jsonl"):
        assert "FB1: 100.00" in succeed("eval", "--model", "two.pipeline", file).out


def test_a_column_without_a_name_does_not_become_lemmas(folder: Path) -> None:
    """A model of CoNLL-U that reads words alone knows nothing of the second column of a file."""
    succeed("train", "--train", "names.conllu", "--model", "m.model", "--no-dev", "-r", "basic-ner", "-q")
    words = ("tag", "--model", "m.model", "names.txt", "--format", "columns")
    done = run(*words, "--to", "conllu")
    assert done.status == 2 and "names.txt:1: not the columns of CoNLL-U" in done.err and "form, column2" in done.err
    lines = succeed(*words, "--to", "columns").out.splitlines()
    assert lines[0] == "Anna B-PER B-PER"
    named = succeed(*words, "--columns", "form,lemma", "--to", "conllu").out.splitlines()
    assert named[0].split("\t")[2] == "B-PER"  # if the user says so
