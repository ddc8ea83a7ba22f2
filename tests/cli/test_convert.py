"""``perceptag convert``: between file formats, and to and from other tools."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from command_line import check, run, succeed
from perceptag.foreign.writing import WRITTEN
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


@pytest.mark.parametrize("name", ["a.jsonl", "a.parquet", "a.txt.gz", "a.jsonl.xz"])
def test_between_our_formats(name: str) -> None:
    assert "converted 2 sentences" in succeed("convert", "in.txt", name, "--columns", "form,pos,label").err
    succeed("convert", name, "back.txt", *(["--columns", "form,pos,label"] if "txt" in name else []), "-q")
    assert Path("back.txt").read_bytes() == Path("in.txt").read_bytes()


def test_conllu_has_columns_of_its_own() -> None:
    text = succeed("convert", "in.txt", "-", "--to", "conllu", "--columns", "form,xpos,ner").out
    assert "1\tAda\t_\t_\tN\t_\t_\t_\t_\tNER=B-PER\n" in text and text.startswith("# newdoc")


@pytest.mark.parametrize("tool", WRITTEN)
def test_to_other_tools_and_back(tool: str) -> None:
    name = "a.ann" if tool == "brat" else "a.json"
    succeed("convert", "in.txt", name, "--to", tool, "--columns", "form,pos,label", "-q")
    succeed("convert", name, "back.jsonl", *([] if tool == "spacy" else ["--tokenizer", "en"]), "-q")
    back = list(read("back.jsonl"))
    assert [token for s in back for token in s.tokens] == [token for s in MARKED for token in s.tokens]
    assert [y for s in back for y in s.columns["label"]] == [y for s in MARKED for y in s.columns["label"]]
    if tool == "spacy":
        assert [s.tokens for s in back] == [s.tokens for s in MARKED]
    else:
        again = run("convert", name, "b.txt")
        check(again, "the text has no tokens: expected a tokeniser, found none")


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
    assert (
        "the file says that it is 'Ada sat'"
        in succeed("convert", "a.ann", "-", "--to", "jsonl", "--tokenizer", "en").err
    )


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["in.txt", "in.txt"], "OUT: in.txt is also an input"),
        (
            ["in.txt", "a", "--to", "xml"],
            "--to: expected columns, conllu, jsonl, parquet, crfsuite, text, inline, doccano",
        ),
        (
            ["in.txt", "a", "--from", "text"],
            "--from: expected columns, conllu, jsonl, parquet, crfsuite, label-studio, spacy",
        ),
        (["in.txt", "a", "--to", "brat"], "brat: expected a file whose name ends in .ann, found 'a'"),
        (
            ["in.txt", "a", "--to", "spacy", "--label", "c1"],
            "--label: expected labels of spans, such as B-PER, in column",
        ),
        (["b.ann", "a"], "b.ann: expected its text in the file b.txt next to it, found no such file"),
        (["no.txt", "a"], "no.txt: cannot read"),
    ],
)
def test_what_is_refused(words: list[str], message: str) -> None:
    check(run("convert", *words), message)
    assert not Path("a").exists()


def test_bad_lines_of_brat() -> None:
    Path("a.txt").write_text("Ada")
    Path("a.ann").write_text("T1\tPER 0 3\tAda\nX\n")
    check(
        run("convert", "a.ann", "b", "--tokenizer", "en"),
        "a.ann:2: expected a span, such as 'T1<tab>PER 0 4<tab>Anna', found 'X'",
    )


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
