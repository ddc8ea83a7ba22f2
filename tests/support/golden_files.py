"""Golden files that are not models of sentences: how they are loaded, and what they answer.

`ANSWERS` takes the ending of a file: what the file gives for the text or the words in the JSON file next to it.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from perceptag import Pipeline, Tokenizer, WordClasses

TEXT = "The mayor of Leeds didn't come. Why not?\n\nShe stays in Rome until 5 p.m., says Dr. Lee."


def tokens(path: Path, text: str) -> Any:
    """Sentences and tokens of a text."""
    return [[str(token) for token in sentence] for sentence in Tokenizer.load(path)(text)]


def layers(path: Path, text: str) -> Any:
    """Tokens and labels of a text."""
    found = Pipeline.load(path)(text)
    return [[[str(token), token.labels] for token in sentence] for sentence in found]


def classes(path: Path, text: str) -> Any:
    """The classes of words."""
    found = WordClasses.load(path)
    return [[word, [found.of(word, size) for size in found.sizes]] for word in text.split()]


ANSWERS: dict[str, Callable[[Path, str], Any]] = {".tokenizer": tokens, ".pipeline": layers, ".classes": classes}
