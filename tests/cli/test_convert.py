"""``perceptag convert``: between file formats, and to and from other tools."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest

from command_line import check, run, succeed
from perceptag.text import Sentence, read, write

LABELLED = [
    Sentence(
        {"form": ["Ada", "Byron", "sat", "."], "pos": ["N", "N", "V", "."], "label": ["B-PER", "I-PER", "O", "O"]}
    ),
    Sentence({"form": ["Rome", "fell"], "pos": ["N", "V"], "label": ["B-LOC", "O"]}),
]
MARKED = [Sentence(s.columns, starts_document=i == 0) for i, s in enumerate(LABELLED)]


@pytest.fixture(autouse=True)
def in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write(MARKED, "in.txt")


def test_conllu_has_columns_of_its_own() -> None:
    text = succeed("convert", "in.txt", "-", "--to", "conllu", "--columns", "form,xpos,ner").out
    assert "1\tAda\t_\t_\tN\t_\t_\t_\t_\tNER=B-PER\n" in text and text.startswith("# newdoc")


def test_places_are_those_of_the_text() -> None:
    text = "Ada  Byron didn't\tsit. She left."
    succeed("tag", "-m", "en", "-o", "a.jsonl", "--to", "jsonl", "-q", stdin=text.encode())
    succeed("tag", "-m", "en", "-o", "a.conllu", "--to", "conllu", "-q", stdin=text.encode())
    succeed("convert", "a.jsonl", "a.json", "--to", "doccano", "--label", "ner", "-q")
    record = json.loads(Path("a.json").read_text())
    assert record["label"] == [[0, 10, "PER"]] and record["text"].startswith("Ada  Byron didn't\tsit.")
    succeed("convert", "a.jsonl", "a.ann", "--label", "ner", "-q")
    assert Path("a.ann").read_text() == "T1\tPER 0 10\tAda  Byron\n"


def test_conllu_gives_its_white_space() -> None:
    Path("a.conllu").write_text(
        "# text = Ada didn't.\n1\tAda\t_\tB-PER\t_\t_\t_\t_\t_\t_\n2-3\tdidn't\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No\n"
        "2\tdid\t_\tO\t_\t_\t_\t_\t_\t_\n3\tn't\t_\tO\t_\t_\t_\t_\t_\t_\n4\t.\t_\tO\t_\t_\t_\t_\t_\t_\n\n"
    )
    out = succeed("convert", "a.conllu", "-", "--to", "spacy", "--label", "upos").out
    record = json.loads(out)
    assert record["text"] == "Ada didn't." and record["ents"] == [{"start": 0, "end": 3, "label": "PER"}]
    assert [(t["start"], t["end"]) for t in record["tokens"]] == [(0, 3), (4, 7), (7, 10), (10, 11)]


def test_spans_that_do_not_fit_are_reported() -> None:
    Path("a.txt").write_text("Ada Byron sat. Rome fell.", "utf-8")
    Path("a.ann").write_text("T1\tPER 0 2\tAd\nT2\tLOC 15 19\tRome\nR1\tin Arg1:T1 Arg2:T2\n#1\tNote T1\twhy\n")
    result = succeed("convert", "a.ann", "-", "--to", "columns", "--tokenizer", "en")
    assert "note: a.ann: span 0 to 2, PER, 'Ad': ends inside the token 'Ada'" in result.err
    assert "left out: relations (1)" in result.err and "left out: notes (1)" in result.err
    labels = ["-DOCSTART-", "O", "Ada", "_", "Byron", "_", "sat", "_", ".", "_", "Rome", "B-LOC", "fell", "O", ".", "O"]
    assert result.out.split() == labels
    Path("a.ann").write_text("T1\tPER 0 3;10 13\tAda sat\n")
    result = succeed("convert", "a.ann", "-", "--to", "jsonl", "--tokenizer", "en")
    assert "span 0 to 13, PER, 'Ada Byron sat': discontinuous: it has several parts" in result.err
    Path("a.ann").write_text("T1\tPER 0 3;4 9\tAda Byron\n")  # parts that touch are one span
    assert "B-PER" in succeed("convert", "a.ann", "-", "--to", "columns", "--tokenizer", "en").out
    Path("a.ann").write_text("T1\tPER 0 9\tAnn Byron\n")
    result = succeed("convert", "a.ann", "-", "--to", "jsonl", "--tokenizer", "en")
    assert "the file says that it is 'Ann Byron'" in result.err


def test_the_text_of_brat_is_not_written_over() -> None:
    Path("b.ann").write_text("T1\tPER 0 3\tAda\n")
    check(run("convert", "b.ann", "a"), "b.ann: expected its text in the file b.txt next to it, found no such file")
    Path("b.txt").write_text("Ada")
    for source, target in (("b.ann", "b.txt"), ("in.txt", "in.ann")):
        before = Path(source).read_bytes(), Path(source).with_suffix(".txt").read_bytes()
        check(run("convert", source, target), r"OUT: .*\.txt is also an input; writing it would destroy it")
        assert (Path(source).read_bytes(), Path(source).with_suffix(".txt").read_bytes()) == before


@pytest.mark.doors
def test_spacy_itself_reads_and_writes_them() -> None:
    spacy = pytest.importorskip("spacy")
    succeed("convert", "in.txt", "a.jsonl", "--to", "spacy", "--columns", "form,pos,label", "-q")
    doc = spacy.tokens.Doc(spacy.blank("en").vocab).from_json(json.loads(Path("a.jsonl").read_text()))
    assert [(e.text, e.label_) for e in doc.ents] == [("Ada Byron", "PER"), ("Rome", "LOC")]
    assert [token.tag_ for token in doc] == ["N", "N", "V", ".", "_SP", "N", "V"] and len(list(doc.sents)) == 2
    Path("b.jsonl").write_text(json.dumps(doc.to_json()))
    succeed("convert", "b.jsonl", "back.jsonl", "-q")
    assert [s.columns["label"] for s in read("back.jsonl")] == [s.columns["label"] for s in LABELLED]


def test_fields_of_parquet_are_named() -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    columns = {"tokens": [["Ada"], ["Bob"]], "labels": [["B-PER"]] * 2, "score": [0.5, math.nan], "empty": [[], [1]]}
    parquet.write_table(pytest.importorskip("pyarrow").table(columns), "a.parquet")
    for target in ("a.jsonl", "a.txt"):
        assert (
            "has no place for it: the column 'score', the column 'empty'\n"
            in succeed("convert", "a.parquet", target).err
        )
        assert [s.columns["label"] for s in read(target)] == [["B-PER"], ["B-PER"]]
    assert "note" not in succeed("convert", "a.parquet", "b.parquet").err


def test_words_come_first_and_labels_last_in_columns() -> None:
    Path("a.jsonl").write_text('{"labels": ["DT", "NN"], "tokens": ["the", "dog"], "lemma": ["the", "dog"]}\n')
    assert succeed("convert", "a.jsonl", "-", "--to", "columns").out == "the the DT\ndog dog NN\n\n"
    Path("b.txt").write_text("DT the\nNN dog\n\n")
    assert succeed("convert", "b.txt", "-", "--columns", "label,form", "--to", "columns").out == "DT the\nNN dog\n\n"
