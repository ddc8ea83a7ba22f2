"""``perceptag classes``, and ``perceptag inspect`` of what it writes."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from class_toys import random_text
from command_line import OLD, OLD_CLASSES, check, run, succeed
from perceptag import WordClasses
from perceptag.classes import class_checkpoint as checkpoint
from perceptag.models.class_file import load
from text_toys import shipped_tokenizer

LINES = "".join(" ".join(sentence) + "\n" for sentence in random_text(1, 300))


@pytest.fixture
def text(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "in.txt").write_text(LINES)
    return tmp_path / "in.txt"


def test_from_text_to_classes(text: Path):
    result = succeed("classes", "in.txt", "--sizes", "9,4", "-o", "c", "-j", 1)
    found = load("c")
    assert found.classes.sizes == (4, 9) and found.classes.folding == ()
    *lines, last = result.err.splitlines()
    assert (
        lines[0] == f"text: 300 sentences, {found.manifest['tokens']} words, 40 different ones, 40 of them seen 2 "
        "times or more"
    )
    assert [line.split(":")[0] for line in lines[1:]] == ["9 classes", "4 classes"]
    assert last == f"saved c, sha256 {found.sha256[:16]}"
    assert sorted(path.name for path in text.parent.iterdir()) == ["c", "in.txt"]


def test_threads_streams_and_compression_change_nothing(text: Path):
    succeed("classes", text, "--sizes", "4,9", "-o", "one", "-j", 1, "-q")
    succeed("classes", text, "--sizes", "4,9", "-o", "two", "-j", 2, "-q")
    succeed("classes", "-", "--sizes", "4,9", "-o", "three", "-q", stdin=LINES.encode())
    succeed("classes", "-", "--sizes", "4,9", "-o", "four", "-q", stdin=gzip.compress(LINES.encode()))
    half = len(LINES) // 2 - LINES[len(LINES) // 2 :: -1].index("\n") + 1
    Path("a.gz").write_bytes(gzip.compress(LINES[:half].encode()))
    Path("b").write_text(LINES[half:].replace("\n", "\r\n"))
    succeed("classes", "a.gz", "b", "--sizes", "4,9", "-o", "five", "-q")
    assert len({Path(name).read_bytes() for name in ("one", "two", "three", "four", "five")}) == 1
    WordClasses.learn([line.split() for line in LINES.splitlines()], [4, 9]).save("six")
    assert Path("six").read_bytes() == Path("one").read_bytes()


def test_labelled_files_give_the_same_classes(text: Path):
    sentences = [line.split() for line in LINES.splitlines()]
    Path("in.jsonl").write_text("".join(json.dumps({"tokens": s, "ner": ["O"] * len(s)}) + "\n" for s in sentences))
    Path("in.col").write_text("".join("".join(f"{w}\tO\n" for w in s) + "\n" for s in sentences))
    Path("in.conllu.gz").write_bytes(
        gzip.compress(
            "".join(
                "".join(f"{i}\t{w}" + "\t_" * 8 + "\n" for i, w in enumerate(s, 1)) + "\n" for s in sentences
            ).encode()
        )
    )
    succeed("classes", "in.txt", "--sizes", "5", "-o", "c", "-q")
    for words in (["in.jsonl"], ["in.col", "--format", "columns"], ["in.conllu.gz"]):
        succeed("classes", *words, "--sizes", "5", "-o", "d", "-q")
        assert Path("d").read_bytes() == Path("c").read_bytes()


def test_running_text_with_a_tokeniser(text: Path):
    shipped_tokenizer().save("tok.model")
    Path("raw.txt").write_text("The dog barks. The cat sleeps.\n\nThe dog sleeps. The cat barks.\n")
    succeed("classes", "raw.txt", "--tokenizer", "tok.model", "--sizes", "2", "-o", "c", "-q")
    assert load("c").classes.words == (".", "The", "barks", "cat", "dog", "sleeps")


BAD = {
    r"--sizes: expected whole numbers from 2 to 8192, found 1": ["in.txt", "--sizes", "1"],
    r"--sizes: expected at most 40, the number of words seen 2 times or more; found 800": ["in.txt"],
    r"--format and --tokenizer: give one of them": ["in.txt", "--format", "text", "--tokenizer", "t"],
    r"blank: the text has no words": ["blank", "--sizes", "4"],
    r"once: expected two words or more that were seen 2 times or more, found 0 among 4": ["once", "--sizes", "2"],
    r"cut\.gz: cannot read: the compressed file is damaged": ["cut.gz", "--sizes", "2"],
}


@pytest.mark.parametrize("message", BAD)
def test_bad_input_is_refused(message: str, text: Path):
    files = {
        "blank": b"\n \t\n",
        "once": b"a b\nc d\n",
        "cut.gz": gzip.compress(LINES.encode())[:-99],
        "old": OLD_CLASSES,
    }
    for name, content in files.items():
        Path(name).write_bytes(content)
    check(run("classes", *BAD[message], "-o", "old", "-q"), message)
    assert Path("old").read_bytes() == OLD_CLASSES and Path("in.txt").read_text() == LINES
    assert not Path("old.checkpoint").exists()


def interrupt_after(passes: int, monkeypatch: pytest.MonkeyPatch) -> None:
    write, written = checkpoint.write, []

    def write_or_interrupt(clustering: object, path: str) -> None:
        if len(written) == passes:
            raise KeyboardInterrupt
        written.append(path)
        write(clustering, path)  # type: ignore[arg-type]

    monkeypatch.setattr(checkpoint, "write", write_or_interrupt)


@pytest.mark.parametrize("passes", [1, 4])
def test_an_interrupted_run_can_be_resumed(passes: int, text: Path):
    words = ("classes", "in.txt", "--sizes", "4,9")
    succeed(*words, "-o", "whole", "-q")
    Path("c").write_bytes(OLD_CLASSES)
    with pytest.MonkeyPatch.context() as patched:
        interrupt_after(passes, patched)
        stopped = run(*words, "-o", "c")
    assert stopped.status == 130 and "interrupted: --resume continues from c.checkpoint: " in stopped.err
    assert Path("c").read_bytes() == OLD_CLASSES
    check(run(*words, "-o", "c"), r"c\.checkpoint holds the passes of an earlier run that did not end")
    check(run("classes", "in.txt", "--sizes", "4", "-o", "c", "--resume"), r"c\.checkpoint: .*of another run \(sizes: ")
    assert "resumed from c.checkpoint: " in succeed(*words, "-o", "c", "--resume").err
    assert Path("c").read_bytes() == Path("whole").read_bytes() and not Path("c.checkpoint").exists()


def test_an_interrupt_before_the_first_pass(text: Path, monkeypatch: pytest.MonkeyPatch):
    interrupt_after(0, monkeypatch)
    stopped = run("classes", "in.txt", "--sizes", "4", "-o", "c")
    assert stopped.status == 130 and "nothing was saved" in stopped.err
    assert not Path("c").exists() and not Path("c.checkpoint").exists()


def test_restart_replaces_an_earlier_checkpoint(text: Path):
    Path("c.checkpoint").write_bytes(OLD)
    check(
        run("classes", "in.txt", "--sizes", "4", "-o", "c", "--resume"), r"c\.checkpoint: .*not a perceptag checkpoint"
    )
    result = succeed("classes", "in.txt", "--sizes", "4", "-o", "c", "--restart")
    assert "c.checkpoint of an earlier run is replaced" in result.err and not Path("c.checkpoint").exists()
    assert "there is no c.checkpoint" in succeed("classes", "in.txt", "--sizes", "4", "-o", "c", "--resume").err


def test_inspect(text: Path):
    succeed("classes", "in.txt", "--sizes", "4,9", "-o", "c", "-q")
    out = succeed("inspect", "c").out
    assert out.startswith("c: word classes, ") and "words: 40; sizes: 4, 9; folded: nothing" in out
    assert "4 classes, the most frequent first" in out and "as classes shows it" in out
    found = json.loads(succeed("inspect", "c", "--json", "--top", "2").out)
    assert found["sha256"] == load("c").sha256 and found["kind"] == "classes" and found["words"] == 40
    assert [row["class"] for row in found["most_frequent"]["9"]] == [0, 1]
    assert found["most_frequent"]["4"][0]["examples"] == load("c").classes.examples(4, 0, 8)
    assert len(json.loads(succeed("inspect", "c", "--json", "--top", "0").out)["most_frequent"]["9"]) == 9
