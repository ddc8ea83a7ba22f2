"""Labels that are not known in gold and dev data, brat's spans as outputs, tables of short texts, answers at once."""

import json
import select
import subprocess
import sys
from pathlib import Path

import pytest

from command_line import run, succeed

EXPORT = [
    {"id": 1, "text": "Anna lives in Oslo.", "label": [[0, 4, "PER"], [14, 18, "LOC"]]},
    {"id": 2, "text": "Bob left Bergen.", "label": [[0, 3, "PER"], [9, 13, "LOC"]]},  # the second span ends in a word
    {"id": 3, "text": "Eva left Oslo.", "label": [[0, 3, "PER"], [9, 13, "LOC"]]},
]
PREDICTED = [["B-PER", "O", "O", "B-LOC", "O"], ["B-PER", "O", "B-LOC", "O"], ["B-PER", "O", "O", "O"]]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "export.jsonl").write_text("".join(json.dumps(one) + "\n" for one in EXPORT))
    succeed("convert", tmp_path / "export.jsonl", tmp_path / "gold.jsonl")
    lines = [json.loads(line) for line in (tmp_path / "gold.jsonl").read_text().splitlines()]
    assert lines[1]["labels"][1:] == ["_", "_", "_"]
    told = [{**line, "labels": labels} for line, labels in zip(lines, PREDICTED, strict=True)]
    (tmp_path / "predicted.jsonl").write_text("".join(json.dumps(one) + "\n" for one in told))
    return tmp_path


@pytest.mark.parametrize("gold", ["gold.jsonl", "export.jsonl"])
def test_sentences_with_unknown_labels_are_not_scored(folder: Path, gold: str) -> None:
    result = succeed("eval", folder / gold, folder / "predicted.jsonl")
    assert "processed 9 tokens with 4 phrases; found: 3 phrases; correct: 3." in result.out
    assert f"{gold}: 1 sentence left out, some of whose gold labels are '_'" in result.err
    compared = succeed("compare", folder / gold, folder / "predicted.jsonl", folder / "predicted.jsonl", "--json")
    assert json.loads(compared.out)["a"] == pytest.approx(85.71, abs=0.01)


def test_unknown_labels_are_left_out_of_dev_data_and_gold_data(folder: Path) -> None:
    model = folder / "x.model"
    (folder / "train.txt").write_text("Anna B-PER\nleft O\nOslo B-LOC\n. O\n\n" * 10)
    how = ("-r", "basic-ner", "-m", model)
    result = succeed("train", "--train", folder / "train.txt", "--dev", folder / "gold.jsonl", *how)
    assert "1 of 3 sentences left out, some of whose labels are '_' (not known)" in result.err
    scored = succeed("eval", "-m", model, folder / "gold.jsonl")
    assert "processed 9 tokens with 4 phrases" in scored.out
    assert "1 of 3 sentences left out, some of whose labels are '_' (not known)" in scored.err


def test_an_underscore_may_be_a_tag(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("Anna NNP NNP\n( _ _\nleft VBD NN\n\n")
    assert "processed 3 tokens" in succeed("eval", tmp_path / "a.txt").out


def test_gold_data_without_any_known_label_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("Anna B-PER\nleft _\n\n")
    result = run("eval", tmp_path / "a.txt", tmp_path / "a.txt")
    assert result.status == 2 and "found '_' (not known) in all sentences" in result.err


@pytest.mark.parametrize("command", [("tag", "-m", "en", "{}.txt", "-o", "{}.ann"), ("convert", "{}.jsonl", "{}.ann")])
def test_spans_of_brat_are_not_replaced_by_columns(tmp_path: Path, command: tuple[str, ...]) -> None:
    spans = "T1\tPER 0 4\tAnna\nT2\tLOC 14 18\tOslo\n"
    (tmp_path / "a.ann").write_text(spans)
    (tmp_path / "a.txt").write_text("Anna lives in Oslo.")
    (tmp_path / "a.jsonl").write_text('{"tokens": ["Anna", "lives"], "labels": ["B-PER", "O"]}\n')
    to = ("--to", "columns")
    assert run(*(word.format(tmp_path / "a") for word in command), *to).status == 2
    assert (tmp_path / "a.ann").read_text() == spans


def test_a_column_called_text_has_texts_even_if_they_are_short(tmp_path: Path) -> None:
    table = "id,text,score\n1,Anna flew to Oslo yesterday.,5\n2,Thanks!,3\n3,Ok,1\n"
    (tmp_path / "a.csv").write_text(table)
    (tmp_path / "a.tsv").write_text(table.replace(",", "\t"))
    found = [succeed("tag", "-m", "en", tmp_path / name).out for name in ("a.csv", "a.tsv")]
    assert found[0] == found[1]
    assert [json.loads(line)["score"] for line in found[0].splitlines()] == ["5", "3", "1"]
    command = [sys.executable, "-m", "perceptag", "tag", "-m", "en"]
    piped = subprocess.run(command, input=table, capture_output=True, text=True, check=True)
    assert piped.stdout == found[0]


def test_a_text_is_answered_before_the_next_one_comes() -> None:
    command = [sys.executable, "-m", "perceptag", "tag", "-m", "en", "--batch", "1", "-q"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0) as child:
        assert child.stdin and child.stdout
        child.stdin.write(b'{"text": "Anna left Oslo. Bob stayed."}\n')
        answered, _, _ = select.select([child.stdout], [], [], 60)
        assert answered, "no answer in a minute"
        first = json.loads(child.stdout.readline())
        child.stdin.close()
        second = json.loads(child.stdout.readline())
    assert (first["tokens"][0], second["tokens"][0]) == ("Anna", "Bob")
    assert first["document"] == second["document"] == 1
