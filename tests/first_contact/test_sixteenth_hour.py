"""JSON on standard input, lines as paragraphs, brat next to its text, names of label columns, words called texts."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from command_line import run, succeed
from perceptag.text.raw_text import parts


@pytest.fixture
def model(tmp_path: Path) -> Path:
    (tmp_path / "train.txt").write_text("Anna B-PER\nlives O\nin O\nRome B-LOC\n. O\n\n" * 5)
    succeed("train", "--train", tmp_path / "train.txt", "-r", "basic-ner", "-m", tmp_path / "a.model")
    return tmp_path / "a.model"


def piped(content: str, model: Path, *options: str) -> subprocess.CompletedProcess[str]:
    """Tag what comes from a pipe, of which only the beginning can be seen before it is read."""
    command = [sys.executable, "-m", "perceptag", "tag", "-m", str(model), "--tokenizer", "en", *options]
    return subprocess.run(command, input=content, capture_output=True, text=True, check=False)


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ('{"id": 1, "text": "Anna left Oslo.", "entities": []}', "--text text tags only the texts"),
        ('{"id": 1, "text": "Anna left Oslo.", "label": [[0, 4, "PER"]]}', "--text text tags only the texts"),
        ('{"id": 1, "body": "Anna left Oslo."}', "--text body tags only the texts"),
        ('[{"id": 1, "body": "Anna left Oslo."}]', "--text body tags only the texts"),
        ('{"data": {"text": "Anna left."}}', "expected a list of strings 'tokens'"),
        ('{"text": null}', "expected a list of strings 'tokens'"),
        ('{"text": "Anna left."}\n{"body": 1}', "found 'body'\n"),  # no option helps
        ('[\n{"id": 1, "body": "Anna left Oslo."}\n]', "expected one JSON object per line"),
    ],
)
def test_json_on_standard_input_is_never_tagged_as_prose(given: str, told: str, model: Path) -> None:
    result = piped(f"{given}\n", model)
    assert (result.returncode, result.stdout) == (2, "") and told in result.stderr


def test_the_option_for_texts_is_named_if_the_format_is(model: Path) -> None:
    result = piped('{"id": 1, "body": "Anna left Oslo."}\n', model, "--format", "jsonl")
    assert (result.returncode, "--text body tags only the texts" in result.stderr) == (2, True)


def test_a_record_of_a_stream_without_the_named_text_is_not_left_out(model: Path) -> None:
    result = piped('{"body": "Anna left Oslo."}\n{"id": 2}\n', model, "--text", "body")
    assert result.returncode == 2
    assert "<stdin>:2: --text: expected a key 'body', found 'id'" in result.stderr


def test_brackets_may_begin_a_text(model: Path) -> None:
    out = piped("[1] Anna lives in Rome.\n", model).stdout
    assert out.startswith("[") and "Rome B-LOC" in out


def test_texts_whose_labels_are_no_spans_can_be_tagged_with_the_option_that_the_message_names(model: Path) -> None:
    path = model.with_name("c.jsonl")
    path.write_text('{"id": 1, "text": "Anna lives in Rome.", "label": ["positive"]}\n')
    how = ("tag", "-m", model, "--tokenizer", "en", path)
    assert "--text text tags only the texts" in run(*how).err
    assert json.loads(succeed(*how, "--text", "text").out)["tokens"][0] == "Anna"


def test_nothing_is_left_out_of_names_by_label(tmp_path: Path) -> None:
    names = {"PER": ["Anna Berg"], "LOC": [{"text": "Rome", "zz": 1}]}
    (tmp_path / "a.jsonl").write_text(json.dumps({"text": "Anna Berg left Rome.", "entities": names}) + "\n")
    told = succeed("convert", tmp_path / "a.jsonl", tmp_path / "b.jsonl", "--tokenizer", "en").err
    assert "entities.zz" in told and "entities.PER" not in told
    labels = json.loads((tmp_path / "b.jsonl").read_text())["labels"]
    assert labels == ["B-PER", "I-PER", "O", "B-LOC", "O"]


def test_a_line_is_answered_when_it_is_there_if_lines_are_paragraphs() -> None:
    came: list[str] = []

    def blocks() -> object:
        for block in ("Anna sings.\n", "Bo", "b left.\r", "\nEva \n\n", "stays."):
            came.append(block)
            yield block

    found = [(part, len(came)) for part in parts(blocks(), at_once=True, by_line=True)]  # type: ignore[arg-type]
    assert found == [("Anna sings.\n", 1), ("Bob left.\r\n", 4), ("Eva \n", 4), ("\nstays.", 5)]


TEXT = "Anna lives in Rome.  Bob left.\r\n\r\nEva stays in Rome. She sings.\n"


@pytest.mark.parametrize("ending", ["conllu", "jsonl"])
@pytest.mark.parametrize("text", [TEXT, f"\ufeff{TEXT}"], ids=["plain", "with a byte order mark"])
def test_spans_are_written_next_to_their_text(text: str, ending: str, model: Path) -> None:
    folder = model.parent
    (folder / "t.txt").write_bytes(text.encode())
    succeed("tag", "-m", model, "--tokenizer", "en", folder / "t.txt", "--to", ending, "-o", folder / f"s.{ending}")
    label = [] if ending == "jsonl" else ["--label", "label"]
    done = run("convert", folder / f"s.{ending}", folder / "t.ann", "--to", "brat", *label)
    assert done.status == 0, done.err
    assert (folder / "t.txt").read_bytes() == text.encode()
    for line in (folder / "t.ann").read_text().splitlines():
        _, place, words = line.split("\t")
        _, start, end = place.split()
        assert text[int(start) : int(end)] == words
    assert "T2\t" in (folder / "t.ann").read_text()


def test_spans_are_not_written_next_to_another_text(model: Path) -> None:
    folder = model.parent
    (folder / "t.txt").write_text(TEXT)
    succeed("tag", "-m", model, "--tokenizer", "en", folder / "t.txt", "--to", "jsonl", "-o", folder / "s.jsonl")
    (folder / "t.txt").write_text(TEXT.replace("Eva", "Ida"))
    done = run("convert", folder / "s.jsonl", folder / "t.ann", "--to", "brat")
    assert done.status == 2 and "t.txt is there with another text" in done.err and not (folder / "t.ann").exists()


@pytest.mark.parametrize("name", ["entity_type", "Entity_Type"])
def test_the_column_of_labels_of_a_table_may_have_any_name(name: str, tmp_path: Path) -> None:
    rows = "d0,0,Anna,B-PER,x\nd0,0,sings,O,x\nd0,1,Bob,B-PER,x\nd0,1,left,O,x\n"
    (tmp_path / "a.csv").write_text(f"doc,sentence_id,word,Entity_Type,annotator\n{rows}")
    told = succeed("train", "--train", tmp_path / "a.csv", "--label", name, "--no-dev", "-m", tmp_path / "m").err
    assert f"2 sentences, 4 tokens; 2 labels from column {name!r}" in told
    assert (
        "--label NAME that of the labels of words"
        in run("train", "--train", tmp_path / "a.csv", "-m", tmp_path / "n").err
    )


@pytest.mark.parametrize(
    ("table", "sentences"),
    [
        ("doc_id,sent_id,text,label\nd,0,Anna,B-PER\nd,0,sings,O\nd,1,Bob,B-PER\nd,1,left,O\n", 2),
        ("sent_id,text,pos\n0,Anna,NNP\n0,sings,VBZ\n1,Bob,NNP\n1,left,VBD\n", 2),
        ("text,label\nAnna,B-PER\nBerg,I-PER\nsings,O\n", 1),
    ],
)
def test_words_in_a_column_called_text_are_words(table: str, sentences: int, tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text(table)
    succeed("convert", tmp_path / "a.csv", tmp_path / "a.jsonl")
    found = [json.loads(line) for line in (tmp_path / "a.jsonl").read_text().splitlines()]
    assert len(found) == sentences and found[0]["tokens"][0] == "Anna" and len(found[0]["tokens"]) > 1


def test_short_texts_with_classes_are_still_texts(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("id,text,label\n1,So great,positive\n2,So bad,negative\n3,Very good,positive\n")
    out = succeed("tag", "--model", "en", tmp_path / "a.csv").out
    assert [json.loads(line)["text"] for line in out.splitlines()] == ["So great", "So bad", "Very good"]


@pytest.mark.parametrize("name", ["SentenceID", "sentence_no", "Sentence_Number", "sid"])
def test_sentences_of_a_table_may_be_named_in_many_ways(name: str, tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text(f"{name};word;tag\n1;Anna;B-PER\n1;sings;O\n2;Bob;B-PER\n")
    assert "converted 2 sentences" in succeed("convert", tmp_path / "a.csv", tmp_path / "a.jsonl").err


@pytest.mark.parametrize(("words", "is_told"), [(100, False), (101, True)])
def test_a_table_without_sentences_is_noted(words: int, is_told: bool, tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("Satz,word,tag\n" + "1,Anna,B-PER\n" * words)
    told = succeed("convert", tmp_path / "a.csv", tmp_path / "a.jsonl", "-q").err
    assert ("a column such as sentence_id, or an empty row, begins another one" in told) == is_told


@pytest.mark.parametrize(
    ("rows", "sentences"),
    [
        ("1;Anna;B-PER\n1;sings;O\n2;Bob;B-PER\n2;left;O\n", 2),
        ("u7;Anna;B-PER\nu7;sings;O\nu3;Bob;B-PER\nu3;left;O\n", 2),
        ("1;Anna;B-PER\n2;sings;O\n3;Bob;B-PER\n", 1),  # numbers of words
        ("a;Anna;B-PER\na;sings;O\nb;Bob;B-PER\na;left;O\n", 1),  # something else
        ("1;Anna;B-PER\n1;sings;O\n;;\n2;Bob;B-PER\n2;left;O\n", 2),  # an empty row
    ],
)
def test_the_first_column_of_a_table_may_number_its_sentences(rows: str, sentences: int, tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text(f"Satz;word;tag\n{rows}")
    told = succeed("convert", tmp_path / "a.csv", tmp_path / "a.jsonl").err
    assert f"converted {sentences} sentence" in told
    assert ("rows with the same 'satz' are taken for one sentence" in told) == (sentences == 2 and ";;" not in rows)


def test_names_of_columns_above_numbers_of_sentences_are_not_words(tmp_path: Path) -> None:
    rows = "1\tder\tART\n1\tHund\tNN\n1\tbellt\tV\n2\tdie\tART\n2\tKatze\tNN\n2\tsieht\tV\n"
    (tmp_path / "a.tsv").write_text(f"Satz\tWort\tWortart\n{rows}")
    result = run("train", "--train", tmp_path / "a.tsv", "-m", tmp_path / "m")
    assert result.status == 2
    assert "this looks like the names of columns, not like a token: Satz Wort Wortart" in result.err
    (tmp_path / "a.tsv").write_text(f"sentence\ttok\tpos\n{rows}")
    assert "2 sentences, 6 tokens" in succeed("check", tmp_path / "a.tsv").out


def test_names_inside_of_other_names_are_noted(tmp_path: Path) -> None:
    names = [
        ("University of Oslo", "ORG"),
        ("Oslo", "LOC"),
        ("York City", "LOC"),
        ("New York", "LOC"),
        ("Bergen", "LOC"),
    ]
    listed = [{"text": text, "label": label} for text, label in names]
    record = {"text": "The University of Oslo is not in New York City.", "entities": listed}
    (tmp_path / "a.jsonl").write_text(json.dumps(record) + "\n")
    told = succeed("convert", tmp_path / "a.jsonl", tmp_path / "b.jsonl", "--tokenizer", "en", "-q").err
    assert "'Oslo' (LOC): inside or across another name, which has the place" in told
    assert "'New York' (LOC): inside or across another name, which has the place" in told
    assert "'Bergen' (LOC): not found in the text" in told


@pytest.mark.parametrize("text", ["Anna B-PER\nsings O\n. O\n\nBob B-PER\n", "Anna\tNNP\nsings\tVBZ\n.\t.\n"])
def test_a_short_column_file_called_txt_is_not_tagged_as_prose(text: str, model: Path) -> None:
    path = model.with_name("short.txt")
    path.write_text(text)
    result = run("tag", "-m", model, "--tokenizer", "en", path)
    assert result.status == 2 and "--format columns reads them" in result.err
    path.write_text("I-95 is closed.\nAnna left.\nB-52 came.\nShe sings O\n")
    succeed("tag", "-m", model, "--tokenizer", "en", path)


def test_spans_are_written_next_to_a_text_with_tabs(model: Path) -> None:
    path = model.with_name("tabs.txt")
    path.write_text("Anna\tlives in Rome.\nBob\tis in Rome.\n")
    succeed("tag", "-m", model, "--tokenizer", "en", path, "--to", "conllu", "-o", path.with_suffix(".conllu"))
    succeed("convert", path.with_suffix(".conllu"), path.with_suffix(".ann"), "--label", "label")
    assert "PER 0 4\tAnna" in path.with_suffix(".ann").read_text()
    assert path.read_text() == "Anna\tlives in Rome.\nBob\tis in Rome.\n"


def test_white_space_before_a_text_counts(tmp_path: Path) -> None:
    texts = [
        {"id": n, "text": f"\n  Anna left {place}.", "label": [[3, 7, "PER"]]}
        for n, place in enumerate(("Oslo", "Rome"))
    ]
    (tmp_path / "a.jsonl").write_text("".join(json.dumps(one) + "\n" for one in texts))
    succeed("convert", tmp_path / "a.jsonl", tmp_path / "b.json", "--to", "label-studio", "--tokenizer", "en")
    for task, one in zip(json.loads((tmp_path / "b.json").read_text()), texts, strict=True):
        value = task["annotations"][0]["result"][0]["value"]
        assert (value["start"], value["end"], value["text"]) == (3, 7, "Anna")
        assert len(task["data"]["text"]) == len(one["text"]) and task["data"]["text"].split() == one["text"].split()


def test_projects_import_parquet_of_texts_and_name_the_way_for_sentences(tmp_path: Path) -> None:
    pa, pq = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    pq.write_table(pa.table({"id": [7], "text": ["Anna left Oslo."]}), tmp_path / "t.parquet")
    pq.write_table(pa.table({"tokens": [["Anna", "left"]]}), tmp_path / "s.parquet")
    common = ("--labels", "PER", "--tokenizer", "en", "--export", tmp_path / "a.jsonl", "--status", "all")
    succeed("annotate", tmp_path / "a.ptag", "--import", tmp_path / "t.parquet", *common)
    assert json.loads((tmp_path / "a.jsonl").read_text())["tokens"] == ["Anna", "left", "Oslo", "."]
    result = run("annotate", tmp_path / "b.ptag", "--import", tmp_path / "s.parquet", *common, "--overwrite")
    assert result.status == 2 and "s.parquet sentences.jsonl' makes JSON lines of it" in result.err
