"""Tables of words without labels, empty cells, keys with the names of layers, further columns in CoNLL-U."""

import json
from pathlib import Path

import pytest

from command_line import succeed


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("model")
    (folder / "train.txt").write_text("Anna B-PER\nleft O\n\n" * 4)
    succeed("train", "--train", folder / "train.txt", "--no-dev", "-r", "basic-ner", "-m", folder / "a.model")
    return folder / "a.model"


@pytest.mark.parametrize("header", ["sentence_id,token", "sentence;word", "id\tform", '"doc_id","token"'])
def test_a_table_of_words_is_read_as_sentences(tmp_path: Path, model: Path, header: str) -> None:
    file = tmp_path / "a.csv"
    separator = next(sign for sign in ",;\t" if sign in header)
    file.write_text(f"{header}\n1{separator}Anna\n1{separator}left\n")
    result = succeed("tag", "-m", model, file)
    assert "a.csv: a table of words" in result.err
    record = json.loads(result.out)
    assert (record["tokens"], record["labels"]) == (["Anna", "left"], ["B-PER", "O"])


def test_a_sentence_without_tags_has_the_words_of_the_others(tmp_path: Path) -> None:
    file = tmp_path / "a.csv"
    file.write_text("sentence,tags\nAnna didn't go,B-PER O O\nBob didn't go,\n")
    result = succeed("convert", file, "-", "--to", "inline", "-q")
    assert result.out == "Anna/B-PER didn't/O go/O\nBob/O didn't/O go/O\n"
    assert "a.csv:3: nothing in column 'tags': taken as O" in result.err


def test_a_text_without_spans_in_a_table_is_noted(tmp_path: Path) -> None:
    file = tmp_path / "a.csv"
    file.write_text('text,entities\nAnna left,"[[0, 4, ""PER""]]"\nBob left,\n')
    result = succeed("convert", file, "-", "--to", "inline", "-q")
    assert result.out == "Anna/B-PER left/O\nBob/O left/O\n"
    assert "a.csv:3: nothing in column 'entities': taken as O" in result.err


def test_a_row_with_an_id_and_no_word_starts_a_sentence(tmp_path: Path) -> None:
    file = tmp_path / "a.csv"
    file.write_text("Sentence #,Word,Tag\nSentence: 1,Bob,B-PER\n,left,O\nSentence: 2,,\n,Eva,B-PER\n")
    assert succeed("convert", file, "-", "--to", "inline").out == "Bob/B-PER left/O\nEva/B-PER\n"


@pytest.mark.parametrize("record", [{"text": "Anna left"}, {"tokens": ["Anna", "left"]}])
def test_keys_with_the_name_of_a_layer_are_noted(tmp_path: Path, record: dict[str, object]) -> None:
    file = tmp_path / "a.jsonl"
    file.write_text(json.dumps({**record, "values": "mine"}) + "\n")
    result = succeed("tag", "-m", "en", file)
    assert json.loads(result.out)["values"] == ["O", "O"]
    assert "left out: the key 'values', which has the name of a layer" in result.err


def test_each_key_is_noted_once_and_labels_are_no_such_keys(tmp_path: Path) -> None:
    file = tmp_path / "a.jsonl"
    records = [{}, {"ner": ["B-PER", "O"]}, {"values": "mine", "ner": ["B-PER", "O"]}, {"values": 3, "upos": 1}]
    file.write_text("".join(json.dumps({"tokens": ["Anna", "left"], **record}) + "\n" for record in records))
    noted = [line for line in succeed("tag", "-m", "en", file).err.splitlines() if "left out" in line]
    assert [line.partition("the key ")[2].partition(",")[0] for line in noted] == ["'values'", "'upos'"]


def test_further_columns_go_into_misc(tmp_path: Path) -> None:
    file = tmp_path / "a.jsonl"
    file.write_text('{"tokens": ["Anna", "left"], "labels": ["B-X", "O"], "chunk": ["B-NP", "B-VP"]}\n')
    out = succeed("tag", "-m", "en", file, "--to", "conllu").out
    assert "1\tAnna\t_\tPROPN\tNNP\t_\t_\t_\t_\t" in out
    assert "LABEL=B-X" in out and "CHUNK=B-VP" in out and "NER=B-PER" in out


def test_texts_may_have_lists_of_words_or_numbers(tmp_path: Path) -> None:
    file = tmp_path / "a.jsonl"
    file.write_text('{"id": 1, "text": "Anna left", "keywords": ["a", "b"], "sizes": [1, 2]}\n')
    result = succeed("tag", "-m", "en", file)
    assert json.loads(result.out)["tokens"] == ["Anna", "left"]
    assert "'keywords', 'sizes'" in result.err


@pytest.mark.parametrize(
    ("name", "text"), [("a.csv", "id,text\n1,Anna left.\n"), ("a.jsonl", '{"text": "Anna left."}\n')]
)
@pytest.mark.parametrize("options", [(), ("--encoding", "utf-16")])
def test_lists_of_texts_may_be_utf_16(tmp_path: Path, name: str, text: str, options: tuple[str, ...]) -> None:
    file = tmp_path / name
    file.write_text(text, encoding="utf-16")
    out = succeed("tag", "-m", "en", file, "--to", "jsonl", *options).out
    assert json.loads(out)["tokens"] == ["Anna", "left", "."]


# --- what another format has no place for ---


@pytest.mark.parametrize("to", ["conllu", "jsonl"])
def test_comments_that_are_lost_are_noted(tmp_path: Path, model: Path, to: str) -> None:
    file = tmp_path / "a.txt"
    file.write_text("# sent_id = s1\nAnna B-PER\nleft O\n")
    told = f"left out, since {to} has no place for it: comments"
    assert told in succeed("convert", file, tmp_path / f"a.{to}", "--comment", "#").err
    assert told in succeed("tag", "-m", model, file, "--comment", "#", "--to", to).err
    assert "left out" not in succeed("tag", "-m", model, file, "--comment", "#").err


def test_comments_of_conllu_that_are_lost_are_noted(tmp_path: Path) -> None:
    file = tmp_path / "a.conllu"
    file.write_text("# sent_id = s1\n1\tAnna\t_\t_\t_\t_\t_\t_\t_\t_\n\n")
    told = "left out, since jsonl has no place for it: comments and other lines of CoNLL-U"
    assert told in succeed("tag", "-m", "en", file, "--to", "jsonl").err
    assert "left out" not in succeed("tag", "-m", "en", file).err


@pytest.mark.parametrize(("space", "is_told"), [("\\n\\n", True), (" ", False)])
def test_wide_space_between_sentences_is_noted(tmp_path: Path, space: str, is_told: bool) -> None:
    file = tmp_path / "a.jsonl"
    file.write_text(f'{{"text": "Anna left.{space}Bob is in Oslo."}}\n')
    told = "white space of several characters between sentences"
    for command in (("convert", file, tmp_path / "a.conllu"), ("tag", "-m", "en", file, "--to", "conllu")):
        assert (told in succeed(*command).err) == is_told
