"""Pipes, devices, closed streams, full disks: an error with its reason where it hurts, and nothing lost."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from pathlib import Path

import pytest

from command_line import CORPUS, CORPUS_COLUMNS, OLD, OLD_MODEL, TOY, Result, check, run


@pytest.fixture(autouse=True)
def buffered(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is written waits in a buffer, as it does for users, whatever the surroundings say."""
    monkeypatch.delenv("PYTHONUNBUFFERED", raising=False)


# --- pipes and devices ---


ENDLESS = {
    "model": ("tag -m {} toy.txt", "expected a regular file, found a {}"),
    "recipe": ("train --train toy.txt -r {} -m old.model", "expected a regular file, found a {}"),
    "earlier model": ("train --train toy.txt --from {} -m old.model", "expected a regular file, found a {}"),
}


@pytest.mark.parametrize(("words", "message"), ENDLESS.values(), ids=ENDLESS)
def test_models_and_recipes_are_regular_files(folder: Path, words: str, message: str) -> None:
    os.mkfifo(folder / "pipe.toml")
    for name, kind in (("/dev/zero", "device"), ("./pipe.toml", "pipe")):
        check(run(*words.format(name).split()), message.format(kind))
    assert (folder / "old.model").read_bytes() == OLD_MODEL


@pytest.mark.parametrize(
    "words",
    [
        "tag -m toy.model /dev/zero",
        "eval -m toy.model /dev/zero",
        "train --train /dev/zero -m old.model",
        "train -r collins-np --train toy.txt --columns form,pos,chunk -m old.model --set gazetteer=x=/dev/zero",
    ],
)
def test_text_from_a_device_that_never_ends(folder: Path, words: str) -> None:
    check(run(*words.split()), "/dev/zero:1: NUL character at byte 1 of the line")
    assert (folder / "old.model").read_bytes() == OLD_MODEL


def test_text_from_a_pipe(folder: Path) -> None:
    os.mkfifo(folder / "pipe")
    command = ["sh", "-c", f"cat toy.txt >pipe & '{sys.executable}' -m perceptag tag -q -m toy.model pipe"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, f"{TOY}\n"), done.stderr


def test_files_of_a_recipe_from_a_pipe(folder: Path) -> None:
    """Each is read once, whatever needs it again: a checkpoint, or the folds of a first model."""
    (folder / "text").write_text("the dog\n")
    given = "--set templates=form[0],gazetteer[0] --set gazetteer=x=list"
    words = f"train -r rerank-2 --train toy.txt --columns form,pos,chunk --checkpoint-every 1 -q {given} -m"
    (folder / "list").write_bytes((folder / "text").read_bytes())
    plain = run(*words.split(), "plain.model")
    assert plain.status == 0, plain.err
    (folder / "list").unlink()
    os.mkfifo(folder / "list")
    command = ["sh", "-c", f"cat text >list & exec '{sys.executable}' -m perceptag {words} piped.model"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 0, done.stderr
    assert (folder / "piped.model").read_bytes() == (folder / "plain.model").read_bytes()


def test_trials_do_not_share_a_pipe(folder: Path) -> None:
    os.mkfifo(folder / "list")
    words = "tune --train toy.txt --dev toy.txt --columns form,pos,chunk -r collins-np --set gazetteer=x=list"
    check(run(*words.split()), "list: expected a regular file, which every trial can read; found a pipe")


def test_a_token_of_a_million_letters(folder: Path) -> None:
    token = "x" * 1_000_000
    (folder / "long.txt").write_text(f"{token} NN O\n")
    assert run("tag", "-m", "toy.model", "long.txt").out.startswith(f"{token} NN ")


def test_a_recipe_beyond_all_size(folder: Path) -> None:
    with (folder / "large.toml").open("wb") as stream:
        stream.truncate((16 << 20) + 1)
    check(run("list", "./large.toml"), "expected at most 16777216 bytes, found 16777217")


# --- full disks and the like ---


@pytest.mark.parametrize("words", [("tag", "-m", "toy.model", "toy.txt"), ("inspect", "toy.model"), ("list",)])
def test_full_disk_on_stdout(folder: Path, words: tuple[str, ...]) -> None:
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "perceptag", *words], cwd=folder, stdout=full, stderr=subprocess.PIPE, check=False
        )
    assert done.returncode == 2
    assert done.stderr.decode() == "perceptag: error: <stdout>: cannot write: No space left on device\n"


CLOSED = {
    "stdin": ("tag -m toy.model <&-", 2, "<stdin>: cannot read: Bad file descriptor"),
    "stdout": ("tag -m toy.model toy.txt >&-", 2, "<stdout>: cannot write: Bad file descriptor"),
    "stdout for a table": ("inspect toy.model >&-", 2, "<stdout>: cannot write: Bad file descriptor"),
    "stdout that is not used": ("tag -m toy.model toy.txt -o out.txt -q >&-", 0, ""),
    "stderr": ("train -r collins-np --columns form,pos,chunk --train toy.txt -m new.model 2>&-", 0, ""),
    "stderr and an error": ("tag -m toy.model missing.txt 2>&-", 2, ""),
    "all": ("tag -m toy.model <&- >&- 2>&-", 2, ""),
}


@pytest.mark.parametrize(("words", "status", "message"), CLOSED.values(), ids=CLOSED)
def test_closed_streams(folder: Path, words: str, status: int, message: str) -> None:
    command = ["sh", "-c", f"'{sys.executable}' -m perceptag {words}"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (status, ""), done.stderr
    assert message in done.stderr
    assert "Traceback" not in done.stderr
    assert (done.stderr == "") == (message == "")


def test_full_disk_on_stderr_does_not_stop_training(folder: Path) -> None:
    command = [sys.executable, "-m", "perceptag", "train", "-r", "collins-np", "--train", "toy.txt", "-m", "new.model"]
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run([*command, "--columns", "form,pos,chunk"], cwd=folder, stderr=full, check=False)
        assert (done.returncode, (folder / "new.model").exists()) == (0, True)
        done = subprocess.run([*command, "--columns", "form"], cwd=folder, stderr=full, check=False)
        assert done.returncode == 2


def _small_files() -> None:
    resource.setrlimit(resource.RLIMIT_FSIZE, (2000, 2000))


@pytest.mark.parametrize("verb", ["train", "tag"])
def test_no_room_for_the_file(folder: Path, verb: str) -> None:
    (folder / "long.txt").write_text((TOY + "\n") * 100)
    corpus = ["--train", str(CORPUS / "train.txt"), "--columns", CORPUS_COLUMNS, "--label", "pos", "--epochs", "1"]
    words = {
        "train": ["train", "-r", "collins-pos", *corpus, "--no-dev", "-m", "old.model"],
        "tag": ["tag", "-m", "toy.model", "long.txt", "-o", "old.txt"],
    }[verb]
    before = sorted(f.name for f in folder.iterdir())
    done = subprocess.run(
        [sys.executable, "-m", "perceptag", *words],
        cwd=folder,
        capture_output=True,
        text=True,
        preexec_fn=_small_files,
        check=False,
    )
    check(Result(done.returncode, done.stdout, done.stderr), f"{words[-1]}: cannot write: File too large")
    assert (folder / words[-1]).read_bytes() == (OLD_MODEL if verb == "train" else OLD)
    assert sorted(f.name for f in folder.iterdir()) == before


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
@pytest.mark.parametrize("verb", ["train", "tag"])
def test_unwritable_targets(folder: Path, verb: str) -> None:
    (folder / "old.model").chmod(0o400)
    (folder / "old.txt").chmod(0o400)
    words = {
        "train": ["train", "-r", "collins-np", "--train", "toy.txt", "--columns", "form,pos,chunk", "-m", "old.model"],
        "tag": ["tag", "-m", "toy.model", "toy.txt", "-o", "old.txt"],
    }[verb]
    check(run(*words), f"{words[-1]}: cannot write")
    assert (folder / words[-1]).read_bytes() == (OLD_MODEL if verb == "train" else OLD)


def test_links_in_a_circle_are_not_replaced(folder: Path) -> None:
    (folder / "loop").symlink_to("loop")
    result = run("train", "-r", "collins-np", "--train", "toy.txt", "--columns", "form,pos,chunk", "-m", "loop")
    check(result, "loop: cannot write: Too many levels of symbolic links")
    assert (folder / "loop").is_symlink()


def test_tag_into_what_cannot_be_written(folder: Path) -> None:
    common = ("tag", "-m", "toy.model", "toy.txt", "-o")
    check(run(*common, "none/out.txt"), r"none/out\.txt: cannot write: there is no folder")
    check(run(*common, "folder"), r"folder: cannot write: Is a directory")
    check(run(*common, "/dev/full"), r"/dev/full: cannot write: No space left on device")
    assert not (folder / "none").exists()
