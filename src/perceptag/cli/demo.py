"""``perceptag demo``: label, train, score and explain on the shipped corpus, with the commands that a user types."""

from __future__ import annotations

import shlex
import tempfile
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Annotated

from perceptag.cli.declare import Option
from perceptag.cli.streams import DONE, write_stdout
from perceptag.pipeline.installed import installed, installing
from perceptag.system.file_kinds import COLUMNS, MODEL
from perceptag.system.file_kinds import TEXT as PLAIN_TEXT
from perceptag.system.replacing import refuse_file_for_folder, refuse_other_kind
from perceptag.text import Sentence, read_columns, write_columns
from perceptag.text.documents import iter_documents

CORPUS = Path(__file__).parent.parent / "data"
NAMES = "form,pos,chunk,ner"
FILES = {  # of the folder
    "words.txt": COLUMNS,
    "document.txt": COLUMNS,
    "words.txt.pos": COLUMNS,
    "text.txt": PLAIN_TEXT,
    "pos.model": MODEL,
    "ner.model": MODEL,
}
TEXT = "Angela Merkel didn't visit Paris. She stayed in Berlin.\n"
DOCUMENT = 6  # of the test part, counted from 1: a cycle race with a person who has the name of a city
SENTENCE, NAME = 5, 1  # of the document: "Milan , who had led since the first day , ..."


def demo_cli(
    folder: Annotated[
        str, Option("--output -o DIR", "Folder for models and outputs; default: a temporary one.", old=["--folder"])
    ] = "",
    data: Annotated[bool, Option("--data", "Only print the folder of the shipped corpus.")] = False,
) -> None:
    """Label, train, score and explain on the shipped corpus.

    Labels text with the English model, then trains a part-of-speech tagger and an entity tagger that uses whole
    documents, and shows the command of each step.
    """
    if data:
        write_stdout(str(CORPUS))
        return
    if folder:
        refuse_file_for_folder("--output", folder)
        Path(folder).mkdir(parents=True, exist_ok=True)
        demo(Path(folder))
        return
    with tempfile.TemporaryDirectory(prefix="perceptag-demo-") as temporary:
        demo(Path(temporary))
    write_stdout("\nThe files were deleted; 'perceptag demo --output DIR' keeps them.")


def demo(folder: Path) -> None:
    """Run every step in `folder`."""
    for name, kind in FILES.items():
        refuse_other_kind("--output", str(folder / name), kind, remedy="name another folder")
    from perceptag.cli import main  # here, because it imports this file

    sentences = read_columns(CORPUS / "test.txt", NAMES.split(","))
    document = next(islice(iter_documents(sentences), DOCUMENT - 1, None))
    for name, columns in (("words.txt", ("form",)), ("document.txt", ("form", "pos", "chunk"))):
        write_columns(
            [Sentence({c: s.columns[c] for c in columns}, starts_document=s.starts_document) for s in document],
            folder / name,
        )
    (folder / "text.txt").write_text(TEXT, "utf-8")
    for title, words in (*english_steps(folder), *steps(CORPUS, folder)):
        write_stdout(f"\n== {title}\n$ perceptag {shlex.join(words)}\n")
        status = main(words)
        if status != DONE:
            raise SystemExit(status)


def english_steps(folder: Path) -> list[tuple[str, list[str]]]:
    """The steps with the English model, or none if it is not installed."""
    text = str(folder / "text.txt")
    if not any(model.name == "en" for model in installed()):
        how = f"'{installing('en')}' in a copy of the repository installs it"
        write_stdout(f"The English model is not installed, so its steps are left out; {how}.")
        return []
    return [
        ("Label running text with the English model", ["tag", "--model", "en", text]),
        ("Its names, with each sentence on a line", ["tag", "--model", "en", text, "--to", "inline"]),
        ("Which models are installed?", ["list", "--models"]),
    ]


def steps(corpus: Path, folder: Path) -> Iterator[tuple[str, list[str]]]:
    """What the demo does: titles and command lines."""
    pos, ner = str(folder / "pos.model"), str(folder / "ner.model")
    words, document = str(folder / "words.txt"), str(folder / "document.txt")
    data = ["--train", str(corpus / "train.txt"), "--dev", str(corpus / "dev.txt"), "--columns", NAMES]
    test = str(corpus / "test.txt")
    yield "Train a part-of-speech tagger", ["train", "--recipe", "collins-pos", *data, "--label", "pos", "--model", pos]
    yield (
        "Train an entity tagger that looks at whole documents",
        ["train", "--recipe", "nonlocal-ner", *data, "--label", "ner", "--model", ner],
    )
    yield "Score the parts of speech of the test part", ["eval", "--model", pos, test]
    yield "Score its entities", ["eval", "--model", ner, test]
    yield "Tag the words of a document: parts of speech", ["tag", "--model", pos, words, "-o", f"{words}.pos"]
    yield "Tag its entities, given parts of speech and phrases", ["tag", "--model", ner, document]
    yield (
        "Why this label?",
        ["explain", "--model", ner, "--input", document, "--sentence", str(SENTENCE), "--token", str(NAME)],
    )
