"""``perceptag demo``: the whole round on the corpus in the package, by the commands that a user would type."""

from __future__ import annotations

import shlex
import tempfile
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Annotated

import typer

from perceptag.cli.shell import DONE, guarded, put
from perceptag.text import Sentence, read_columns, write_columns

COLUMNS = "form,pos,chunk,ner"
SENTENCE, NAME = 50, 9  # of the test part: a sentence with several names, and a person called like a city


@guarded
def demo_cli(
    folder: Annotated[str, typer.Option(metavar="DIR", help="Keep models and outputs here.")] = "",
) -> None:
    """Train, score, tag and explain, on the corpus in the package.

    A part-of-speech tagger and an entity tagger, with the command line of every step.
    """
    if folder:
        Path(folder).mkdir(parents=True, exist_ok=True)
        demo(Path(folder))
        return
    with tempfile.TemporaryDirectory(prefix="perceptag-demo-") as temporary:
        demo(Path(temporary))
    put("\nThe files are gone; 'perceptag demo --folder DIR' keeps them.")


def demo(folder: Path) -> None:
    """Run every step in `folder`."""
    from perceptag.cli import main  # which imports this file

    corpus = Path(__file__).parent.parent / "data"
    tokens = next(islice(read_columns(corpus / "test.txt", COLUMNS.split(",")), SENTENCE - 1, None)).tokens
    write_columns([Sentence({"form": tokens})], folder / "sentence.txt")
    for title, words in steps(corpus, folder, tokens):
        put(f"\n== {title}\n$ perceptag {shlex.join(words)}\n")
        status = main(words)
        if status != DONE:
            raise typer.Exit(status)


def steps(corpus: Path, folder: Path, tokens: list[str]) -> Iterator[tuple[str, list[str]]]:
    """What the demo does: titles and command lines."""
    pos, ner, tagged = str(folder / "pos.model"), str(folder / "ner.model"), str(folder / "sentence.pos.txt")
    data = ["--train", str(corpus / "train.txt"), "--dev", str(corpus / "dev.txt"), "--columns", COLUMNS]
    test = str(corpus / "test.txt")
    yield "Train a part-of-speech tagger", ["train", "--recipe", "collins-pos", *data, "--label", "pos", "--model", pos]
    yield "Train an entity tagger", ["train", "--recipe", "basic-ner", *data, "--label", "ner", "--model", ner]
    yield "Score the parts of speech of the test part", ["eval", "--model", pos, test]
    yield "Score its entities", ["eval", "--model", ner, test]
    yield (
        "Tag a sentence: first the parts of speech",
        ["tag", "--model", pos, str(folder / "sentence.txt"), "-o", tagged],
    )
    yield "then the entities", ["tag", "--model", ner, "--columns", "form,pos", tagged]
    yield "Why this label?", ["explain", "--model", ner, " ".join(tokens), "--token", str(NAME)]
