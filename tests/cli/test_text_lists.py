"""Lists of texts as input of ``tag``: in JSON, tables and pipes; each is a document, and keeps what the file says."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from command_line import run, succeed
from typed_commands import typed

TEXTS = ["Anna left Oslo.", "Bob sat. He ate."]
WORDS = [["Anna", "left", "Oslo", "."], ["Bob", "sat", "."], ["He", "ate", "."]]
LISTS = {
    "a.json": json.dumps([{"id": str(n), "text": text} for n, text in enumerate(TEXTS)]),
    "a.jsonl": "".join(json.dumps({"id": str(n), "text": text}) + "\n" for n, text in enumerate(TEXTS)),
    "a.csv": "id,text\n" + "".join(f"{n},{text}\n" for n, text in enumerate(TEXTS)),
    "a.tsv": "id\ttext\n" + "".join(f"{n}\t{text}\n" for n, text in enumerate(TEXTS)),
}


def records(output: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in output.splitlines()]


@pytest.mark.parametrize("name", LISTS)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_each_text_is_a_document_with_its_keys(name: str, encoding: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(LISTS[name], encoding)
    done = succeed("tag", "-m", "en", tmp_path / name)
    found = records(done.out)
    assert f"{name}: a list of texts" in done.err
    assert [one["tokens"] for one in found] == WORDS
    assert [(one["document"], one["id"]) for one in found] == [(1, "0"), (2, "1"), (2, "1")]
    assert [span["text"] for span in found[0]["spans"]] == ["Anna", "Oslo"]


@pytest.mark.parametrize("name", LISTS)
def test_a_pipe_is_recognised_as_a_file_is(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(LISTS[name])
    out, err = typed(tmp_path, "tag", "-m", "en", stdin=LISTS[name].encode())
    assert out == succeed("tag", "-m", "en", tmp_path / name).out
    assert "<stdin>: a list of texts" in err


@pytest.mark.parametrize("name", ["a.csv", "a.jsonl"])
@pytest.mark.parametrize("options", [(), ("--to", "conllu"), ("--to", "columns")])
def test_a_folder_of_parts_has_the_same_labels(name: str, options: tuple[str, ...], tmp_path: Path) -> None:
    (tmp_path / name).write_text(LISTS[name])
    alone = succeed("tag", "-m", "en", tmp_path / name, *options).out
    succeed("tag", "-m", "en", tmp_path / name, *options, "--out-dir", tmp_path / "out", "--part-size", "0.001")
    (written,) = (tmp_path / "out").glob("a.*")
    assert written.read_text() == alone
    assert written.suffix == {"conllu": ".conllu", "columns": ".txt"}.get(options[-1] if options else "", ".jsonl")


def test_a_list_is_not_replaced(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text(LISTS["a.csv"])
    assert run("tag", "-m", "en", tmp_path / "a.csv", "--in-place").status == 2
    assert (tmp_path / "a.csv").read_text() == LISTS["a.csv"]


@pytest.mark.parametrize("command", ["tag", "convert"])
def test_the_user_names_the_column_of_the_texts(command: str, tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text(LISTS["a.csv"].replace("text", "complaint"))
    end = ("-", "--to", "jsonl") if command == "convert" else ("-m", "en")
    assert run(command, tmp_path / "a.csv", *end).status == 2
    found = records(succeed(command, tmp_path / "a.csv", *end, "--text", "complaint").out)
    assert [(one["tokens"], one["id"]) for one in found] == list(zip(WORDS, "011", strict=True))


def test_the_user_names_the_key_of_the_texts(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text(json.dumps({"text": "title", "body": TEXTS[0]}) + "\n")
    found = records(succeed("tag", "-m", "en", tmp_path / "a.jsonl", "--text", "body").out)
    assert [(one["tokens"], one["text_"]) for one in found] == [(WORDS[0], "title")]
    succeed("tag", "-m", "en", tmp_path / "a.jsonl", "--text", "body", "--out-dir", tmp_path / "out")
    assert records((tmp_path / "out" / "a.jsonl").read_text()) == found


KEYS = {
    "an object": ({"user": {"name": "x"}}, True),
    "a list of words": ({"keywords": ["a", "b"]}, False),
    "the class of a text": ({"label": "positive"}, True),
    "a number": ({"score": 5}, True),
    "text under the name of spans": ({"spans": "of mine"}, False),
}


@pytest.mark.parametrize("name", KEYS)
def test_other_keys_are_kept_or_named(name: str, tmp_path: Path) -> None:
    more, is_kept = KEYS[name]
    (tmp_path / "a.jsonl").write_text(json.dumps({"text": TEXTS[0], **more}) + "\n")
    done = succeed("tag", "-m", "en", tmp_path / "a.jsonl", *(("--text", "text") if "class" in name else ()))
    (found,) = records(done.out)
    assert found["tokens"] == WORDS[0]
    (key, value), *_ = more.items()
    assert (found.get(key) == value) == is_kept and (is_kept or repr(key) in done.err)


def test_lists_of_tokens_are_no_texts(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text('["Anna", "left"]\n["New York", "sleeps"]\n')
    found = records(succeed("tag", "-m", "en", tmp_path / "a.jsonl").out)
    assert [one["tokens"] for one in found] == [["Anna", "left"], ["New York", "sleeps"]]
    out, _ = typed(tmp_path, "tag", "-m", "en", stdin=b'{"tokens": ["Anna", "left"]}\n')
    assert records(out)[0]["tokens"] == ["Anna", "left"]


def test_text_that_looks_like_a_table_or_json_is_text() -> None:
    for text in (b"In a word, text is fine.\nBob sings.\n", b"[1] Anna lives in Rome.\n"):
        out = succeed("tag", "-m", "en", "--to", "text", stdin=text).out
        assert "".join(out.split()) == "".join(text.decode().split())


def test_other_columns_go_into_misc(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text(
        '{"tokens": ["Anna", "left"], "labels": ["B-X", "O"], "chunk": ["B-NP", "B-VP"]}\n'
    )
    out = succeed("tag", "-m", "en", tmp_path / "a.jsonl", "--to", "conllu").out
    assert "1\tAnna\t_\tPROPN\tNNP\t_\t_\t_\t_\t" in out
    assert "LABEL=B-X" in out and "CHUNK=B-VP" in out and "NER=B-PER" in out
