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


def test_short_texts_and_columns_without_a_name(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text(",text,score\n17,Anna flew to Oslo yesterday.,5\n18,Thanks!,3\n19,Ok,1\n")
    found = records(succeed("tag", "-m", "en", tmp_path / "a.csv").out)
    assert [one["text"] for one in found] == ["Anna flew to Oslo yesterday.", "Thanks!", "Ok"]
    assert (found[0]["column1"], found[0]["score"]) == ("17", "5")
    (tmp_path / "a.csv").write_text("id,text,label\n1,So great,positive\n2,So bad,negative\n3,Very good,positive\n")
    assert [one["label"] for one in records(succeed("tag", "-m", "en", tmp_path / "a.csv").out)][1] == "negative"
    assert run("train", "--train", tmp_path / "a.csv", "--no-dev", "-m", tmp_path / "x.model").status == 2


@pytest.mark.parametrize("to", ["conllu", "columns", "parquet"])
def test_keys_without_a_place_are_named(to: str, tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text(json.dumps({"id": 7, "text": TEXTS[0], "by": "Ann"}) + "\n")
    told = succeed("tag", "-m", "en", tmp_path / "a.jsonl", "--to", to, "-o", tmp_path / "a.out").err
    lost = {"conllu": {"id", "by"}, "columns": {"id", "by", "text", "offsets"}, "parquet": {"by"}}[to]
    named = told.partition(f"left out, since {to} has no place for it: ")[2].partition("\n")[0]
    assert set(named.split(", ")) == {f"the key {key!r}" for key in lost}


def test_texts_of_a_list_are_written_to_conllu_as_running_text_is(tmp_path: Path) -> None:
    text = "Anna Berg (Oslo) left.Then she came."
    (tmp_path / "a.jsonl").write_text(json.dumps({"text": text}) + "\n")
    out = succeed("tag", "-m", "en", tmp_path / "a.jsonl", "--to", "conllu").out
    same = succeed("tag", "-m", "en", "--to", "conllu", stdin=f"{text}\n".encode()).out
    assert out == same.replace("# newpar\n", "").replace("SpacesAfter=\\n|", "")  # one text ends as all do
    assert "# text = Anna Berg (Oslo) left.\n" in out


@pytest.mark.parametrize("header", ["sentence_id,token", "sentence;word", "id\tform", '"doc_id","token"'])
def test_a_table_of_words_has_sentences(header: str, tmp_path: Path) -> None:
    separator = next(sign for sign in ",;\t" if sign in header)
    (tmp_path / "a.csv").write_text(f"{header}\n1{separator}Anna\n1{separator}left\n")
    done = succeed("tag", "-m", "en", tmp_path / "a.csv")
    assert "a.csv: a table of words" in done.err
    assert [one["tokens"] for one in records(done.out)] == [["Anna", "left"]]


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
