"""The plain text behind the word classes and the lists of `en`: one sentence a line, tokens separated by spaces."""

from __future__ import annotations

import gzip
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

FOLDER = "open/text_en"
TOKEN: Final = re.compile(
    r"https?://\S+|www\.\S+|[\w.+-]+@[\w-]+\.\w[\w.]*|[@#]\w+"  # addresses, handles
    r"|(?:[A-Za-z]\.){2,}|(?:Mr|Mrs|Ms|Dr|St|Jr|Sr|Prof|Gen|Col|Sen|Rep|Gov|Lt|Sgt|Inc|Corp|Co|Ltd|No|vs|v|etc|[A-Z])\.(?=\s)"
    r"|\d+(?:[.,:/]\d+)*|[^\W\d_]+?(?=n't\b)|n't\b|'(?:s|re|ve|ll|d|m)\b|\w+(?:'(?!(?:s|re|ve|ll|d|m)\b)\w+)?|\.{2,}|-{2,}|\S",
    re.IGNORECASE,
)
ENDS, CLOSING = (".", "!", "?"), "\"')]}.!?\u201d"
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

    def is_name(self, word: str, small: float = 0.1) -> bool:
        """Return whether a word is written small at most a tenth, or `small`, as often as with a capital."""
        return self.small[word.lower()] <= small * self.capital[word.lower()]

    def share(self, word: str) -> float:
        """Return how much of a word in lower case that occurs is written with a capital, from 0 to 1."""
        return self.capital[word] / self.times(word)

    def times(self, word: str) -> int:
        """Return how often a word in lower case occurs."""
        return self.small[word] + self.capital[word]


def texts(data: Path) -> list[Path]:
    """Return the files of plain text, in a fixed order."""
    return sorted(path for path in (data / FOLDER).glob("*.txt.gz") if path.name != LEFT_OUT)


def tokenize(data: Path, target: Path) -> None:
    """Write the tokens of all texts into one file."""
    with target.open("w", encoding="utf-8") as tokens:
        for path in texts(data):
            with gzip.open(path, "rt", encoding="utf-8") as lines:
                tokens.writelines(f"{' '.join(sentence)}\n" for line in lines for sentence in sentences(line))


def sentences(line: str) -> Iterator[list[str]]:
    """Yield the sentences of a paragraph as tokens, about as the English Web Treebank has them.

    A rule is enough for counts of words; and classes by a rule stay as they are when the tokeniser learns more.

    >>> list(sentences("Mr. Smith-Jones didn't. It's U.S. law (1.5%)."))[0]
    ['Mr.', 'Smith', '-', 'Jones', 'did', "n't", '.']
    >>> list(sentences("It's U.S. law (1.5%)."))
    [['It', "'s", 'U.S.', 'law', '(', '1.5', '%', ')', '.']]
    """
    tokens = TOKEN.findall(line.replace("\u2019", "'"))
    start = 0
    for place, token in enumerate(tokens[:-1]):
        if token in ENDS and tokens[place + 1][:1] not in CLOSING and not tokens[place + 1][:1].islower():
            yield tokens[start : place + 1]
            start = place + 1
    if tokens[start:]:
        yield tokens[start:]


def capitals(tokens: Path) -> Capitals:
    """Count capitals in a file that `tokenize` wrote."""
    found = Capitals()
    with tokens.open(encoding="utf-8") as lines:
        for line in lines:
            found.count(line.split())
    return found
