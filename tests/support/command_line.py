"""Run the command line inside the test process, and the small files that its tests share."""

from __future__ import annotations

import io
import os
import re
import sys
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from unittest import mock

from perceptag.cli import main

CORPUS = Path(str(resources.files("perceptag") / "data"))
CORPUS_COLUMNS = "form,pos,chunk,ner"
OLD = b"an O\nold O\nfile O\n\n"  # a column file, which another may replace


def begins_as(kind: str) -> bytes:
    """What a file of tensors begins with: "model", "class" or "checkpoint"."""
    header = f'{{"__metadata__":{{"perceptag":"{kind} 6 sha256:0"}}}}'.encode()
    return len(header).to_bytes(8, "little") + header


OLD_MODEL = begins_as("model")
OLD_CLASSES = begins_as("class")

TOY = """\
The DT B-NP
dog NN I-NP
barks VBZ O

A DT B-NP
cat NN I-NP
sleeps VBZ O

Dogs NNS B-NP
bark VBP O
"""


@dataclass(frozen=True)
class Result:
    """The output and the exit status of a command."""

    status: int
    out: str
    err: str


def run(*words: object, stdin: bytes = b"") -> Result:
    """Run ``perceptag WORDS`` with its own standard streams."""
    out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8", newline="") for _ in range(2))
    given = io.TextIOWrapper(io.BytesIO(stdin), "utf-8", newline="")
    with redirect_stdout(out), redirect_stderr(err), mock.patch.object(sys, "stdin", given):
        status = main([str(word) for word in words])
    out.flush()
    err.flush()
    return Result(status, out.buffer.getvalue().decode(), err.buffer.getvalue().decode())


def succeed(*words: object, stdin: bytes = b"") -> Result:
    """Run a command that must succeed."""
    result = run(*words, stdin=stdin)
    assert result.status == 0, result.err
    return result


def toy_model(folder: Path, *more: object, name: str = "toy.model") -> Path:
    """Train a chunker on the toy corpus; `more` are further options."""
    train = folder / "toy.txt"
    train.write_text(TOY)
    model = folder / name
    succeed(
        *("train", "-r", "collins-np", "--train", train, "--columns", "form,pos,chunk", "-m", model),
        *("--epochs", 3, "--no-dev", "-q", *more),
    )
    return model


def typed(folder: Path, *words: str, stdin: bytes = b"", status: int = 0) -> tuple[str, str]:
    """Run a command in a folder; return what it wrote."""
    before = Path.cwd()
    os.chdir(folder)
    try:
        done = run(*words, stdin=stdin)
    finally:
        os.chdir(before)
    assert done.status == status, done.err
    return done.out, done.err


def first_sentences(number: int, path: Path) -> Path:
    """Write the first sentences of the shipped corpus to a file."""
    sentences = (CORPUS / "train.txt").read_text(encoding="utf-8").split("\n\n")
    path.write_text("\n\n".join(sentences[:number]) + "\n", encoding="utf-8")
    return path


def check(result: Result, message: str) -> None:
    """Check a refusal: the message is one line that matches, and nothing else has happened."""
    assert result.status == 2, result.err
    assert result.out == ""
    assert "Traceback" not in result.err
    error = [line for line in result.err.split("\n") if line.startswith("perceptag: error: ")]
    assert len(error) == 1, result.err
    assert re.search(message, error[0]), error[0]
