"""Lists of texts that are tagged, labels with spaces, cells of tables, empty arguments."""

import json
from pathlib import Path

import pytest

from command_line import check, run
from perceptag.errors import DataError
from perceptag.foreign.header_tables import read

LISTS = {
    "a.jsonl": '{"id": 1, "text": "Anna left Oslo."}\n{"text": "Bob ran.", "meta": {"by": "me"}}\n',
    "a.json": '[{"text": "Anna left Oslo."}, {"text": "Bob ran."}]',
    "a.csv": "id,text\n1,Anna left Oslo.\n2,Bob ran.\n",
}


# --- lists of texts ---


@pytest.mark.parametrize("name", LISTS)
def test_tag_takes_lists_of_texts(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(LISTS[name])
    done = run("tag", "--model", "en", tmp_path / name)
    assert f"note: {tmp_path / name}: a list of texts" in done.err
    found = [json.loads(line) for line in done.out.splitlines()]
    assert [one["tokens"] for one in found] == [["Anna", "left", "Oslo", "."], ["Bob", "ran", "."]]
    assert [one["document"] for one in found] == [1, 2]
    assert [span["text"] for span in found[0]["spans"]] == ["Anna", "Oslo"]


def test_a_list_is_not_replaced_and_a_model_without_a_tokeniser_is_told_how(tmp_path: Path) -> None:
    table = tmp_path / "a.csv"
    table.write_text(LISTS["a.csv"])
    assert run("tag", "--model", "en", table, "--in-place").status == 2
    assert table.read_text() == LISTS["a.csv"]
    (tmp_path / "pos.txt").write_text("Anna N\nran V\n\n" * 5)
    assert run("train", "--train", tmp_path / "pos.txt", "--model", tmp_path / "x.model", "-q").status == 0
    check(run("tag", "--model", tmp_path / "x.model", table), "'perceptag convert .*a.csv sentences.jsonl' makes")


def test_a_labelled_export_is_not_a_list_of_texts(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text('{"text": "Anna left.", "label": [[0, 4, "PER"]]}\n')
    check(run("tag", "--model", "en", tmp_path / "a.jsonl"), "recognised as doccano export; 'perceptag convert")
    assert run("convert", tmp_path / "a.jsonl", tmp_path / "b.jsonl").status == 0
    assert run("tag", "--model", "en", tmp_path / "b.jsonl", "-q").status == 0


# --- labels with spaces ---


@pytest.mark.parametrize("options", [(), ("--nbest", 1), ("--batch", 1)])
def test_labels_with_spaces_are_written_with_tabs(options: tuple[object, ...], tmp_path: Path) -> None:
    (tmp_path / "a.tsv").write_text("I\tB-Own Name\nhave\tO\n\n" * 5)
    model = ("--model", tmp_path / "x.model")
    assert run("train", "--train", tmp_path / "a.tsv", *model, "-q").status == 0
    done = run("tag", *model, "-", *options, stdin=b"I\nhave\n")
    assert "I\tB-Own Name\nhave\tO\n" in done.out, done.err


def test_a_file_named_tsv_has_tabs(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("I A\nhave B\n\n" * 5)
    model = ("--model", tmp_path / "x.model")
    assert run("train", "--train", tmp_path / "a.txt", *model, "-q").status == 0
    for name, separator in (("b.tsv", "\t"), ("b.txt", " ")):
        assert run("tag", *model, tmp_path / "a.txt", "-o", tmp_path / name, "-q").status == 0
        assert (tmp_path / name).read_text().startswith(f"I{separator}A\nhave{separator}B\n\n")


# --- cells of tables ---


def test_an_object_in_a_cell_is_not_a_row_of_tags() -> None:
    """It has as many blanks as the text has words."""
    table = 'text,entities\nBob left.,"{""PER"": [""Bob""]}"\n'
    (found,) = read(table, "a.csv")
    assert [(span.start, span.end, span.label) for span in found.first.spans] == [(0, 3, "PER")]
    with pytest.raises(DataError, match=r"a.csv:2: 'entities': expected 2 tags, one for each word, .*found 'Bob: PER'"):
        list(read("text,entities\nBob left.,Bob: PER\n", "a.csv"))
    (tagged,) = read("sentence,tags\nwell : yes,UH : UH\n", "a.csv")
    assert tagged.labels == ["UH", ":", "UH"]


# --- empty arguments ---


@pytest.mark.parametrize(
    "words", [("tag", "--model", "en", ""), ("tokenize", ""), ("check", ""), ("train", "--model", "x", "--train", "")]
)
def test_an_empty_name_of_a_file_is_refused(words: tuple[str, ...]) -> None:
    check(run(*words), "found an empty string; is a variable of the shell empty?")
