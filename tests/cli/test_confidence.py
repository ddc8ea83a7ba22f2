"""``perceptag tag --confidence`` and ``--min-confidence``, and what ``eval`` and ``inspect`` say."""

from __future__ import annotations

import json
import re
from pathlib import Path
from unittest import mock

import pytest

from command_line import CORPUS, CORPUS_COLUMNS, TOY, run, succeed, toy_model
from perceptag import DataError, Tagger
from perceptag.text import read_columns

COLUMNS = CORPUS_COLUMNS.split(",")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("models")


@pytest.fixture(scope="module")
def model(folder: Path) -> Path:
    """Named entities of the shipped corpus: a weak model, so that confidence has something to say."""
    path = folder / "ner.model"
    words = ("train", "-r", "collins-np", "--train", CORPUS / "train.txt", "--dev", CORPUS / "dev.txt")
    succeed(*words, "--columns", CORPUS_COLUMNS, "--epochs", 1, "-m", path, "-q")
    return path


@pytest.fixture(scope="module")
def plain(folder: Path) -> Path:
    """The test data without labels."""
    path = folder / "plain.txt"
    lines = (CORPUS / "test.txt").read_text().split("\n")
    path.write_text("\n".join(line if line.startswith("-DOC") else line.rpartition(" ")[0] for line in lines))
    return path


def rows(text: str) -> list[list[str]]:
    return [line.split(" ") for line in text.split("\n") if line and not line.startswith("-DOC")]


def expected(model: Path, plain: Path) -> list[float]:
    """As Python gives it: that of the span, or of the token outside of spans."""
    tagger = Tagger.load(str(model))
    sentences = list(read_columns(plain, COLUMNS[:-1]))
    confidences = []
    for tokens, found in zip(
        tagger.predict_confidence(sentences), tagger.predict_confident_spans(sentences), strict=True
    ):
        mine = list(tokens)
        for span, c in found:
            mine[span.start : span.end] = [c] * (span.end - span.start)
        confidences += mine
    return confidences


def test_a_column_at_the_end(model: Path, plain: Path) -> None:
    without = rows(succeed("tag", "-m", model, plain).out)
    found = rows(succeed("tag", "-m", model, plain, "--confidence").out)
    assert [row[:-1] for row in found] == without
    assert [row[-1] for row in found] == [f"{c:.4f}" for c in expected(model, plain)]
    assert {len(row[-1]) for row in found} == {6}


def test_json_lines(model: Path, plain: Path) -> None:
    out = succeed("tag", "-m", model, plain, "--confidence", "--to", "jsonl").out
    records = [json.loads(line) for line in out.splitlines()]
    tagger = Tagger.load(str(model))
    sentences = list(read_columns(plain, COLUMNS[:-1]))
    assert [r["ner"] for r in records] == tagger.predict(sentences)
    for record, found in zip(records, tagger.predict_confident_spans(sentences), strict=True):
        listed = [{"start": s.start, "end": s.end, "label": s.label, "confidence": round(c, 4)} for s, c in found]
        assert record["spans"] == listed
        for span in listed:
            assert set(record["confidence"][span["start"] : span["end"]]) == {span["confidence"]}
    assert any(r["spans"] for r in records)
    assert not all(r["spans"] for r in records)
    # What was written can be tagged again, and comes out the same.
    assert succeed("tag", "-m", model, "--confidence", "-f", "jsonl", stdin=out.encode()).out == out


@pytest.mark.parametrize("least", [0.5, 0.8, 1])
def test_spans_below_the_least_confidence_become_o(model: Path, plain: Path, least: float) -> None:
    every = rows(succeed("tag", "-m", model, plain, "--confidence").out)
    sure = rows(succeed("tag", "-m", model, plain, "--confidence", "--min-confidence", least).out)
    dropped = 0
    for before, after in zip(every, sure, strict=True):
        if before[-2] != "O" and float(before[-1]) < least:
            assert after == [*before[:-2], "O", "_"]
            dropped += 1
        else:
            assert after == before
    assert dropped > 0
    labels_only = rows(succeed("tag", "-m", model, plain, "--min-confidence", least).out)
    assert labels_only == [row[:-1] for row in sure]
    out = succeed("tag", "-m", model, plain, "--confidence", "--min-confidence", least, "--to", "jsonl").out
    records = [json.loads(line) for line in out.splitlines()]
    assert [y for r in records for y in r["ner"]] == [row[-2] for row in sure]
    assert sum(c is None for r in records for c in r["confidence"]) == dropped
    assert all(span["confidence"] >= least for r in records for span in r["spans"])


def test_labels_of_tokens_in_conllu(folder: Path) -> None:
    words = [("Go", "VB"), ("dogs", "NNS"), ("bark", "VBP"), ("run", "VB"), ("cats", "NNS")]
    lines = "".join(f"1\t{w}\t_\t_\t{t}\t_\t0\troot\t_\tSpaceAfter=No|Confidence=x\n\n" for w, t in words)
    train, dev = folder / "t.conllu", folder / "d.conllu"
    train.write_text(lines)
    dev.write_text(lines + "1\tqxz\t_\t_\tJJ\t_\t0\troot\t_\t_\n\n" * 9)  # which it cannot get right
    model = folder / "pos.model"
    succeed("train", "-r", "collins-pos", "--label", "xpos", "--train", train, "--dev", dev, "-m", model, "-q")
    out = succeed("tag", "-m", model, dev, "--confidence").out
    misc = [line.split("\t")[9] for line in out.split("\n") if line]
    assert all(re.fullmatch(r"SpaceAfter=No\|Confidence=0\.\d{4}", m) for m in misc[:5])
    assert all(re.fullmatch(r"Confidence=0\.\d{4}", m) for m in misc[5:])
    confidences = [float(m[-6:]) for m in misc]
    least = (min(confidences) + max(confidences)) / 2
    assert min(confidences) < least, "some tokens must be surer than others"
    sure = succeed("tag", "-m", model, dev, "--confidence", "--min-confidence", least).out
    for row, c in zip([line.split("\t") for line in sure.split("\n") if line], confidences, strict=True):
        assert (row[4] == "_") == (c < least) == ("Confidence" not in row[9])


def test_no_confidence_without_calibration(folder: Path) -> None:
    model = toy_model(folder)
    for words in (("--confidence",), ("--min-confidence", 0.5)):
        result = run("tag", "-m", model, *words, "-o", folder / "out", stdin=TOY.encode())
        assert (result.status, result.out) == (2, "")
        assert "the model is not calibrated" in result.err
        assert "perceptag train --dev" in result.err
    assert not (folder / "out").exists()
    assert run("eval", "-m", model, folder / "toy.txt", "--confidence").status == 2
    assert succeed("tag", "-m", model, "--min-confidence", 0, stdin=TOY.encode()).out == TOY + "\n"
    assert "not calibrated" in succeed("inspect", model).out


@pytest.mark.parametrize("trouble", [KeyboardInterrupt(), DataError("no")])
def test_a_model_is_saved_even_if_it_cannot_be_calibrated(
    folder: Path, trouble: BaseException, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("perceptag.cli.training_run.calibrated_on_dev", mock.Mock(side_effect=trouble))
    path = folder / "saved.model"
    words = ("train", "-r", "collins-np", "--train", CORPUS / "train.txt", "--dev", CORPUS / "dev.txt")
    result = succeed(*words, "--columns", CORPUS_COLUMNS, "--epochs", 1, "-m", path)
    assert "warning: not calibrated: " in result.err
    assert "not calibrated" in succeed("inspect", path).out
