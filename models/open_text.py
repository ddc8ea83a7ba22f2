"""The plain text behind the word classes and the lists of `en`: one sentence a line, tokens separated by spaces."""

from __future__ import annotations

import gzip
import subprocess
import sys
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

FOLDER = "open/text_en"
LEFT_OUT = "wikinews_en_linked.txt.gz"  # the text of wikinews_en once more, with its links


@dataclass(slots=True)
class Capitals:
    """How often words are written small and with a capital, by their form in lower case."""

    small: Counter[str] = field(default_factory=Counter)
    capital: Counter[str] = field(default_factory=Counter)

    def count(self, words: list[str]) -> None:
        """Count the words of a sentence, without the first one, whose capital says nothing."""
        for word in words[1:]:
            (self.small if word[:1].islower() else self.capital)[word.lower()] += 1

    def is_name(self, word: str) -> bool:
        """Return whether a word is written small at most a tenth as often as with a capital."""
        return self.small[word.lower()] <= 0.1 * self.capital[word.lower()]


def texts(data: Path) -> list[Path]:
    """Return the files of plain text, in a fixed order."""
    return sorted(path for path in (data / FOLDER).glob("*.txt.gz") if path.name != LEFT_OUT)


def tokenize(data: Path, tokenizer: Path, target: Path) -> None:
    """Write the tokens of all texts into one file. A line of the texts is a paragraph."""
    command = [sys.executable, "-m", "perceptag", "tokenize", "-q", "--model", str(tokenizer), "--to", "text"]
    with target.open("wb") as tokens:
        for path in texts(data):
            with (
                gzip.open(path, "rb") as lines,
                subprocess.Popen(command, stdin=subprocess.PIPE, stdout=tokens) as process,
            ):
                assert process.stdin is not None
                for line in lines:
                    process.stdin.write(line + b"\n")
                process.stdin.close()
                if process.wait():
                    raise subprocess.CalledProcessError(process.returncode, command)


def capitals(tokens: Path) -> Capitals:
    """Count capitals in a file that `tokenize` wrote."""
    found = Capitals()
    with tokens.open(encoding="utf-8") as lines:
        for line in lines:
            found.count(line.split())
    return found
