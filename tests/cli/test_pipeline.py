"""Pipelines and running text on the command line."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from command_line import CORPUS, check, run, succeed
from perceptag.text import read_conllu, read_jsonl
from perceptag.text.treebank import read_treebank
from pipelines import TEXT, corpus, ner_tagger, pos_tagger, whole
from text_toys import HELD_OUT, shipped_tokenizer

STDIN = TEXT.encode()


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("models")
    shipped_tokenizer().save(folder / "tok.model")
    pos_tagger().save(folder / "pos.model")
    ner_tagger().save(folder / "ner.model")
    whole().save(folder / "en.model")
    return folder


def test_several_models_become_one_file(models: Path, tmp_path: Path) -> None:
    files = [models / f"{name}.model" for name in ("tok", "pos", "ner")]
    made = succeed("pipeline", *files, "-o", tmp_path / "en.model")
    assert "(tokens, pos, ner), sha256 " in made.err
    assert (tmp_path / "en.model").read_bytes() == (models / "en.model").read_bytes()
    told = json.loads(succeed("pipeline", f"xpos={files[1]}", "-o", tmp_path / "x", "--json").out)
    assert (told["layers"], told["inputs"]) == (["xpos"], ["form"])


def test_text_to_conllu_and_back(models: Path) -> None:
    text = "  A  dog\tbarks.\r\n\r\nIn London it didn't. \n"
    out = succeed("tag", "-m", models / "en.model", "--to", "conllu", stdin=text.encode()).out
    sentences = list(read_conllu(io.StringIO(out)))
    assert read_treebank(sentences).passage().text == text
    assert "# newdoc\n# newpar\n# text = A dog barks.\n" in out and "|NER=B-LOC\n" in out
    assert out.count("# newdoc") == 1 and "POS=DT" in out  # pos is not a column of CoNLL-U


def test_text_to_json_lines(models: Path) -> None:
    words = ("tag", "-m", models / "en.model", "--format", "text", "--to", "jsonl")
    found = [json.loads(line) for line in succeed(*words, stdin=STDIN).out.splitlines()]
    assert all(TEXT[a:b] == t for s in found for t, (a, b) in zip(s["tokens"], s["offsets"], strict=True))
    london = next(span for s in found for span in s["spans"] if span["text"] == "London")
    assert (london["layer"], london["label"], TEXT[london["start_char"] : london["end_char"]]) == (
        "ner",
        "LOC",
        "London",
    )
    sure = [json.loads(line) for line in succeed(*words, "--confidence", stdin=STDIN).out.splitlines()]
    assert [s["ner"] for s in sure] == [s["ner"] for s in found]
    assert all(0 <= span["confidence"] <= 1 for s in sure for span in s["spans"])
    again = list(read_jsonl(io.StringIO("\n".join(map(json.dumps, found)))))
    assert [s.columns["ner"] for s in again] == [s["ner"] for s in found]


def test_files_of_sentences_get_every_layer(models: Path, tmp_path: Path) -> None:
    file = tmp_path / "a.data"
    file.write_text("She\nstayed\nin\nLondon\n.\n")
    words = ("tag", "-m", models / "en.model", "--format", "columns", file)
    assert succeed(*words).out.splitlines()[3] == "London NNP B-LOC"
    out = succeed("tag", "-m", models / "en.model", HELD_OUT).out
    gold = list(read_conllu(HELD_OUT))
    found = list(read_conllu(io.StringIO(out)))
    assert [s.columns["xpos"] for s in found] == [s.columns["xpos"] for s in gold]  # no layer is called xpos
    assert all("NER=" in value for s in found for value in s.columns["misc"])


def test_a_column_below_that_has_no_labels_is_not_replaced(models: Path, tmp_path: Path) -> None:
    file = tmp_path / "a.data"
    file.write_text("She Ada\nstayed Brown\nin Cid\nLondon Dora\n")
    words = ("tag", "-m", models / "en.model", "--format", "columns", file)
    check(run(*words), "the labels would replace column 'pos', but 4 of its 4 values are not labels")
    assert succeed(*words, "--replace").out.splitlines()[3] == "London NNP B-LOC"


def test_eval_scores_a_layer_on_what_the_layers_below_predict(models: Path) -> None:
    words = ("eval", "-m", models / "en.model", CORPUS / "dev.txt", "--columns", "form,pos,chunk,ner", "--json")
    dev = corpus("dev", "form", "pos", "ner")
    gold = [s.columns["ner"] for s in dev]
    predicted = [s.columns["ner"] for s in whole().tag(dev)]
    right = sum(a == b for x, y in zip(gold, predicted, strict=True) for a, b in zip(x, y, strict=True))
    found = json.loads(succeed(*words).out)
    assert found["accuracy"] == pytest.approx(100 * right / sum(map(len, gold)))
    alone = json.loads(succeed("eval", "-m", models / "pos.model", *words[3:], "--label", "pos").out)
    assert json.loads(succeed(*words, "--layer", "pos").out)["accuracy"] == alone["accuracy"]


def test_eval_raw(models: Path, tmp_path: Path) -> None:
    succeed("pipeline", models / "tok.model", f"xpos={models / 'pos.model'}", "-o", tmp_path / "en.model")
    found = json.loads(succeed("eval", "-m", tmp_path / "en.model", "--raw", HELD_OUT, "--json").out)
    assert list(found) == ["tokens", "sentences", "words", "xpos"]
    assert all(50 < found[name][score] <= 100 for name in found for score in ("precision", "recall", "f1"))


def test_json_lines_of_a_text_are_one_document(models: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    text = b"Harwick won. London lost.\n\nHarwick won again.\n"
    out.write_bytes(succeed("tag", "-m", models / "en.model", "--to", "jsonl", stdin=text).out.encode())
    assert [s.starts_document for s in read_jsonl(out)] == [True, False, False]


def test_named_columns_are_those_of_a_column_file(models: Path, tmp_path: Path) -> None:
    (tmp_path / "in.txt").write_text("Ann x\nleft y\n\n")
    words = ("tag", "-m", models / "en.model", tmp_path / "in.txt", "--columns", "form,second")
    rows = [line.split()[:2] for line in succeed(*words).out.splitlines() if line]
    assert rows == [["Ann", "x"], ["left", "y"]]
    assert succeed(*words[:3], *words[4:], stdin=b"Ann x\nleft y\n\n").out == succeed(*words).out
    succeed(*words, "--out-dir", tmp_path / "out")
    assert (tmp_path / "out" / "in.txt").read_text() == succeed(*words).out
    told = "--columns: expected a file of sentences, found running text, which has none"
    assert told in run(*words, "--format", "text").err
