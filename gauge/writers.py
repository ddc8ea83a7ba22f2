"""What commands write, byte for byte: each format for one document with all that formats can hold."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

from gauge.corpora import news, shipped
from gauge.lines import Parts, lines
from gauge.samples import files
from perceptag import Pipeline, Sentence, Tagger, Tokenizer

COMMENTED = ("--columns", "form,xpos,chunk,ner", "--comment", "#")
# Files of sentences, what says how they are read, and the formats that can hold what is in them.
TAGGED: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "rich.conllu": ((), ("conllu", "jsonl", "parquet", "text")),
    "crlf.conllu": ((), ("conllu",)),
    "bare.conllu": ((), ("columns",)),
    "rich.col": (COMMENTED, ("columns", "jsonl", "parquet", "text")),
    "tabs.col": (COMMENTED, ("columns",)),
    "two.col": (("--columns", "form,xpos"), ("conllu",)),
    "rich.jsonl": ((), ("conllu", "jsonl", "parquet", "text")),
    "bare.jsonl": ((), ("columns",)),
}
ELSEWHERE = ("doccano", "label-studio", "spacy", "brat")
CONVERTED = {
    "rich.conllu": ((), ("columns", "conllu", "jsonl", "parquet", "text", *ELSEWHERE)),
    "crlf.conllu": ((), ("conllu", "jsonl", *ELSEWHERE)),
    "rich.col": (COMMENTED, ("columns", "conllu", "jsonl", "parquet", "text", *ELSEWHERE)),
    "tabs.col": (COMMENTED, ("columns", "jsonl")),
    "rich.jsonl": ((), ("columns", "conllu", "jsonl", "parquet", "text", *ELSEWHERE)),
    "doccano.jsonl": (("--tokenizer", "tok.model"), ("columns", "conllu", "jsonl", "parquet", *ELSEWHERE)),
    "tagged.jsonl": ((), ("columns", "conllu", *ELSEWHERE)),
}


def train(folder: Path) -> None:
    """Write a tokeniser, two taggers and a pipeline of them; scores are whole numbers."""
    renamed = {part: [_renamed(each) for each in news(part)] for part in ("train", "test")}
    tokens = Tokenizer("tokenize", epochs=3).fit(shipped() / "text-train.conllu")
    xpos = Tagger("collins-pos", labels_column="xpos", epochs=3, weights="last").fit(renamed["train"])
    held = renamed["test"], [each.columns["ner"] for each in renamed["test"]]
    ner = Tagger("basic-ner", labels_column="ner", epochs=4, recall=0).fit(renamed["train"], dev=held)
    tokens.save(folder / "tok.model")
    xpos.save(folder / "xpos.model")
    ner.save(folder / "ner.model")
    Pipeline({"tokens": tokens, "xpos": xpos, "ner": ner}).save(folder / "all.model")


def _renamed(sentence: Sentence) -> Sentence:
    columns = {name.replace("pos", "xpos"): values for name, values in sentence.columns.items()}
    return Sentence(columns, starts_document=sentence.starts_document)


def tagging() -> Iterator[list[str]]:
    """Yield commands that tag files of sentences."""
    for name, (how, formats) in TAGGED.items():
        for to in formats:
            yield ["tag", "-m", "xpos.model", name, *how, "--to", to, "-o", "out"]
        if name.startswith("rich"):
            same = ["--to", formats[name.endswith("jsonl")], "-o", "out"]
            for more in (["--confidence"], ["--min-confidence", "0.9"], ["--batch", "1"]):
                yield ["tag", "-m", "ner.model", name, *how, *more, *same]
            for more in (["--nbest", "3"], ["--keep-given"]):
                yield ["tag", "-m", "xpos.model", name, *how, *more, *same]
            yield ["tag", "-m", "ner.model", name, *how, "--pretty"]


def text() -> Iterator[list[str]]:
    """Yield commands that read running text."""
    formats = ("columns", "conllu", "jsonl", "parquet", "text")
    for to in formats:
        yield ["tokenize", "-m", "tok.model", "plain.txt", "--to", to, "-o", "out"]
        yield ["tag", "-m", "all.model", "plain.txt", "--to", to, "-o", "out"]
    for name in ("crlf.txt", "utf16.txt"):
        yield ["tokenize", "-m", "tok.model", name, "--to", "jsonl", "-o", "out"]
        yield ["tag", "-m", "all.model", name, "--to", "conllu", "-o", "out"]
    for to in formats[:3]:
        for more in (["--confidence"], ["--documents", "blank-line"], ["--lines", "paragraph"], ["--layer", "xpos"]):
            yield ["tag", "-m", "all.model", "plain.txt", "--to", to, *more, "-o", "out"]
    yield ["tag", "-m", "all.model", "plain.txt", "--pretty"]
    yield ["tag", "-m", "all.model", "plain.txt", "--nbest", "2", "--to", "jsonl", "-o", "out"]


def english() -> Iterator[list[str]]:
    """Yield commands with the English pipeline, whose values and names are written, too."""
    for to in ("columns", "conllu", "jsonl", "parquet"):
        yield ["tag", "-m", "en", "plain.txt", "--to", to, "--confidence", "-o", "out"]
    yield ["tag", "-m", "en", "plain.txt", "--pretty"]


def converting() -> Iterator[list[str]]:
    """Yield commands that convert."""
    for name, (how, formats) in CONVERTED.items():
        label = () if name == "doccano.jsonl" else ("--label", "ner")
        for to in formats:
            yield ["convert", name, "out.ann" if to == "brat" else "out", *how, *label, "--to", to]


def written(commands: Callable[[], Iterator[list[str]]]) -> Parts:
    """Run commands in a folder with all files that they need; return what each of them writes."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for path, data in files().items():
            (folder / path).write_bytes(data)
        train(folder)
        run(["tag", "-m", "all.model", "plain.txt", "-o", "tagged.jsonl"], folder)
        return {" ".join(command): run(command, folder) for command in commands()}


def run(command: list[str], folder: Path) -> list[str]:
    """Run a command; return its exit status, and the lines of its output and of the files called out."""
    process = subprocess.run(
        [sys.executable, "-m", "perceptag", *command, "--quiet"],
        check=False,
        cwd=folder,
        env={**os.environ, "NO_COLOR": "1", "PYTHONIOENCODING": "utf-8"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
    )
    result = [f"exit status {process.returncode}", *_lines(process.stdout)]
    for path in sorted(path for path in folder.glob("out*") if path.is_file()):
        result += [path.name, *(_table(path) if "parquet" in command else _lines(path.read_bytes()))]
        path.unlink()
    return result


def _lines(data: bytes) -> list[str]:
    return [repr(line) for line in data.splitlines(keepends=True)]


def _table(path: Path) -> list[str]:
    """Read what a file of Parquet says; its bytes depend on the version of pyarrow."""
    import pyarrow.parquet

    table = pyarrow.parquet.read_table(path)
    return [*str(table.schema.remove_metadata()).splitlines(), *lines(table.to_pylist())]
