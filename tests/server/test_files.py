"""``/v1/tag`` for files: byte for byte what `perceptag tag` writes."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from asked import Asked, Reply, asked, folder, model_paths
from command_line import CORPUS, run, succeed
from pipelines import TEXT

FIELD = st.sampled_from(["Angela", "dog", "é", "#", "-DOCSTART-", "1", "_", "B-PER", "\u00a0"])
LINES = st.lists(st.sampled_from(["", " ", "\t"]) | st.lists(FIELD, min_size=1, max_size=3).map(" ".join), max_size=12)
PLAIN = "".join(f"{line.split(' ')[0]}\n" for line in (CORPUS / "dev.txt").read_text("utf-8").splitlines())
CONLLU = """\
# sent_id = 1
# text = didn't bark
1-2\tdidn't\t_\t_\t_\t_\t_\t_\t_\t_
1\tdid\tdo\t_\t_\t_\t_\t_\t_\t_
2\tn't\tnot\t_\t_\t_\t_\t_\t_\tSpaceAfter=No
3\tbark\tbark\t_\t_\t_\t_\t_\t_\t_

"""


def ask(data: bytes, query: str, format_: str = "columns") -> Reply:
    return asked()("POST", f"/v1/tag?{query}", data, kind=f"text/plain; format={format_}")


@pytest.mark.parametrize(
    ("model", "format_", "query", "options"),
    [
        ("pos", "columns", "", ()),
        ("pos", "columns", "confidence=1", ("--confidence",)),
        ("pos", "columns", "nbest=3&to=conllu&label=xpos", ("--nbest", 3, "--to", "conllu", "--label", "xpos")),
        ("pos", "columns", "to=jsonl&min_confidence=0.9", ("--to", "jsonl", "--min-confidence", 0.9)),
        ("documents", "columns", "", ()),
        ("chunks", "columns", "label=np", ("--label", "np")),
        ("text", "columns", "layer=pos", ("--layer", "pos")),
        ("text", "columns", "", ()),
    ],
)
def test_a_column_file(model: str, format_: str, query: str, options: tuple[object, ...]) -> None:
    reply = ask(PLAIN.encode(), f"model={model}&{query}", format_)
    done = succeed("tag", "-m", model_paths()[model], "--format", format_, *options, "-q", stdin=PLAIN.encode())
    assert (reply.status, reply.body.decode()) == (200, done.out)
    assert reply.headers["content-type"] == "text/plain; charset=utf-8"


def test_conllu_and_text() -> None:
    reply = ask(CONLLU.encode(), "model=pos&label=xpos", "conllu")
    options = ("--format", "conllu", "--label", "xpos", "-q")
    done = succeed("tag", "-m", model_paths()["pos"], *options, stdin=CONLLU.encode())
    assert (reply.status, reply.body.decode()) == (200, done.out)
    for to in ("columns", "conllu", "jsonl", "inline"):
        text = ask(TEXT.encode(), f"model=text&to={to}", "text")
        done = succeed("tag", "-m", model_paths()["text"], "--to", to, "-q", stdin=TEXT.encode())
        assert (text.status, text.body.decode()) == (200, done.out)


def test_labels_that_are_given_are_kept() -> None:
    data = b"The _\ndog NN\nbarks _\n"
    reply = ask(data, "model=pos&keep_given=1")
    done = succeed("tag", "-m", model_paths()["pos"], "--keep-given", "-q", stdin=data)
    assert (reply.status, reply.body.decode()) == (200, done.out)


@settings(max_examples=60, deadline=None)
@given(LINES, st.sampled_from(["\n", "\r\n", "\r"]), st.booleans())
def test_any_lines_give_the_same_bytes_or_the_same_message(lines: list[str], end: str, last: bool) -> None:
    data = (end.join(lines) + end * last).encode()
    reply = ask(data, "model=pos")
    path = folder() / "any.txt"
    path.write_bytes(data)
    done = run("tag", "-m", model_paths()["pos"], path, "-q")
    if done.status == 0:
        assert (reply.status, reply.body.decode()) == (200, done.out)
    else:
        assert reply.status == 422
        message = done.err.removeprefix("perceptag: error: ").rstrip("\n").replace(str(path), "body")
        assert reply.json()["detail"] == re.sub(
            r"('perceptag [^']*')|--", r"\1", message
        )  # commands keep their options


def test_mistakes_name_the_line() -> None:
    reply = ask(b"The\ndog NN 3 4\n", "model=pos")
    assert reply.json()["where"] == {"line": 2}
    assert ask(b"\xff\n", "model=pos").json()["where"] == {"line": 1}


@pytest.mark.parametrize("charset", ["latin-1", "ISO-8859-1", '"windows-1252"', "utf-16", "utf-8"])
def test_a_file_in_another_encoding_gives_the_same_reply(charset: str) -> None:
    text = "Jürgen\nmet\nÅsa\n"
    usual = ask(text.encode(), "model=pos")
    assert "Jürgen" in usual.body.decode()
    assert ask(text.encode(charset.strip('"')), "model=pos", f"columns; charset={charset}").body == usual.body


def test_the_encoding_of_files_without_a_charset() -> None:
    text = "Jürgen\n"
    usual = ask(text.encode(), "model=pos").body
    assert ask(text.encode("utf-16"), "model=pos").body == usual  # its mark shows it
    server = Asked(model_paths())
    server.service.encoding = "latin-1"
    assert server("POST", "/v1/tag?model=pos", text.encode("latin-1"), kind="text/plain; format=columns").body == usual
    told = "text/plain; format=columns; charset=utf-8"
    assert server("POST", "/v1/tag?model=pos", text.encode(), kind=told).body == usual


def test_a_file_is_counted_before_it_is_read() -> None:
    assert ask(b"a\n" * 200_001, "model=pos").status == 413
    assert ask(b"a\n" * 5_001, "model=pos").json()["limit"] == "sentence_tokens"
    assert ask(b"a\n\n" * 10_001, "model=pos").json()["limit"] == "sentences"
    assert ask(b"a" * 1_000_001, "model=text", "text").json()["limit"] == "text"
    assert not Path("a").exists()


@pytest.mark.parametrize("format_", ["columns", "conllu", "jsonl", "text"])
def test_every_format_has_the_same_limits(format_: str) -> None:
    long, many = "a" * 1_001, ["a"] * 5_001

    def limit_of(tokens: list[str]) -> object:
        lines = {
            "columns": "".join(f"{token}\n" for token in tokens),
            "conllu": "".join(f"{i}\t{token}{chr(9)}_{chr(9)}_{chr(9)}_{chr(9)}_{chr(9)}_{chr(9)}_{chr(9)}_{chr(9)}_\n"
                              for i, token in enumerate(tokens, 1)),
            "jsonl": json.dumps({"tokens": tokens}) + "\n",
            "text": " ".join(tokens) + "\n",
        }  # fmt: skip
        model = "text" if format_ == "text" else "pos"
        found = ask(lines[format_].encode(), f"model={model}&label=xpos", format_)
        return found.json().get("limit") if found.status in (413, 422) else found.status

    assert limit_of(["a", "dog"]) == 200
    assert limit_of(["a", long]) == "token_characters"
    assert limit_of(many) == "sentence_tokens"


def test_each_value_of_a_line_has_a_limit_and_not_the_line() -> None:
    most = "a" * 1_000
    assert ask(f"{most} {most}\n".encode(), "model=pos&columns=form,more").status == 200
    row = "1\t{}" + "\t_" * 8 + "\n\n"
    assert ask(f"# text = {most}{most}\n{row.format(most)}".encode(), "model=pos&label=xpos", "conllu").status == 200
    reply = ask(row.format(f"{most[:600]} {most[:600]}").encode(), "model=pos&label=xpos", "conllu")
    assert (reply.json()["limit"], reply.json()["found"]) == ("token_characters", 1201)  # one word with a blank
