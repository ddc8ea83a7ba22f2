"""The gazetteers of Kazama and Torisawa (2007), table 1: columns go, gp and gm, and the templates over them.

The paper does not publish its lists. Files ``gazetteers/org.txt``, ``per.txt`` and ``misc.txt``, with a name on each
line, take their place. A column has the IOB2 tag of the longest match with an entry, as the caption of table 1 says.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from pathlib import Path

from perceptag.reproduce.corpora import CorpusSplits, Folder
from perceptag.text import Sentence

COLUMNS = {"go": "org", "gp": "per", "gm": "misc"}  # of table 1, and the files
_PAIRS = ((-2, -1), (-1, 0), (0, 1))
TEMPLATES = tuple(
    template
    for column in COLUMNS
    for template in (
        f"{column}[-2..2] * y0 | y-1 y0",
        *(f"{column}[{a}] {column}[{b}] * y0 | y-1 y0" for a, b in _PAIRS),
    )
)
Entries = dict[str, list[tuple[str, ...]]]  # names by their first word, the longest first


def find_lists(folder: Folder) -> dict[str, Path]:
    """Return the files of the lists by column, or nothing if one of them is missing."""
    found = {column: folder.find(f"gazetteers/{name}.txt") for column, name in COLUMNS.items()}
    return {column: path for column, path in found.items() if path is not None} if all(found.values()) else {}


def with_lists(parts: CorpusSplits, files: dict[str, Path]) -> CorpusSplits:
    """Return the sentences with a column for each list."""
    lists = {column: _entries(path) for column, path in files.items()}
    train, dev = ([_marked(s, lists) for s in part] for part in (parts.train, parts.dev))
    test = None if parts.test is None else [_marked(s, lists) for s in parts.test]
    return dataclasses.replace(parts, train=train, dev=dev, test=test)


def _entries(path: Path) -> Entries:
    found: Entries = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        if words := tuple(line.split()):
            found.setdefault(words[0], []).append(words)
    return {first: sorted(names, key=len, reverse=True) for first, names in found.items()}


def _marked(sentence: Sentence, lists: dict[str, Entries]) -> Sentence:
    tokens = list(sentence.tokens)
    added = {column: longest_matches(tokens, entries) for column, entries in lists.items()}
    return dataclasses.replace(sentence, columns={**added_last(sentence, added)})


def added_last(sentence: Sentence, added: dict[str, list[str]]) -> dict[str, list[str]]:
    """Return the columns of a sentence with further ones before the last, which is that of the labels."""
    names = list(sentence.columns)
    before = {name: list(sentence.columns[name]) for name in names[:-1]}
    return {**before, **added, names[-1]: list(sentence.columns[names[-1]])}


def longest_matches(tokens: Sequence[str], entries: Entries) -> list[str]:
    """Return B, I or O for each token: from left to right, the longest entry that begins here.

    >>> longest_matches(["in", "New", "York", "City"], {"New": [("New", "York")]})
    ['O', 'B', 'I', 'O']
    """
    tags = ["O"] * len(tokens)
    place = 0
    while place < len(tokens):
        names = entries.get(tokens[place], ())
        length = next((len(n) for n in names if tuple(tokens[place : place + len(n)]) == n), 0)
        tags[place : place + length] = ["B", *["I"] * (length - 1)][:length]
        place += max(length, 1)
    return tags
