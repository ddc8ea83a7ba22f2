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


def test_what_other_people_said_is_left_out_with_a_note() -> None:
    regions = [[{"value": {"start": 0, "end": 3, "labels": [name]}}] for name in ("PER", "ORG")]
    task = {"data": {"text": "Ada"}, "annotations": [{"completed_by": n, "result": r} for n, r in enumerate(regions)]}
    Path("a.json").write_text(json.dumps([task]))
    told = succeed("convert", "a.json", "b.txt", "--tokenizer", "en").err
    assert "a.json, record 1: sentence 1: other labels by 1 are left out" in told
    Path("a.json").write_text(json.dumps({"text": "Ada", "entities": [], "Comments": ["Who?"]}))
    assert "a.json:1: left out: comments (1)" in succeed("convert", "a.json", "b.txt", "--tokenizer", "en").err


@pytest.mark.parametrize(
    ("tokens", "said"),
    [
        ([[4, 7], [0, 3]], "a.json:1: tokens: expected each after the one before, found 0 after 7"),
        ([[0, 3], [2, 7]], "a.json:1: tokens: expected each after the one before, found 2 after 3"),
    ],
)
def test_tokens_of_spacy_are_in_order(tokens: list[list[int]], said: str) -> None:
    places = [{"start": start, "end": end, "tag": "N"} for start, end in tokens]
    value = {"text": "Ada sat", "ents": [], "tokens": places}
    Path("a.json").write_text(json.dumps(value))
    check(run("convert", "a.json", "b.txt"), said)
    Path("a.json").write_text(json.dumps(value | {"tokens": places[:1]}))
    assert (
        "note: left out, since sentences have no place for it: 'tokens.tag'"
        in succeed("convert", "a.json", "b.txt").err
    )


def test_places_of_errors_are_those_of_the_export() -> None:
    Path("a.json").write_text(json.dumps({"text": "A\0da", "label": [[0, 1, "PER"]]}))
    check(run("convert", "a.json", "b.txt", "--tokenizer", "en"), "a.json:1: expected text, found a NUL character")
    Path("a.json").write_text(json.dumps({"text": "A\tda", "ents": [], "tokens": [{"start": 0, "end": 4}]}))
    check(run("convert", "a.json", "b.txt"), "a.json:1.*: cannot write form 'A.tda' of token 1: it contains a tab")
    Path("a.spacy").write_bytes(b"x\x9c12")
    check(run("convert", "a.spacy", "b.txt", "--from", "spacy"), "a.spacy: .*if it is a DocBin file of spaCy")


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


def test_what_is_left_out_is_said() -> None:
    Path("a.jsonl").write_text('{"tokens": ["Ada", "x"], "pos": ["N", "N"], "labels": ["B-PER", "_"], "id": 7}\n')
    missing = "note: labels that are not known ('_'): 1; in doccano these tokens are outside of spans"
    err = succeed("convert", "a.jsonl", "a.json", "--to", "doccano").err
    assert "note: left out, since doccano has no place for it: the column 'pos', the key 'id'" in err and missing in err
    assert "since columns has no place for it: the key 'id'\n" in succeed("convert", "a.jsonl", "a.txt").err
    assert "note" not in succeed("convert", "a.jsonl", "b.jsonl").err
    Path("a.conllu").write_text("# sent_id = 1\n1\tAda\t_\tN\t_\t_\t_\t_\t_\t_\n\n")
    assert "comments and other lines of CoNLL-U that are not words" in succeed("convert", "a.conllu", "c.jsonl").err
    assert "note" not in succeed("convert", "a.conllu", "b.conllu").err


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


def test_notes_on_many_records_are_one_line() -> None:
    record = {"text": "Ada sat", "spans": [{"start": 0, "end": 3, "label": "PER"}]}
    Path("a.jsonl").write_text((json.dumps(record) + "\n") * 80)
    said = succeed("convert", "a.jsonl", "out.conllu").err.splitlines()
    assert "note: 80 times: without an answer, and taken as accepted; first: a.jsonl:1" in said
    assert len(said) == 3, said  # with what was recognised, and what was written


SPACED = Sentence({"form": ["New York", "fell"], "label": ["B-LOC", "O"]})


@pytest.mark.parametrize("target", ["out.txt", "out.tsv", "out.tsv.gz"])
def test_tokens_with_spaces_are_written_between_tabs(target: str) -> None:
    write([SPACED], "spaced.jsonl")
    succeed("convert", "spaced.jsonl", target)
    assert [s.columns for s in read(target)] == [SPACED.columns]


def test_labels_in_misc_are_a_column_in_other_formats_even_next_to_tags() -> None:
    succeed("convert", "in.txt", "tagged.conllu", "--columns", "form,pos,label", "-q")
    succeed("convert", "tagged.conllu", "back.jsonl", "-q")
    assert [s.columns["label"] for s in read("back.jsonl")] == [s.columns["label"] for s in LABELLED]
    succeed("convert", "tagged.conllu", "back.txt", "-q")
    assert [line.split()[-1] for line in Path("back.txt").read_text().splitlines() if line][1:3] == ["B-PER", "I-PER"]
    assert '[0, 9, "PER"]' in succeed("convert", "tagged.conllu", "-", "--to", "doccano").out


def test_words_come_first_and_labels_last_in_columns() -> None:
    Path("a.jsonl").write_text('{"labels": ["DT", "NN"], "tokens": ["the", "dog"], "lemma": ["the", "dog"]}\n')
    assert succeed("convert", "a.jsonl", "-", "--to", "columns").out == "the the DT\ndog dog NN\n\n"
    Path("b.txt").write_text("DT the\nNN dog\n\n")
    assert succeed("convert", "b.txt", "-", "--columns", "label,form", "--to", "columns").out == "DT the\nNN dog\n\n"
