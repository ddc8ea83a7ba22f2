"""Parts of speech from the files of the Penn Treebank, in the layouts in which it is sold and copied.

    wsj/00/wsj_0001.mrg    trees: (S (NP (NNP Pierre) (NNP Vinken)) ...). Empty elements (-NONE-) are left out
    wsj/00/wsj_0001.pos    [ Pierre/NNP Vinken/NNP ] ,/, ...   a line of "=" or a full stop ends a sentence

Sections are folders with two digits. If a section has both kinds of files, the trees are read, as Shen et al. (2007)
do. Where annotators could not decide (``VBG|NN``), the first tag counts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from perceptag.errors import DataError
from perceptag.text import Sentence

_ENDINGS = (".mrg", ".pos")
_FILE = re.compile(r"wsj_\d\d\d\d\.(mrg|pos)", re.IGNORECASE)
_LEAF = re.compile(r"\(\s*([^\s()]+)\s+([^\s()]+)\s*\)")
_BRACKETS = {"-LRB-": "(", "-RRB-": ")", "-LCB-": "{", "-RCB-": "}", "-LSB-": "[", "-RSB-": "]"}


def find_sections(root: Path, first: int, last: int) -> list[Path] | None:
    """Return the files of sections `first` to `last` below a folder, in order; None if a section is missing."""
    found: list[Path] = []
    files = [path for path in root.rglob("*") if _FILE.fullmatch(path.name)]
    for section in range(first, last + 1):
        inside = [path for path in files if path.parent.name == f"{section:02}"]
        of_kind = [[p for p in inside if p.suffix.lower() == ending] for ending in _ENDINGS]
        chosen = next((kind for kind in of_kind if kind), None)
        if chosen is None:
            return None
        folder = min(path.parent for path in chosen)  # one copy, if there are several
        found += sorted(path for path in chosen if path.parent == folder)
    return found


def read_treebank(path: Path) -> Iterator[Sentence]:
    """Read the words and tags of one file; the first sentence starts a document."""
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        text = path.read_text(encoding="latin-1")  # a few accents in some editions
    pairs = _of_trees(text, path) if path.suffix.lower() == ".mrg" else _of_tagged(text, path)
    for number, sentence in enumerate(pairs):
        columns = {"form": [word for word, _ in sentence], "xpos": [tag.partition("|")[0] for _, tag in sentence]}
        yield Sentence(columns, starts_document=number == 0)


def _of_trees(text: str, path: Path) -> Iterator[list[tuple[str, str]]]:
    """Yield the leaves of each tree."""
    depth, start = 0, 0
    for place, character in enumerate(text):
        depth += (character == "(") - (character == ")")
        if depth < 0:
            line = text.count("\n", 0, place) + 1
            raise DataError("expected as many '(' as ')', found one ')' too many", f"{path}:{line}")
        if depth == 0 and character == ")":
            leaves = [(_plain(word), tag) for tag, word in _LEAF.findall(text[start : place + 1]) if tag != "-NONE-"]
            start = place + 1
            if leaves:
                yield leaves
    if depth:
        line = text.count("\n", 0, start) + 1
        raise DataError("expected ')' for every '(', found the end of the file", f"{path}:{line}")


def _of_tagged(text: str, path: Path) -> Iterator[list[tuple[str, str]]]:
    """Yield the sentences of a file of words with tags."""
    sentence: list[tuple[str, str]] = []
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith("==="):
            if sentence:
                yield sentence
            sentence = []
            continue
        for token in line.replace("[ ", " ").replace(" ]", " ").split():
            word, slash, tag = token.rpartition("/")
            if not slash or not word or not tag:
                if token in ("[", "]"):
                    continue
                raise DataError(f"expected word/TAG, found {token!r}", f"{path}:{number}")
            sentence.append((_plain(word), tag))
            if tag == ".":
                yield sentence
                sentence = []
    if sentence:
        yield sentence


def _plain(word: str) -> str:
    return _BRACKETS.get(word, word.replace("\\/", "/").replace("\\*", "*"))
