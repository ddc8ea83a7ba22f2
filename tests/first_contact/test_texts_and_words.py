"""Texts under any name, in tables, JSON and pipes; tables of words; notes on losses with -q and --out-dir."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from command_line import run, succeed

TEXTS = ["Anna left Oslo.", "Bob sings."]
WORDS = [["Anna", "left", "Oslo", "."], ["Bob", "sings", "."]]


def piped(content: str, *arguments: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "perceptag", *map(str, arguments)]
    return subprocess.run(command, input=content, capture_output=True, text=True, check=False)


def records(output: str) -> list[dict[str, object]]:
    return [json.loads(line) for line in output.splitlines()]


CONTENTS = {
    "a.json": json.dumps(TEXTS),
    "a.jsonl": "".join(json.dumps({"id": n, "text": text}) + "\n" for n, text in enumerate(TEXTS)),
    "a.csv": "id,text,label\n" + "".join(f"{n},{text},positive\n" for n, text in enumerate(TEXTS)),
}


@pytest.mark.parametrize("name", list(CONTENTS))
def test_lists_of_texts_are_tagged_from_files_and_pipes(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text(CONTENTS[name])
    from_file = succeed("tag", "-m", "en", tmp_path / name)
    assert [one["tokens"] for one in records(from_file.out)] == WORDS
    from_pipe = piped(CONTENTS[name], "tag", "-m", "en")
    assert from_pipe.returncode == 0 and from_pipe.stdout == from_file.out
    assert "<stdin>: a list of texts" in from_pipe.stderr


def test_the_class_of_a_text_is_kept(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text(CONTENTS["a.csv"])
    assert [one["label"] for one in records(succeed("tag", "-m", "en", tmp_path / "a.csv").out)] == ["positive"] * 2


def test_texts_of_classes_are_not_training_data(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text(CONTENTS["a.csv"])
    result = run("train", "--train", tmp_path / "a.csv", "--no-dev", "-m", tmp_path / "x.model")
    assert result.status == 2 and "a.csv" in result.err and not (tmp_path / "x.model").exists()


def test_a_sentence_in_a_pipe_of_json_lines_is_not_running_text() -> None:
    result = piped('{"tokens": ["Anna", "left"]}\n', "tag", "-m", "en")
    assert [one["tokens"] for one in records(result.stdout)] == [["Anna", "left"]]


def test_running_text_with_commas_is_no_table() -> None:
    result = piped("In a word, text is fine.\nBob sings.\n", "tag", "-m", "en", "--to", "text")
    assert result.stdout.split()[:4] == ["In", "a", "word", ","]


def test_a_list_of_tokens_is_no_list_of_texts(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text('["Anna", "left"]\n["New York", "sleeps"]\n')
    assert [one["tokens"] for one in records(succeed("tag", "-m", "en", tmp_path / "a.jsonl").out)] == [
        ["Anna", "left"],
        ["New York", "sleeps"],
    ]


@pytest.mark.parametrize("command", ["tag", "convert"])
def test_the_user_names_the_column_of_the_texts(tmp_path: Path, command: str) -> None:
    file = tmp_path / "a.csv"
    file.write_text("id,complaint\n" + "".join(f"{n},{text}\n" for n, text in enumerate(TEXTS)))
    how = ("tag", "-m", "en", file) if command == "tag" else ("convert", file, "-", "--to", "jsonl")
    refused = run(*how)
    assert refused.status == 2 and "--text NAME names the" in refused.err
    found = records(succeed(*how, "--text", "complaint").out)
    assert [one["tokens"] for one in found] == WORDS
    assert [one["id"] for one in found] == ["0", "1"]
    wrong = run(*how, "--text", "body")
    assert wrong.status == 2 and "expected a column or key 'body', found 'id', 'complaint'" in wrong.err


def test_the_user_names_the_key_of_the_texts(tmp_path: Path) -> None:
    file = tmp_path / "a.jsonl"
    file.write_text("".join(json.dumps({"text": "title", "body": text}) + "\n" for text in TEXTS))
    found = records(succeed("tag", "-m", "en", file, "--text", "body").out)
    assert [(one["tokens"], one["text_"]) for one in found] == [(words, "title") for words in WORDS]
    succeed("tag", "-m", "en", file, "--text", "body", "--out-dir", tmp_path / "out")
    assert records((tmp_path / "out" / "a.jsonl").read_text()) == found


def test_names_of_the_texts_are_taken_by_train(tmp_path: Path) -> None:
    file = tmp_path / "a.csv"
    file.write_text("body,entities\n" + 'Anna left,"[[0, 4, ""PER""]]"\n' * 4)
    result = succeed(
        "train", "--train", file, "--text", "body", "--no-dev", "-r", "basic-ner", "-m", tmp_path / "x.model"
    )
    assert "table with a header, 4 texts" in result.err


def test_a_column_for_something_else_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("Anna B-PER\nleft O\n")
    result = run("train", "--train", tmp_path / "a.txt", "--text", "body", "-m", tmp_path / "x.model")
    assert result.status == 2 and "--text: expected a column or key 'body'" in result.err


@pytest.mark.parametrize("way", [["-q"], ["-q", "--out-dir"]])
def test_losses_are_said_even_if_quiet(tmp_path: Path, way: list[str]) -> None:
    file = tmp_path / "a.jsonl"
    file.write_text(json.dumps({"tokens": ["Anna", "left"], "source": "web"}) + "\n")
    where = [*way, tmp_path / "out"] if "--out-dir" in way else way
    result = succeed("tag", "-m", "en", file, "--to", "conllu", *where)
    assert result.err.strip() == "note: left out, since conllu has no place for it: the key 'source'"


def test_documents_of_brat_have_the_names_of_their_files(tmp_path: Path) -> None:
    for name in ("one", "two/one"):
        (tmp_path / "brat" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "brat" / f"{name}.txt").write_text("Anna left.")
        (tmp_path / "brat" / f"{name}.ann").write_text("T1\tPER 0 4\tAnna\n")
    found = records(succeed("convert", tmp_path / "brat", "-", "--to", "jsonl").out)
    assert [one["document"] for one in found] == ["one", "two/one"]
    single = records(succeed("convert", tmp_path / "brat" / "two" / "one.ann", "-", "--to", "jsonl").out)
    assert [one["document"] for one in single] == ["one"]


def test_types_of_names_without_b_and_i_are_noticed(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("Anna PER\nleft O\nearly O\ntoday O\n\n" * 4)
    result = succeed("train", "--train", tmp_path / "a.txt", "--no-dev", "-m", tmp_path / "x.model")
    assert "spans need labels such as B-PER and I-PER" in result.out + result.err
