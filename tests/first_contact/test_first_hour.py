"""Mistakes of a first hour at the command line: what is typed, what is refused, and what the message says."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from command_line import typed
from perceptag import Tagger

SENTENCE = "Anna B-PER\nsings O\nin O\nOslo B-LOC\n. O\n\n"
FAST = ("--recipe", "basic-ner", "--set", "epochs=2", "-q")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a model, a corpus and a text."""
    folder = tmp_path_factory.mktemp("first-hour")
    words = [line.split()[0] for line in SENTENCE.split("\n") if line]
    given = [line.split()[1] for line in SENTENCE.split("\n") if line]
    Tagger("basic-ner", epochs=2).fit([words] * 8, [given] * 8).save(folder / "m.model")
    (folder / "corpus.txt").write_text(SENTENCE * 8, "utf-8")
    (folder / "letter.txt").write_text("Angela Merkel visited Paris.\n", "utf-8")
    return folder


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("tag", "en", "letter.txt"), "did you mean --model en?"),
        (("tag", "letter.txt", "m.model"), "did you mean --model m.model?"),
        (("tag", "m.model"), "did you mean --model m.model?"),
        (("eval", "m.model", "corpus.txt"), "did you mean --model m.model?"),
        (("eval", "--errors", "m.model", "corpus.txt"), "did you mean --model m.model?"),
        (("explain", "m.model", "Anna sings"), "did you mean --model m.model?"),
        (("serve", "en"), "did you mean --model en?"),
        (("train", "corpus.txt", "--model", "new.model"), "did you mean --train corpus.txt?"),
        (("train", "--train", "corpus.txt", "-o", "new.model"), "did you mean '--model'?"),
        (("train", "--train", "corpus.txt", "--model", "n.model", "--passes", "5"), "did you mean '--epochs'?"),
        (("train", "--train", "corpus.txt", "--model", "n.model", "--set", "passes=5"), "did you mean 'epochs'?"),
        (("train", "--train", "corpus.txt", "--model", "n.model", "--label", "form"), "--label: expected a column of"),
        (("train", "--train", "m.model", "--model", "n.model"), "this is a perceptag model"),
        (("predict", "--model", "m.model", "corpus.txt"), "did you mean 'tag'?"),
        (("help", "tag"), "perceptag tag --help"),
        (("list", "models"), "perceptag list --models"),
        (("list", "recipes"), "'perceptag list' lists them"),
        (("build", "."), "--treebank ."),
        (("tag", "--model", "en", "."), "is a folder"),
    ],
)
def test_a_slip_is_answered_with_what_was_meant(folder: Path, words: tuple[str, ...], expected: str) -> None:
    _, err = typed(folder, *words, status=2)
    assert expected in err


@pytest.mark.parametrize(
    "words",
    [
        ("tune", "--train", "corpus.txt", "--model", "m.model"),
        ("eval", "--model", "m.model", "corpus.txt", "-o", "scores.txt"),  # its --model is read
    ],
)
def test_an_option_that_is_nothing_like_it_is_not_suggested(folder: Path, words: tuple[str, ...]) -> None:
    _, err = typed(folder, *words, status=2)
    assert "no such option" in err and "did you mean" not in err


def test_a_wrong_number_is_not_answered_with_a_model(folder: Path) -> None:
    _, err = typed(folder, "tag", "--threads", "x", "m.model", status=2)
    assert "--threads: expected an integer" in err and "did you mean" not in err


def test_rules_alone_tag_a_file_that_has_the_name_of_a_model(tmp_path: Path) -> None:
    (tmp_path / "my.toml").write_text('[[rule]]\nlabel = "SHIP"\nphrases = ["Titanic"]\n', "utf-8")
    (tmp_path / "en").write_text("the\nTitanic\n", "utf-8")
    out, _ = typed(tmp_path, "tag", "--rules", "my.toml", "en", "-q")
    assert "Titanic B-SHIP" in out


@pytest.mark.parametrize("first", ["columns", "jsonl"])
def test_labels_before_the_words_can_be_named(tmp_path: Path, first: str) -> None:
    pairs = [line.split() for line in SENTENCE.split("\n") if line]
    if first == "columns":
        given = ("corpus.txt", "--columns", "label,form")
        (tmp_path / "corpus.txt").write_text("".join(f"{y} {x}\n" for x, y in pairs) + "\n", "utf-8")
    else:
        given = ("corpus.jsonl",)
        record = {"labels": [y for _, y in pairs], "tokens": [x for x, _ in pairs]}
        (tmp_path / "corpus.jsonl").write_text(json.dumps(record) + "\n", "utf-8")
    out, _ = typed(tmp_path, "check", "--stats", *given, "--label", "label")
    assert "PER" in out
    _, err = typed(tmp_path, "check", "--stats", *given, "--label", "form", status=2)
    assert "found 'form', the words" in err


def test_texts_in_json_lines_are_tagged_even_if_the_format_is_named(folder: Path) -> None:
    texts = '{"text": "Anna visited Paris."}\n'
    (folder / "texts.jsonl").write_text(texts, "utf-8")
    out, err = typed(folder, "tag", "--model", "en", "texts.jsonl", "--format", "jsonl")
    assert json.loads(out)["tokens"] == ["Anna", "visited", "Paris", "."]
    assert "a list of texts" in err


@pytest.mark.parametrize(
    ("name", "expected"),
    [("x.unknown", "--to names a format"), ("x.csv", "--to names a format"), ("x.spacy", "--to names a format")],
)
def test_a_name_that_tells_no_format_is_not_written_as_columns(folder: Path, name: str, expected: str) -> None:
    _, err = typed(folder, "convert", "corpus.txt", name, status=2)
    assert expected in err and not (folder / name).exists()
    typed(folder, "convert", "corpus.txt", name, "--to", "columns")
    assert (folder / name).read_text("utf-8").startswith("Anna B-PER\n")
    (folder / name).unlink()


@pytest.mark.parametrize("name", ["x", "x.txt", "x.TXT", "x.conll", "x.iob2", "eng.train", "eng.testa", "x.dev.gz"])
def test_usual_names_of_column_files_need_no_format(folder: Path, tmp_path: Path, name: str) -> None:
    typed(folder, "convert", "corpus.txt", str(tmp_path / name))
    assert (tmp_path / name).exists()


def test_parts_of_speech_of_a_table_go_into_their_column_of_conllu(tmp_path: Path) -> None:
    rows = "Sentence #,Word,POS,Tag\nSentence: 1,Anna,NNP,B-PER\n,sings,VBZ,O\n"
    (tmp_path / "kaggle.csv").write_text(rows, "utf-8")
    typed(tmp_path, "convert", "kaggle.csv", "k.conllu")
    lines = (tmp_path / "k.conllu").read_text("utf-8").split("\n")
    assert "1\tAnna\t_\t_\tNNP\t_\t_\t_\t_\tLABEL=B-PER" in lines
    (tmp_path / "u.csv").write_text(rows.replace("NNP", "PROPN").replace("VBZ", "VERB"), "utf-8")
    typed(tmp_path, "convert", "u.csv", "u.conllu")
    assert "1\tAnna\t_\tPROPN\t_\t_\t_\t_\t_\tLABEL=B-PER" in (tmp_path / "u.conllu").read_text("utf-8").split("\n")


@pytest.mark.parametrize(
    ("rows", "command"),
    [
        ('Anna,B-PER\nsings,O\n",",O\n', ("check",)),
        ('Satz;Wort;Etikett\n1;Anna;B-PER\n1;";";O\n', ("train", "--model", "x.model", "--train")),
        ("Anna,B-PER\nNew York,B-LOC\n", ("train", "--model", "x.model", "--train")),
    ],
)
def test_a_table_without_a_known_header_is_told_with_quoted_separators(
    tmp_path: Path, rows: str, command: tuple[str, ...]
) -> None:
    (tmp_path / "a.csv").write_text(rows, "utf-8")
    out, err = typed(tmp_path, *command, "a.csv", status=1 if command == ("check",) else 2)
    assert "this looks like a table separated by" in " ".join((out + err).split())


def test_a_table_without_a_known_header_is_not_imported_as_words(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("Anna,B-PER\nsings,O\n", "utf-8")
    _, err = typed(tmp_path, "annotate", "p.ptag", "--import", "a.csv", "--labels", "PER", "--export", "o", status=2)
    assert "this looks like a table separated by commas" in err


def test_lists_in_the_cells_of_a_table_are_tokens(tmp_path: Path) -> None:
    rows = """tokens,ner_tags\n"['Anna', 'sings']","['B-PER', 'O']"\n"[""Ben""]","[""B-PER""]"\n"""
    (tmp_path / "frame.csv").write_text(rows, "utf-8")
    typed(tmp_path, "convert", "frame.csv", "out.txt")
    assert [line for line in (tmp_path / "out.txt").read_text("utf-8").split("\n") if "DOCSTART" not in line][:5] == [
        *("", "Anna B-PER", "sings O", "", "")
    ]


def test_cells_without_a_tag_between_tags_are_told(tmp_path: Path) -> None:
    (tmp_path / "k.csv").write_text("Sentence #,Word,Tag\n1,Anna,B-PER\n1,sings,O\n2,Sam,\n2,left,O\n", "utf-8")
    _, err = typed(tmp_path, "check", "k.csv")
    assert "k.csv:4: no tag in column 'tag': taken as O" in err


def test_columns_for_a_table_with_a_header_are_answered_with_its_own(tmp_path: Path) -> None:
    (tmp_path / "k.csv").write_text("Sentence #,Word,POS,Tag\n1,Anna,NNP,B-PER\n1,sings,VBZ,O\n", "utf-8")
    _, err = typed(tmp_path, "train", "--train", "k.csv", "--columns", "w,p,t", "--model", "m.model", status=2)
    assert "its first line names the columns" in err


def test_nan_is_explained(tmp_path: Path) -> None:
    (tmp_path / "frame.jsonl").write_text('{"text": NaN, "label": []}\n', "utf-8")
    out, _ = typed(tmp_path, "check", "frame.jsonl", status=1)
    assert "found NaN, which JSON does not have; null is for a missing value" in " ".join(out.split())


def test_answers_that_are_not_lists_are_told(tmp_path: Path) -> None:
    answers = [
        {"text": "Anna sings.", "entities": "none"},
        {"text": "Anna is in Oslo.", "entities": [{"text": "Oslo", "label": "LOC"}]},
    ]
    (tmp_path / "a.jsonl").write_text("".join(json.dumps(answer) + "\n" for answer in answers), "utf-8")
    _, err = typed(tmp_path, "check", "a.jsonl", status=2)
    assert "a.jsonl:1" in err and "'none'" in err


def test_a_name_in_another_spelling_leaves_its_sentence_without_labels(tmp_path: Path) -> None:
    answer = {"text": "Anna is in Köln.", "entities": {"PER": ["Anna"], "LOC": ["Koln"]}}
    (tmp_path / "a.jsonl").write_text(json.dumps(answer) + "\n", "utf-8")
    _, err = typed(tmp_path, "convert", "a.jsonl", "o.jsonl")
    assert "'Koln'" in err and "imported without labels" in err
    assert json.loads((tmp_path / "o.jsonl").read_text("utf-8"))["labels"] == ["B-PER", "_", "_", "_", "_"]


def test_unknown_labels_are_answered_with_their_setting(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text(SENTENCE * 4 + SENTENCE.replace(" B-LOC", " _"), "utf-8")
    _, err = typed(tmp_path, "train", "--train", "a.txt", "--model", "m.model", *FAST, status=2)
    assert "labels.missing=_" in err


def test_a_model_that_reads_tags_says_how_to_do_without(tmp_path: Path) -> None:
    rows = "".join(f"{line} X\n" if line else "\n" for line in SENTENCE.split("\n")[:-1])
    (tmp_path / "a.txt").write_text(rows * 4, "utf-8")
    (tmp_path / "t.txt").write_text("Anna sings in Oslo.\n", "utf-8")
    typed(tmp_path, "train", "-r", "ner", "--train", "a.txt", "--columns", "form,ner,pos", "--label", "ner",
          "--model", "m.model", "--set", "epochs=1", "--set", "inner_folds=0", "-q")  # fmt: skip
    _, err = typed(tmp_path, "tag", "--model", "m.model", "--tokenizer", "en", "t.txt", status=2)
    assert "column 'pos'" in err and "--recipe basic-ner" in err


def test_a_pipeline_does_not_replace_another_kind_of_file(folder: Path) -> None:
    before = (folder / "corpus.txt").read_bytes()
    _, err = typed(folder, "pipeline", "m.model", "-o", "corpus.txt", status=2)
    assert "corpus.txt" in err and (folder / "corpus.txt").read_bytes() == before


def test_training_does_not_replace_another_kind_of_file(folder: Path) -> None:
    _, err = typed(folder, "train", "--train", "corpus.txt", "--no-dev", "--model", "letter.txt", status=2)
    assert (
        "--model: expected a new file or a model to replace, found plain text: letter.txt; --overwrite replaces it"
        in err
    )
    assert (folder / "letter.txt").read_text("utf-8") == "Angela Merkel visited Paris.\n"


def test_a_model_does_not_replace_a_project(folder: Path) -> None:
    project = b"SQLite format 3\0" + bytes(52) + b"ptag" + bytes(28)
    (folder / "names.ptag").write_bytes(project)
    _, err = typed(folder, "train", "--no-dev", "--train", "corpus.txt", "--model", "names.ptag", status=2)
    assert (
        "--model: expected a new file or a model to replace, found a project: names.ptag; --overwrite replaces it"
        in err
    )
    assert (folder / "names.ptag").read_bytes() == project


def test_a_model_replaces_a_model_of_any_name(folder: Path) -> None:
    typed(folder, "pipeline", "m.model", "-o", "tagger", "-q")
    typed(folder, "train", "--train", "corpus.txt", "--no-dev", "--model", "tagger", "-q")


def test_tagging_does_not_write_over_rules(folder: Path) -> None:
    rules = '[[rule]]\nlabel = "CODE"\ntext = "[A-Z]{2}"\n'
    (folder / "rules.toml").write_text(rules, "utf-8")
    _, err = typed(folder, "tag", "-m", "en", "--rules", "rules.toml", "letter.txt", "-o", "rules.toml", status=2)
    assert "--output: rules.toml is also an input; writing it would destroy it" in err
    assert (folder / "rules.toml").read_text("utf-8") == rules


def test_eval_says_which_layer_it_scores(folder: Path) -> None:
    typed(folder, "pipeline", "a=m.model", "b=m.model", "-o", "two.pipeline", "-q")
    _, err = typed(folder, "eval", "--model", "two.pipeline", "--columns", "form,b", "corpus.txt")
    assert err == "note: b, the last layer, is scored; --layer chooses another one\n"
    assert (
        typed(folder, "eval", "--model", "two.pipeline", "--columns", "form,b", "--layer", "b", "corpus.txt")[1] == ""
    )


def test_a_pipeline_is_scored_on_the_column_label_if_none_has_the_name_of_its_layer(folder: Path) -> None:
    out, _ = typed(folder, "eval", "--model", "en", "--columns", "form,label", "corpus.txt")
    named, _ = typed(folder, "eval", "--model", "en", "--columns", "form,label", "--label", "label", "corpus.txt")
    assert "FB1" in out and out == named


def test_what_the_pages_name_needs_no_import_of_its_own(folder: Path) -> None:
    code = (
        "import perceptag; print(len(list(perceptag.text.read_columns('corpus.txt'))), perceptag.tables.__name__,"
        " perceptag.labels.schemes.convert(['B-A', 'I-A'], 'BILOU'))"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=folder, capture_output=True, text=True, check=False)
    assert done.stdout == "8 perceptag.tables ['B-A', 'L-A']\n", done.stderr


def test_a_bracketed_token_is_not_a_list(tmp_path: Path) -> None:
    (tmp_path / "x.csv").write_text("word,tag\n[1],O\nAnna,B-PER\n", "utf-8")
    typed(tmp_path, "convert", "x.csv", "x.txt", "-q")
    assert (tmp_path / "x.txt").read_text("utf-8").endswith("[1] O\nAnna B-PER\n\n")


def test_columns_beside_lists_of_tokens_and_tags_are_lists_or_reported_as_left_out(tmp_path: Path) -> None:
    rows = """id,tokens,pos_tags,ner_tags\n7,"['Anna', 'sings']","['NNP', 'VBZ']","['B-PER', 'O']"\n"""
    (tmp_path / "x.csv").write_text(rows, "utf-8")
    _, err = typed(tmp_path, "convert", "x.csv", "x.txt")
    assert "left out, since columns has no place for it: the key 'id'" in err
    assert "pos_tags" not in err
    assert "Anna NNP B-PER\n" in (tmp_path / "x.txt").read_text("utf-8")


def test_a_second_build_replaces_the_model_card_of_the_first(tmp_path: Path) -> None:
    (tmp_path / "xx.pipeline.md").write_text("# xx\n\nA pipeline, built by `perceptag build`.\n", "utf-8")
    (tmp_path / "treebank").mkdir()
    _, err = typed(tmp_path, "build", "--treebank", "treebank", "-o", "xx.pipeline", status=2)
    assert "treebank" in err and "xx.pipeline.md" not in err  # an empty folder is all that is wrong
