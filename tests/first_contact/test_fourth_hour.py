"""Texts before annotation, and files of columns and tables that commands took for something else."""

import json
from importlib.resources import files
from pathlib import Path

import pytest

from command_line import check, run
from perceptag.foreign.file_hints import content_looks_like
from perceptag.foreign.intake import recognise_bytes
from perceptag.foreign.read_export import foreign_tool, read_foreign
from perceptag.foreign.table_header import header_of
from perceptag.foreign.texts import ForeignToken
from perceptag.text import read

TOKENS = "word,tag\nAnna,B-PER\nleft,O\n\nBob,B-PER\nran,O\n\nEva,B-PER\nsat,O\n"
TAGGED = "The DT\ndog NN\nbarks VBZ\n. .\n\n" * 20


def by_spaces(text: str) -> list[list[ForeignToken]]:
    found, start = [], 0
    for word in text.split():
        start = text.index(word, start)
        found.append(ForeignToken(word, start, start + len(word)))
    return [found]


# --- texts without labels ---


@pytest.mark.parametrize(
    "content",
    [
        '{"id": 1, "text": "Anna left Oslo .", "meta": {"by": "me"}}\n{"text": "Bob ran"}\n',
        '[{"text": "Anna left Oslo ."}, {"text": "Bob ran"}]',
    ],
)
def test_records_with_a_text_alone_are_texts_without_labels(content: str) -> None:
    found = read_foreign(content.encode(), "new.jsonl", tokenize=by_spaces)
    assert [s.tokens for s in found.sentences] == [["Anna", "left", "Oslo", "."], ["Bob", "ran"]]
    assert [s.labels for s in found.sentences] == [None, None]
    assert not any(s.is_unmarked for s in found.sentences)  # which would make them O


def test_a_record_with_labels_decides_what_a_file_is() -> None:
    plain, marked = {"text": "Anna left"}, {"text": "Bob ran", "entities": [{"start": 0, "end": 3, "label": "PER"}]}
    assert foreign_tool(json.dumps([plain, marked]).encode()) == "spans"
    assert foreign_tool(json.dumps([plain, {"text": "a b", "things": [[0, 1]]}]).encode()) is None  # may be labels


def test_a_table_of_texts_is_read() -> None:
    rows = '1;"Anna left; Bob stayed.";me\r\n2;Gone.;you\r\n3;;me\r\n4;No name here;me\r\n'
    recognised = recognise_bytes(f"\ufeffid;text;from\r\n{rows}".encode(), "mails.csv")
    assert recognised is not None
    found = recognised.read(by_spaces, True)
    assert [s.tokens for s in found.sentences][:2] == [["Anna", "left;", "Bob", "stayed."], ["Gone."]]
    assert [(s.labels, s.where) for s in found.sentences][1:] == [(None, "mails.csv:3"), (None, "mails.csv:5")]


@pytest.mark.parametrize("content", ["text\tNN\nand\tCC\n\nsentence\tNN\n", "text,NN\nand,CC\n", "content O\n"])
def test_a_column_file_that_begins_with_the_word_text_is_no_table(content: str) -> None:
    assert header_of(content) is None


@pytest.mark.parametrize(("rows", "is_header"), [("1,Bob\n", False), ("1,Bob\n2,Eva ran\n", True), ("", False)])
def test_a_table_of_texts_has_several_words_in_most_rows(rows: str, is_header: bool) -> None:
    assert (header_of(f"id,content\n0,Anna left\n{rows}" if rows else "id,content\n") is not None) == is_header


def test_the_column_of_texts_that_the_user_names_takes_the_place_of_one_that_is_called_text() -> None:
    found = header_of("id,Text,body\n1,short,Anna left Oslo.\n", "Body")
    assert found is not None and found.names == ["id", "text_", "text"]
    assert header_of("id,body\n1,Anna left Oslo.\n", "mail") is None


# --- running text that is short ---


@pytest.mark.parametrize("text", ["Anna Berg met Bob.\nThey left Oslo.\n", "Anna Berg lives in Oslo .\n"])
def test_short_sentences_are_recognised_as_text(text: str, tmp_path: Path) -> None:
    (tmp_path / "mail.txt").write_text(text)
    done = run("train", "--train", tmp_path / "mail.txt", "--model", tmp_path / "x.model")
    check(done, "this looks like running text without labels")


def test_columns_whose_last_labels_are_full_stops_are_not_text() -> None:
    assert not content_looks_like(b"Oslo oslo NNP B-LOC\nand and CC O\n. . . .\n")


def test_rows_of_sentences_with_labels_and_an_empty_file_are_not_text() -> None:
    assert not content_looks_like(b"They left Oslo .\tgood\nAnna Berg met Bob in the old town .\tbad\n")
    assert not content_looks_like(b"")


# --- split ---


def test_split_does_not_lose_the_header_of_a_table(tmp_path: Path) -> None:
    (tmp_path / "names.csv").write_text(TOKENS)
    assert run("split", tmp_path / "names.csv").status == 0
    parts = [list(read(tmp_path / f"names.{part}.jsonl")) for part in ("train", "dev", "test")]
    assert sorted(s.tokens[0] for part in parts for s in part) == ["Anna", "Bob", "Eva"]
    assert {tuple(s.columns["label"]) for part in parts for s in part} == {("B-PER", "O")}


def test_split_makes_its_folder(tmp_path: Path) -> None:
    (tmp_path / "names.txt").write_text(TOKENS.replace(",", " "))
    assert run("split", tmp_path / "names.txt", "--output", tmp_path / "new").status == 0
    assert len(list((tmp_path / "new").iterdir())) == 3
    check(run("split", tmp_path / "names.txt", "--output", tmp_path / "names.txt"), "--output: expected a folder")


def test_split_recognises_conllu_by_its_content(tmp_path: Path) -> None:
    sentence = "# text = Anna\n1\t{}\t_\tPROPN\t_\t_\t_\t_\t_\t_\n\n"
    (tmp_path / "ud.txt").write_text("".join(map(sentence.format, ("Anna", "Bob", "Eva"))))
    assert run("split", tmp_path / "ud.txt").status == 0
    assert (tmp_path / "ud.dev.txt").read_text().startswith("# text")


# --- columns that are taken for text, words that are taken for labels ---


@pytest.mark.parametrize("content", [TAGGED, TOKENS.partition("\n")[2].replace(",", " ") * 10])
def test_word_classes_are_not_learned_from_labels(content: str, tmp_path: Path) -> None:
    (tmp_path / "data.txt").write_text(content)
    check(run("classes", tmp_path / "data.txt", "-o", tmp_path / "x.classes", "--sizes", "2"), "expected running text")
    for format_ in ("text", "columns"):
        done = run(
            "classes", tmp_path / "data.txt", "-o", tmp_path / f"{format_}.classes", "--sizes", "2", "-f", format_
        )
        assert done.status == 0


def test_names_on_lines_are_text(tmp_path: Path) -> None:
    (tmp_path / "names.txt").write_text("".join(f"ANNA BERG{n % 20}\nEva Smith\n" for n in range(50)))
    done = run("classes", tmp_path / "names.txt", "-o", tmp_path / "x.classes", "--sizes", "2")
    assert done.status == 0, done.err


def test_words_are_not_scored_as_labels(tmp_path: Path) -> None:
    (tmp_path / "words.jsonl").write_text('{"tokens": ["a", "b"]}\n')
    found = run("eval", tmp_path / "words.jsonl", tmp_path / "words.jsonl")
    check(found, "expected words and labels, found only words")
    (tmp_path / "labels.txt").write_text("B-PER\nO\n")
    assert run("eval", tmp_path / "labels.txt", tmp_path / "labels.txt").status == 0  # a column file of labels


# --- names of outputs ---


def test_labels_are_not_exported_to_a_name_that_tells_no_format(tmp_path: Path) -> None:
    (tmp_path / "names.txt").write_text(TOKENS.partition("\n")[2].replace(",", " "))
    into = ("annotate", tmp_path / "new.ptag", "--import", tmp_path / "names.txt", "--export")
    check(run(*into, tmp_path / "out.csv"), r"--export: expected a name that ends in .*, found .*out\.csv")
    assert not (tmp_path / "new.ptag").exists()
    assert run(*into, tmp_path / "out.conllu").status == 0


# --- templates that are there twice ---


ROWS = "In X x O\nOslo Y y B-LOC\n\nfor X x O\nAnna Z y B-PER\n\n" * 30
CITIES = '[[rule]]\nlabel = "CITY"\nphrases = ["Oslo"]\n'


@pytest.mark.parametrize("option", ["--rules", "--add"])
def test_a_template_that_auto_would_choose_may_be_added(option: str, tmp_path: Path) -> None:
    (tmp_path / "names.txt").write_text(ROWS)
    (tmp_path / "my.toml").write_text(CITIES)
    value = tmp_path / "my.toml" if option == "--rules" else "kind[0]"
    files = ("--train", tmp_path / "names.txt", "--columns", "form,pos,kind,ner", "--model", tmp_path / "x.model")
    done = run("train", *files, "--no-dev", "--epochs", 1, "--set", "inner_folds=0", option, value)
    assert done.status == 0, done.err
    shown = run("inspect", tmp_path / "x.model").out
    assert shown.count("\n  rules[0]\n" if option == "--rules" else "\n  kind[0]\n") == 1


def test_rules_come_before_the_model_that_learned_from_them(tmp_path: Path) -> None:
    (tmp_path / "names.txt").write_text(ROWS.replace(" X x", "").replace(" Y y", "").replace(" Z y", ""))
    (tmp_path / "my.toml").write_text(CITIES)
    (tmp_path / "new.txt").write_text("In Oslo")
    model, rules = tmp_path / "x.model", ("--rules", tmp_path / "my.toml")
    data = Path(str(files("perceptag") / "data"))
    words = ("--model", tmp_path / "tok.model", "-q")
    assert run("train", "-r", "tokenize", "--epochs", 1, "--train", data / "text-train.conllu", *words).status == 0
    into = ("--model", model, "--no-dev", "-q", "--epochs", 2, "--set", "inner_folds=0")
    assert run("train", "--train", tmp_path / "names.txt", *rules, *into).status == 0
    as_text = ("--tokenizer", tmp_path / "tok.model", tmp_path / "new.txt")
    check(run("tag", "--model", model, *as_text), "reads column 'rules', .*; --rules FILE gives it")
    tagged = run("tag", "--model", model, *rules, *as_text)
    assert tagged.out == "In O O\nOslo B-CITY B-LOC\n\n", tagged.err
    done = run("pipeline", tmp_path / "tok.model", model, *rules, "-o", tmp_path / "both.pipeline")
    assert "(tokens, rules, label)" in done.err
    again = run("tag", "--model", tmp_path / "both.pipeline", tmp_path / "new.txt", "-q")
    assert again.out == tagged.out
    check(run("eval", "--model", model, tmp_path / "names.txt"), "'perceptag pipeline MODEL --rules FILE -o OUT'")
    check(
        run("tag", "--model", model, tmp_path / "names.txt"), "found 2; column 'rules' is what rules found in training"
    )
    assert run("tag", "--model", model, "--columns", "form,rules", "-", stdin=b"In O\n").out == "In O O\n\n"


def test_rules_and_a_model_take_the_columns_of_the_training_data(tmp_path: Path) -> None:
    """They did so only with --columns: the label column was read as the column of the rules."""
    (tmp_path / "names.txt").write_text(ROWS)
    (tmp_path / "my.toml").write_text('column = "cities"\n' + CITIES)
    model, rules = ("--model", tmp_path / "x.model"), ("--rules", tmp_path / "my.toml")
    how = ("--columns", "form,pos,kind,ner", "--no-dev", "-q", "--epochs", 2, "--set", "inner_folds=0")
    assert run("train", "--train", tmp_path / "names.txt", *rules, *model, *how).status == 0
    check(run("tag", *model, tmp_path / "names.txt"), "found 4; column 'cities' is what rules found in training")
    tagged = run("tag", *model, *rules, "-", stdin=b"In X x O\nOslo Y y O\n")
    assert tagged.out == "In X x O O\nOslo Y y B-LOC B-CITY\n\n", tagged.err
    bare = run("tag", *model, *rules, "-", stdin=b"Oslo Y y\n")
    assert bare.out == "Oslo Y y B-CITY B-LOC\n\n", bare.err
