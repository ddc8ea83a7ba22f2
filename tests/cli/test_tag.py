"""``perceptag tag``: columns, formats, streams."""

from __future__ import annotations

import gzip
import subprocess
import sys
from pathlib import Path

import pytest

from command_line import TOY, check, run, succeed, toy_model
from perceptag import Tagger
from perceptag.text import Sentence, write

PLAIN = "".join(line.rpartition(" ")[0] + "\n" for line in TOY.split("\n"))  # without the labels
TAGGED = TOY + "\n"


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return toy_model(tmp_path_factory.mktemp("models"))


@pytest.mark.parametrize("text", [TOY, PLAIN], ids=["replaces the labels", "adds the labels"])
def test_file_to_stdout(model: Path, tmp_path: Path, text: str) -> None:
    file = tmp_path / "in.txt"
    file.write_text(text.replace("I-NP", "WRONG"))
    assert succeed("tag", "--model", model, file).out == TAGGED


@pytest.mark.parametrize("output", [(), ("-o", "both.txt"), ("-o", "./both.txt"), ("-o", "link")])
def test_the_input_is_replaced_if_that_is_asked_for(
    model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, output: tuple[str, ...]
) -> None:
    monkeypatch.chdir(tmp_path)
    file, link = tmp_path / "both.txt", tmp_path / "link"
    link.symlink_to(file)
    gold = TOY.replace("I-NP", "B-NP")
    file.write_text(gold)
    if output:
        check(run("tag", "-m", model, "both.txt", *output), "--output: .* is the file to tag; --in-place lets it be")
        assert file.read_text() == gold
    assert succeed("tag", "-m", model, "both.txt", *output, "--in-place").err == "tagged 8 tokens: both.txt\n"
    assert file.read_text() == TAGGED
    assert sorted(f.name for f in tmp_path.iterdir()) == ["both.txt", "link"]


@pytest.mark.parametrize("way", [(), ("--batch", 1)])
@pytest.mark.parametrize("end", [b"\n", b"\r\n", b"\r"], ids=["LF", "CRLF", "CR"])
@pytest.mark.parametrize("name", ["in.txt", "in.conllu", "in.jsonl", "in.txt.gz"])
def test_line_ends_stay_in_place(tmp_path: Path, name: str, end: bytes, way: tuple[object, ...]) -> None:
    model, file = tmp_path / "m.model", tmp_path / name
    Tagger("collins-pos", labels_column="xpos", epochs=1).fit([["Bob", "sings"]], [["NNP", "VBZ"]]).save(model)
    write([Sentence({"form": words, "xpos": ["_"] * len(words)}) for words in (["Bob", "sings"], ["Bob"])], file)
    named = ("--columns", "form,xpos") if ".txt" in name else ()
    pack, unpack = (gzip.compress, gzip.decompress) if name.endswith(".gz") else (bytes, bytes)
    expected = succeed("tag", "-m", model, file, *named, *way).out
    file.write_bytes(pack(unpack(file.read_bytes()).replace(b"\n", end)))
    succeed("tag", "-m", model, file, "--in-place", *named, *way)
    assert unpack(file.read_bytes()) == expected.encode().replace(b"\n", end)
    assert "VBZ" in expected


def test_in_place_has_one_place(model: Path, tmp_path: Path) -> None:
    file = tmp_path / "in.txt"
    file.write_text(TOY)
    check(run("tag", "-m", model, file, "-o", tmp_path / "out.txt", "--in-place"), "--in-place and --output: give one")
    check(run("tag", "-m", model, "--in-place", stdin=PLAIN.encode()), "--in-place: expected a file to tag, found stan")
    assert [f.name for f in tmp_path.iterdir()] == ["in.txt"]
    succeed("tag", "-m", model, "/dev/null", "-o", "/dev/null")  # what is not a file cannot lose its labels


def test_label_names_the_column_of_the_output(model: Path) -> None:
    text = b"The DT x\ndog NN y\n"
    out = succeed("tag", "-m", model, "--columns", "form,pos,mine", "--label", "mine", stdin=text).out
    assert out == "The DT B-NP\ndog NN I-NP\n\n"


def test_label_column_in_the_middle_is_put_back_there(tmp_path: Path) -> None:
    model = toy_model(tmp_path, "--label", "pos", "-r", "collins-pos")
    text = b"The B-NP\ndog I-NP\n"  # form and chunk
    assert succeed("tag", "-m", model, stdin=text).out == "The DT B-NP\ndog NN I-NP\n\n"
    # Columns at the end that the model does not look at may be missing.
    assert succeed("tag", "-m", model, stdin=b"The\ndog\n").out == "The DT\ndog NN\n\n"


CONLLU = """\
# sent_id = 1
1-2\tThedog\t_\t_\t_\t_\t_\t_\t_\t_
1\tThe\tthe\tDET\t_\t_\t2\tdet\t_\t_
2\tdog\tdog\tNOUN\t_\t_\t0\troot\t_\t_
2.1\tx\t_\t_\t_\t_\t_\t_\t_\t_

"""


def test_conllu_by_column_names(tmp_path: Path) -> None:
    model = toy_model(tmp_path, "--label", "pos", "-r", "collins-pos")
    file = tmp_path / "in.conllu"
    file.write_text(CONLLU)
    expected = CONLLU.replace("DET\t_", "DET\tDT").replace("NOUN\t_", "NOUN\tNN")
    assert succeed("tag", "-m", model, "--label", "xpos", file).out == expected
    assert succeed("tag", "-m", model, "--label", "xpos", "-f", "conllu", stdin=CONLLU.encode()).out == expected


def test_each_sentence_comes_out_before_the_next_goes_in(model: Path) -> None:
    words = [sys.executable, "-m", "perceptag", "tag", "-m", str(model), "--batch", "1"]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as child:
        assert child.stdin and child.stdout
        for _ in range(3):
            child.stdin.write("The DT\n\n")
            child.stdin.flush()
            assert [child.stdout.readline() for _ in range(2)] == ["The DT B-NP\n", "\n"]
        child.stdin.close()
    assert child.returncode == 0


def test_a_closed_pipe_is_silent(model: Path, tmp_path: Path) -> None:
    file = tmp_path / "long.txt"
    file.write_text((PLAIN + "\n") * 20_000)
    words = [sys.executable, "-m", "perceptag", "tag", "-m", str(model), str(file)]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as child:
        assert child.stdout and child.stderr
        assert child.stdout.readline() == "The DT B-NP\n"
        child.stdout.close()
        assert child.stderr.read() == ""
    assert child.returncode == 141


@pytest.mark.parametrize("option", [("--to", "inline"), ("--pretty",)])
def test_what_is_written_behind_words_is_the_label_of_the_model(tmp_path: Path, option: tuple[str, ...]) -> None:
    expected = "The/DT dog/NN\n"
    (tmp_path / "toy.txt").write_text(TOY)
    model = tmp_path / "pos.model"
    words = ("--columns", "form,pos,chunk", "--label", "pos", "-r", "collins-pos", "--epochs", 3, "--no-dev", "-q")
    succeed("train", "--train", tmp_path / "toy.txt", "-m", model, *words)
    assert succeed("tag", "-m", model, *option, stdin=b"The DT B-NP\ndog NN I-NP\n\n").out == expected
    rows = "1\tThe\t_\t_\t_\t_\t_\t_\t_\t_\n2\tdog\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No\n\n"
    conllu = ("--format", "conllu", "--label", "upos")
    assert succeed("tag", "-m", model, *option, *conllu, stdin=rows.encode()).out == expected


def test_labels_do_not_take_the_place_of_what_the_model_looks_at(model: Path) -> None:
    failed = run("tag", "-m", model, "--label", "form", stdin=b"The DT x\n")
    assert (failed.status, failed.out) == (2, "")
    assert "--label: the model uses column 'form' as input" in failed.err
