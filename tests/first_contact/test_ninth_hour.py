"""Labels under another name in dev data, comments in files to annotate, headers, empty and scattered cells."""

import json
from pathlib import Path

import pytest

from command_line import run, succeed
from perceptag import Tagger

RECORDS = [
    {"tokens": ["Ann", "saw", "Rome"], "tags": ["B-PER", "O", "B-LOC"]},
    {"tokens": ["Bob", "met", "Eve"], "tags": ["B-PER", "O", "B-PER"]},
] * 6


def lines_of(path: Path, name: str) -> Path:
    lines = (json.dumps({"tokens": record["tokens"], name: record["tags"]}) for record in RECORDS)
    path.write_text("\n".join(lines) + "\n")
    return path


# --- labels of dev data under another of their usual names ---


def columns_of(path: Path) -> Path:
    rows = ("".join(f"{a} {b}\n" for a, b in zip(r["tokens"], r["tags"], strict=True)) for r in RECORDS)
    path.write_text("\n".join(rows))
    return path


@pytest.mark.parametrize("name", ["ner_tags", "labels", "tags"])
def test_dev_labels_have_another_usual_name(tmp_path: Path, name: str) -> None:
    train, dev = columns_of(tmp_path / "train.txt"), lines_of(tmp_path / "dev.jsonl", name)
    told = succeed("train", "--train", train, "--dev", dev, "-m", tmp_path / "a.model").err
    assert f"dev: {len(RECORDS)} sentences" in told
    same = succeed("train", "--train", train, "--dev", train, "-m", tmp_path / "b.model").err
    assert told.splitlines()[-1].split("a.model")[1] == same.splitlines()[-1].split("b.model")[1]


def test_training_labels_have_another_usual_name(tmp_path: Path) -> None:
    train, dev = lines_of(tmp_path / "train.jsonl", "ner_tags"), columns_of(tmp_path / "dev.txt")
    assert (
        f"dev: {len(RECORDS)} sentences"
        in succeed("train", "--train", train, "--dev", dev, "-m", tmp_path / "a.model").err
    )


def test_dev_data_without_labels_is_refused(tmp_path: Path) -> None:
    train, dev = columns_of(tmp_path / "train.txt"), lines_of(tmp_path / "dev.jsonl", "remarks")
    result = run("train", "--train", train, "--dev", dev, "-m", tmp_path / "a.model")
    assert result.status == 2
    assert "dev.jsonl" in result.err and "label" in result.err
    assert not (tmp_path / "a.model").exists()


# --- comments in files that are annotated ---

COMMENTED = "# id 7\nAnn B-PER\nsaw O\n\n# id 8\nRome B-LOC\n"


@pytest.mark.parametrize("labels", [(), ("--labels", "PER,LOC")])
def test_comments_are_not_sentences_to_annotate(tmp_path: Path, labels: tuple[str, ...]) -> None:
    source, project, back = tmp_path / "a.txt", tmp_path / "a.ptag", tmp_path / "back.txt"
    source.write_text(COMMENTED)
    options = ("--import", source, "--comment", "# id", *labels)
    told = succeed("annotate", project, *options, "--export", back).err
    assert "2 sentences, 2 of them labelled" in told
    assert back.read_text() == COMMENTED


def test_comments_of_other_formats_are_refused(tmp_path: Path) -> None:
    source = lines_of(tmp_path / "a.jsonl", "labels")
    result = run("annotate", tmp_path / "a.ptag", "--import", source, "--comment", "#", "--format", "jsonl")
    assert result.status == 2
    assert "--comment: expected a column file" in result.err
    assert not (tmp_path / "a.ptag").exists()


# --- tables and headers ---


@pytest.mark.parametrize("command", [["check"], ["train", "-m", "none.model", "--train"]])
def test_names_of_columns_are_not_a_token(tmp_path: Path, command: list[str]) -> None:
    file = tmp_path / "a.txt"
    file.write_text("token tag\n" + "Ann NNP\nran VBD\n\n" * 5)
    result = run(*command, file)
    assert result.status == (1 if command == ["check"] else 2)
    assert "names of columns, not like a token: token tag; delete the line" in result.out + result.err


@pytest.mark.parametrize("first", ["The DT", "Word NN", "token NN"])
def test_words_that_may_name_columns_are_tokens(tmp_path: Path, first: str) -> None:
    file = tmp_path / "a.txt"
    file.write_text(f"{first}\nran VBD\n\n" * 5)
    succeed("check", file)


def test_an_empty_cell_among_tags_of_words_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "a.csv"
    file.write_text("sentence_id,token,label\n1,Anna,NNP\n1,sings,\n2,Bob,NNP\n2,ran,VBD\n")
    result = run("convert", file, "-", "--to", "inline")
    assert result.status == 2
    assert "a.csv:3: expected a tag in column 'label', found none" in result.err


@pytest.mark.parametrize(("tag", "is_told"), [("O", True), ("B-LOC", False)])
def test_an_empty_cell_among_spans_is_outside(tmp_path: Path, tag: str, is_told: bool) -> None:
    file = tmp_path / "a.csv"
    file.write_text(f"sentence_id,token,label\n1,Anna,B-PER\n1,sings,\n1,.,{tag}\n")
    result = succeed("convert", file, "-", "--to", "inline")
    assert result.out == f"Anna/B-PER sings/O ./{tag}\n"
    assert ("a.csv:3: no tag in column 'label': taken as O" in result.err) == is_told


def test_tables_of_types_have_no_tag_outside_of_spans(tmp_path: Path) -> None:
    file = tmp_path / "a.csv"
    file.write_text("token,label\nAnna,PER\nsings,\nin,\nRome,LOC\nnow,\n")
    assert succeed("convert", file, "-", "--to", "inline").out == "Anna/PER sings/O in/O Rome/LOC now/O\n"


def test_scattered_rows_of_a_sentence_are_told(tmp_path: Path) -> None:
    file = tmp_path / "a.csv"
    file.write_text("sentence_id,token,label\n1,Anna,B-PER\n2,Bob,B-PER\n1,sings,O\n2,ran,O\n")
    result = succeed("convert", file, "-", "--to", "inline", "-q")
    assert "a.csv:4: sentence '1' has rows further up, too: it is read as another sentence" in result.err


# --- labels that are not known ---


@pytest.mark.parametrize("every", [2, 3, 10])
def test_unknown_labels_among_spans_are_refused_however_many_there_are(tmp_path: Path, every: int) -> None:
    labels = [label for record in RECORDS for label in record["tags"]]
    mixed = ["_" if i % every == 1 else label for i, label in enumerate(labels)]
    file = tmp_path / "a.txt"
    file.write_text("".join(f"w{i} {label}\n" + "\n" * (i % 6 == 5) for i, label in enumerate(mixed)))
    result = run("train", "--train", file, "--no-dev", "-m", tmp_path / "a.model")
    assert result.status == 2
    assert "a.txt:2: _ is not a label of IOB2; --set labels.missing=_" in result.err
    assert not (tmp_path / "a.model").exists()
    succeed("train", "--train", file, "--no-dev", "-m", tmp_path / "a.model", "--set", "labels.missing=_")


def test_unknown_tags_of_words_are_told(tmp_path: Path) -> None:
    file = tmp_path / "a.txt"
    file.write_text("Ann NNP\nran _\nhome NN\n\n" * 5)
    told = succeed("train", "--train", file, "--no-dev", "-m", tmp_path / "a.model").err
    assert "warning: '_' (5 times) is learned as a label; --set labels.missing=_ (labels_missing='_')" in told
    with pytest.warns(UserWarning, match=r"'_' \(5 times\) is learned as a label; .*labels_missing='_'"):
        Tagger("pos").fit([["Ann", "ran", "home"]] * 5, [["NNP", "_", "NN"]] * 5)


def test_cells_without_a_tag_of_words_are_told(tmp_path: Path) -> None:
    file = tmp_path / "a.csv"
    file.write_text("sentence_id,word,pos\n" + "".join(f"{n},Ann,NNP\n{n},ran,\n{n},home,NN\n" for n in range(5)))
    assert (
        "'_' (5 times) is learned as a label"
        in succeed("train", "--train", file, "--no-dev", "-m", tmp_path / "a.model").err
    )
