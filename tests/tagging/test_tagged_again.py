"""Files of `tag` that are tagged again: nothing that described the old labels stays beside the new ones."""

import json
from pathlib import Path
from typing import Any

import pytest

from command_line import succeed

RULES = 'column = "ner"\n[[rule]]\nlabel = "ORG"\nphrases = ["Preston"]\n'
TEXT = b"Preston resigned.\n"


@pytest.fixture
def rules(tmp_path: Path) -> Path:
    file = tmp_path / "rules.toml"
    file.write_text(RULES)
    return file


def tagged(folder: Path, name: str, *options: object) -> Path:
    file = folder / name
    text = folder / "text.txt"
    text.write_bytes(TEXT)
    succeed("tag", "-m", "en", text, "-o", file, "--to", file.suffix[1:], *options)
    return file


def record_of(out: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(out)
    return found


def test_old_confidence_goes_with_the_old_labels(tmp_path: Path, rules: Path) -> None:
    file = tagged(tmp_path, "a.jsonl", "--confidence")
    old = record_of(file.read_text())
    assert old["ner"][0] == "B-PER" and old["confidence"] and "confidence" in old["spans"][0]
    new = record_of(succeed("tag", "-m", "en", "--rules", rules, file).out)
    assert new["ner"][0] == "B-ORG"
    assert "confidence" not in new
    assert [span["label"] for span in new["spans"]] == ["ORG"]
    assert "confidence" not in new["spans"][0]


def test_old_lists_go_with_the_old_labels(tmp_path: Path, rules: Path) -> None:
    file = tagged(tmp_path, "a.jsonl", "--nbest", "2")
    assert "nbest" in record_of(file.read_text())
    assert "nbest" not in record_of(succeed("tag", "-m", "en", "--rules", rules, file).out)


def test_old_confidence_of_conllu_goes_too(tmp_path: Path, rules: Path) -> None:
    file = tagged(tmp_path, "a.conllu", "--confidence")
    assert "Confidence=" in file.read_text()
    out = succeed("tag", "-m", "en", "--rules", rules, file).out
    assert "NER=B-ORG" in out and "Confidence=" not in out


def test_withheld_labels_have_no_confidence(tmp_path: Path) -> None:
    file = tagged(tmp_path, "a.jsonl", "--confidence")
    new = record_of(succeed("tag", "-m", "en", "--min-confidence", "0.9999", file).out)
    assert new["ner"][0] == "O" and "confidence" not in new and not new["spans"]


def test_a_single_model_leaves_what_describes_other_labels(tmp_path: Path) -> None:
    train, model = tmp_path / "train.txt", tmp_path / "a.model"
    train.write_text("Preston B-ORG\nsleeps O\n\n" * 4)
    file = tagged(tmp_path, "a.jsonl", "--confidence")
    for column, is_old in (("ner", True), ("other", False)):
        options = ("--columns", f"form,{column}", "--overwrite")
        succeed("train", "--train", train, *options, "--no-dev", "-r", "basic-ner", "-m", model)
        new = record_of(succeed("tag", "-m", model, file).out)
        assert new[column][0] == "B-ORG"
        assert ("confidence" not in new) == is_old
        assert [span["label"] for span in new.get("spans", [])] == ([] if is_old else ["PER"])


def test_a_single_model_of_conllu_forgets_too(tmp_path: Path) -> None:
    train, model, file = tmp_path / "train.conllu", tmp_path / "a.model", tmp_path / "a.conllu"
    train.write_text("1\tPreston\t_\tPROPN\t_\t_\t_\t_\t_\t_\n2\tsleeps\t_\tVERB\t_\t_\t_\t_\t_\t_\n\n" * 4)
    succeed("train", "--train", train, "--no-dev", "-r", "pos", "-m", model)
    file.write_text("1\tPreston\t_\tVERB\t_\t_\t_\t_\t_\tConfidence=0.9|SpaceAfter=No\n\n")
    assert succeed("tag", "-m", model, file).out == "1\tPreston\t_\tPROPN\t_\t_\t_\t_\t_\tSpaceAfter=No\n\n"
    file.write_text("1\tPreston\t_\t_\t_\t_\t_\t_\t_\tNER=B-PER|Confidence=0.9\n\n")
    assert "NER=B-PER|Confidence=0.9" in succeed("tag", "-m", model, file).out


def test_keys_of_the_same_name_that_are_not_results_stay(tmp_path: Path) -> None:
    file = tmp_path / "a.jsonl"
    for values in (("high", [1], [[0, 1]]), (0.9, 2, 3)):
        own = dict(zip(("confidence", "nbest", "spans"), values, strict=True))
        file.write_text(json.dumps({"tokens": ["Ann"], "ner": ["O"], **own}) + "\n")
        assert record_of(succeed("tag", "-m", "en", file).out).items() >= own.items()


@pytest.mark.parametrize("spans", [[{"confidence": 1, "text": "Ann"}], [{"confidence": 1, "start": [0]}], "x", True])
def test_spans_of_another_kind_stay_beside_the_labels(tmp_path: Path, spans: object) -> None:
    file = tmp_path / "a.jsonl"
    file.write_text(json.dumps({"tokens": ["Ann"], "spans": spans}) + "\n")
    new = record_of(succeed("tag", "-m", "en", file).out)
    assert (new["ner"], new["spans"]) == (["B-PER"], spans)
