"""Lists of texts into folders, streams that wait, projects of files with different columns."""

import json
from pathlib import Path

import pytest

from asked import LINES, asked, model_paths
from command_line import run, succeed
from perceptag.cli import main
from perceptag.errors import DataError
from perceptag.text import read
from running import head, running

# --- a stream that waits for an answer ---


def chunk(line: bytes) -> bytes:
    return f"{len(line):x}\r\n".encode() + line + b"\r\n"


def test_a_line_of_a_stream_does_not_wait_for_the_next_one() -> None:
    begin = ("/v1/tag?model=pos", "Transfer-Encoding: chunked", f"Content-Type: {LINES}")
    with running({"pos": model_paths()["pos"]}) as server, server.raw() as client:
        client.sendall(head("POST", begin[0], server.port, *begin[1:]) + b"\r\n")
        for word in (b"The", b"dog", b"barks"):
            found = b""
            client.sendall(chunk(b'["%s"]\n' % word))
            while b'{"tokens":["%s"]' % word not in found:
                more = client.recv(65536)
                assert more, f"the server closed the connection after {found!r}"
                found += more


def test_a_stream_that_says_nothing_has_an_end() -> None:
    begin = ("/v1/tag?model=pos", "Transfer-Encoding: chunked", f"Content-Type: {LINES}")
    options = ("--limit", "stream_seconds=0.5")
    with running({"pos": model_paths()["pos"]}, *options) as server, server.raw() as client:
        client.sendall(head("POST", begin[0], server.port, *begin[1:]) + b"\r\n" + chunk(b'["The"]\n'))
        found = b"".join(iter(lambda: client.recv(65536), b""))
    assert b'{"tokens":["The"]' in found and b"expected more within 0.5 s" in found


# --- lists of texts into a folder ---

TABLE = "id,text\n1,Anna left Rome.\n2,Bob sat. He ate.\n"
LIST = '{"text": "Anna left Rome.", "id": 1}\n{"text": "Bob sat. He ate.", "id": 2}\n'


@pytest.mark.parametrize(
    ("name", "content"), [("a.csv", TABLE), ("a.tsv", TABLE.replace(",", "\t")), ("a.jsonl", LIST)]
)
@pytest.mark.parametrize("options", [(), ("--to", "jsonl"), ("--to", "conllu"), ("--to", "columns")])
def test_a_list_of_texts_is_tagged_into_a_folder(
    tmp_path: Path, name: str, content: str, options: tuple[str, ...]
) -> None:
    source, folder = tmp_path / name, tmp_path / "out"
    source.write_text(content)
    alone = succeed("tag", "-m", "en", source, *options).out
    told = succeed("tag", "-m", "en", source, *options, "--out-dir", folder, "--part-size", "0.001").err
    (written,) = folder.glob("a.*")
    assert written.read_text() == alone
    assert written.suffix == {"conllu": ".conllu", "columns": ".txt"}.get(options[-1] if options else "", ".jsonl")
    assert "a list of texts; each of them is a document" in told


def test_lists_of_texts_next_to_text(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text(TABLE)
    (tmp_path / "b.jsonl").write_text(LIST)
    (tmp_path / "c.txt").write_text("Anna left Rome.\n")
    told = succeed(
        "tag", "-m", "en", tmp_path / "*.*", "--to", "jsonl", "--out-dir", tmp_path / "out", "--on", "processes"
    )
    assert "a.csv and 1 other file: lists of texts" in told.err
    a, b = ((tmp_path / "out" / name).read_text() for name in ("a.jsonl", "b.jsonl"))
    assert [json.loads(line)["tokens"] for line in a.splitlines()] == [json.loads(x)["tokens"] for x in b.splitlines()]


def test_a_table_of_words_is_not_tagged_into_a_folder(tmp_path: Path) -> None:
    source = tmp_path / "a.csv"
    source.write_text("sentence_id,token,label\n1,Anna,B-PER\n1,sings,O\n")
    result = run("tag", "-m", "en", source, "--out-dir", tmp_path / "out")
    assert result.status == 2
    assert "a.csv: recognised as a table with a header; 'perceptag convert" in result.err


# --- projects of files with different columns ---

KAGGLE = "Sentence #,Word,POS,Tag\nSentence: 1,Anna,NNP,B-per\n,left,VBD,O\n,Rome,NNP,B-geo\n"
DOCCANO = '{"id": 1, "text": "Bob sat.", "label": [[0, 3, "per"]]}\n'


@pytest.mark.parametrize("name", ["x.txt", "x.parquet"])
def test_a_project_of_files_with_different_columns_is_exported(tmp_path: Path, name: str) -> None:
    kaggle, doccano, target = tmp_path / "kaggle.csv", tmp_path / "doccano.jsonl", tmp_path / name
    kaggle.write_text(KAGGLE)
    doccano.write_text(DOCCANO)
    succeed("annotate", tmp_path / "s.ptag", "--import", kaggle, "--import", doccano, "--export", tmp_path / "x.jsonl")
    told = succeed("annotate", tmp_path / "s.ptag", "--export", target).err
    assert f"note: left out: pos (not in all sentences of {doccano})" in told
    found = [(*s.columns.values(),) for s in read(target, columns=None if name == "x.parquet" else ["form", "label"])]
    assert found == [
        (["Anna", "left", "Rome"], ["B-per", "O", "B-geo"]),
        (["Bob", "sat", "."], ["B-per", "O", "O"]),
    ]


def test_the_columns_of_all_sentences_are_learned_from(tmp_path: Path) -> None:
    some, columns = tmp_path / "some.jsonl", tmp_path / "some.txt"
    tagged = {"tokens": ["Anna", "left"], "pos": ["NNP", "VBD"], "labels": ["B-PER", "O"]}
    some.write_text(json.dumps(tagged) + '\n{"tokens": ["Bob", "sat"], "labels": ["B-PER", "O"]}\n')
    result = run("train", "--train", some, "-m", tmp_path / "a.model")
    assert result.status == 2
    assert "some.jsonl:2: expected column 'pos', which the model looks at; found form, label; 'perceptag" in result.err
    assert f"left out: pos (not in all sentences of {some})" in succeed("convert", some, columns).err
    assert columns.read_text() == "Anna B-PER\nleft O\n\nBob B-PER\nsat O\n\n"
    succeed("train", "--train", columns, "-m", tmp_path / "a.model")


def test_sentences_without_labels_do_not_cost_the_labels_of_others(tmp_path: Path) -> None:
    some = tmp_path / "some.jsonl"
    some.write_text('{"tokens": ["Anna"], "labels": ["B-PER"]}\n{"tokens": ["Bob"]}\n')
    result = run("convert", some, tmp_path / "some.txt")
    assert result.status == 2
    assert "some.jsonl:2: expected the columns of the first sentence (form, label), found form" in result.err


# --- messages and small things ---


def test_running_text_has_no_features_for_crfsuite() -> None:
    result = run("tag", "-m", "en", "--to", "crfsuite", stdin=b"Anna left Rome.\n")
    assert result.status == 2
    assert "--to: crfsuite has features of tokens, and running text has none" in result.err


def test_only_the_last_rule_file_counts(tmp_path: Path) -> None:
    rules = tmp_path / "a.toml"
    rules.write_text('[[rule]]\nlabel = "X"\nphrases = ["Anna"]\n')
    told = succeed("tag", "--rules", rules, "--rules", "en", stdin=b"Anna left Rome.\n").err
    assert "note: --rules is given 2 times; only the last one counts: en" in told


def test_an_empty_treebank_has_no_score(tmp_path: Path) -> None:
    empty = tmp_path / "empty.conllu"
    empty.write_text("")
    result = run("eval", "--raw", "-m", "en", empty)
    assert result.status == 2
    assert "empty.conllu: there is no sentence in the gold data" in result.err


def test_a_missing_file_is_refused_when_it_is_named(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"none.txt: cannot read"):
        read(tmp_path / "none.txt")


def test_two_models_are_compared_on_sentences_of_a_text(tmp_path: Path) -> None:
    text, sentences = tmp_path / "a.txt", tmp_path / "sentences.jsonl"
    text.write_text("Anna left Rome.\n")
    model = model_paths()["text"]
    result = run("inspect", model, model, text)
    assert result.status == 2
    assert f"'perceptag tokenize {text} -o sentences.jsonl' makes sentences of it" in result.err
    succeed("tokenize", text, "-o", sentences)
    assert "changes of spans: 0 in 1 sentence, 4 tokens" in succeed("inspect", model, model, sentences).out


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("tag --to in", "inline"),
        ("convert --to docc", "doccano"),
        ("convert --from prod", "prodigy"),
        ("tokenize --to con", "conllu"),
        ("tag --lines par", "paragraph"),
    ],
)
def test_formats_and_line_ends_are_completed(
    words: str, found: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    line = f"perceptag {words}"
    typed = {"_PERCEPTAG_COMPLETE": "complete_bash", "COMP_WORDS": line, "COMP_CWORD": str(line.count(" "))}
    for name, value in typed.items():
        monkeypatch.setenv(name, value)
    assert main([]) == 0
    assert capsys.readouterr().out.split() == [found]


def test_a_rival_of_an_explanation_can_be_asked_for() -> None:
    given = {"model": "text", "tokens": ["Anna", "visited", "Rome"], "token": 2}
    first = asked().post("/v1/explain", **given)
    assert first.status == 200, first.body
    (detail,) = first.json()["details"]
    assert detail["label"][0] == "S" and first.json()["labels"][2][0] == "B"  # in the model, and in the data
    assert asked().post("/v1/explain", **given, rival=detail["rival"]).json()["details"] == [detail]
    for label in ("S-PER", "E-PER", "B-PER"):
        reply = asked().post("/v1/explain", **given, rival=label)
        assert reply.status == 200, reply.body
