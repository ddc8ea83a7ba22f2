"""A small class file, learned from the sentences that are shipped with the package."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from command_line import CORPUS
from perceptag import WordClasses
from perceptag.text import read_columns

FILE = Path(__file__).parents[2] / "build" / "tests" / "words.classes"  # always the same: a recipe has its name
SIZES = (8, 24)


@cache
def toy_classes() -> WordClasses:
    """Return classes of the words of some sentences; many words of the corpus have none."""
    sentences = list(read_columns(CORPUS / "train.txt", ["form", "pos", "chunk", "ner"]))
    return WordClasses.learn(sentences[:100], SIZES, min_count=2)


@cache
def toy_class_file() -> str:
    """Write them to a file."""
    FILE.parent.mkdir(parents=True, exist_ok=True)
    toy_classes().save(FILE)
    return str(FILE)
