"""The training and dev data of a treebank: a folder of CoNLL-U files, as Universal Dependencies releases them.

Files with ``train`` in their names are the training data, those with ``dev`` the dev data; all others, such as test
data, are not opened. Where a name has several of these, the last whole word counts: *devanagari-test* is test data. A
folder with a single file has training data alone. Without dev data a tenth is cut off: every tenth document, or, where
there are fewer than `FEW` documents, every tenth block of `BLOCK` sentences.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import TypeVar

from perceptag.errors import DataError
from perceptag.system.given_file import GivenFile, facts_of
from perceptag.text.conllu import read_conllu
from perceptag.text.conllu_spaces import features_of
from perceptag.text.documents import split_documents
from perceptag.text.sentence import Sentence
from perceptag.text.treebank import comments_of

ENDINGS = (".conllu", ".conllu.gz", ".conllu.zst")
PARTS = ("train", "dev", "test")
FEW, BLOCK, TENTH = 30, 10, 10
FEWEST = 2 * TENTH  # sentences of a treebank without dev data
MANY_UNKNOWN = 5.0  # per cent of the dev words: more unknown tags than rare ones explain

AnyName = TypeVar("AnyName", bound=str)  # of a file, perhaps with its encoding

TAGS = ("upos", "xpos", "feats", "lemma")  # columns that may become layers


@dataclass(frozen=True, slots=True)
class TreebankData:
    """Sentences of a treebank."""

    train: list[Sentence]
    dev: list[Sentence]
    files: tuple[str, ...]  # names of the files that were read
    is_cut: bool  # whether the dev data was cut off the training data

    def columns(self) -> list[str]:
        """Return the columns of tags that training and dev data have, `TAGS` or some of them."""
        return [name for name in TAGS if _has(self.train, name) and _has(self.dev, name)]

    def columns_without_dev(self) -> list[str]:
        """Return the columns of tags that only the training data has, so that no pass could be chosen."""
        return [name for name in TAGS if _has(self.train, name) and not _has(self.dev, name)]

    def only_in_dev(self, name: str) -> str:
        """Return a note if many words of the dev data have tags that the training data lacks; else ""."""
        known = {tag for sentence in self.train for tag in sentence.columns[name]}
        tags = Counter(tag for sentence in self.dev for tag in sentence.columns[name])
        unknown = Counter({tag: count for tag, count in tags.items() if tag not in known})
        share = 100 * unknown.total() / max(1, tags.total())
        if share < MANY_UNKNOWN:
            return ""
        some = ", ".join(tag for tag, _ in sorted(unknown.items(), key=lambda item: (-item[1], item[0]))[:3])
        return f"{share:.0f} % of the dev words have tags that the training data lacks ({some}); scores say little"


def read_folder(folder: str, *, needs_tags: bool = True) -> TreebankData:
    """Read the treebank in a folder; refuse one that gives no pipeline. `needs_tags`: whether upos must be there."""
    path = Path(folder)
    if not path.is_dir():
        raise DataError(
            f"expected a folder with CoNLL-U files, found {'a file' if path.exists() else 'nothing'}", folder
        )
    found_files = sorted(str(file) for file in path.iterdir() if file.name.endswith(ENDINGS))
    files = [GivenFile(file, facts_of(folder)) for file in found_files]
    train, dev = (named(files, part) for part in ("train", "dev"))
    if len(files) == 1 and not dev:
        train = files
    if not train:
        found = ", ".join(Path(file).name for file in files) or "none"
        raise DataError(f"expected CoNLL-U files with 'train' in their names, found {found}", folder)
    sentences = _read(train)
    _check(sentences, train[0], needs_tags)
    heldout = _read(dev)
    if not heldout:
        sentences, heldout = _cut(sentences, train[0])
    return TreebankData(sentences, heldout, tuple(Path(file).name for file in (*train, *dev)), not dev)


def named(files: Sequence[AnyName], part: str) -> list[AnyName]:
    """Return the files that a part of the data is in, by their names."""
    return [file for file in files if _is_part(Path(file).name, part)]


def _is_part(name: str, part: str) -> bool:
    words = [word for word in re.findall("[a-z]+", name) if word in PARTS]
    return words[-1] == part if words else part in name


def _has(sentences: Iterable[Sentence], column: str) -> bool:
    return any(value != "_" for sentence in sentences for value in sentence.columns[column])


def _read(files: Iterable[str]) -> list[Sentence]:
    return list(chain.from_iterable(map(read_conllu, files)))


def _check(sentences: Sequence[Sentence], file: str, needs_tags: bool) -> None:
    """Refuse training data without parts of speech, or without anything that tells where spaces are."""
    if needs_tags and not _has(sentences, "upos"):
        raise DataError("expected parts of speech in column upos, found '_' everywhere", file)
    if not any(map(_tells_spaces, sentences)):
        expected = "expected '# text = …' before sentences, or SpaceAfter=No in column misc"
        raise DataError(
            f"{expected}, from which a tokeniser learns where words are written together; found neither", file
        )


def _tells_spaces(sentence: Sentence) -> bool:
    comments = (row.removeprefix("#").lstrip() for row in comments_of(sentence))
    if any(row.startswith("text ") or row.startswith("text=") for row in comments):
        return True
    return any({"SpaceAfter", "SpacesAfter"} & set(features_of(misc)) for misc in sentence.columns["misc"])


def _cut(sentences: list[Sentence], file: str) -> tuple[list[Sentence], list[Sentence]]:
    """Cut off every tenth document or block as dev data."""
    if len(sentences) < FEWEST:
        raise DataError(f"expected dev data, or {FEWEST} sentences to cut some off, found {len(sentences)}", file)
    units = split_documents(sentences)
    if sum(sentence.starts_document for sentence in sentences) < FEW:
        size = min(BLOCK, len(sentences) // TENTH)
        units = [sentences[i : i + size] for i in range(0, len(sentences), size)]
    train = [unit for number, unit in enumerate(units, 1) if number % TENTH]
    dev = [unit for number, unit in enumerate(units, 1) if not number % TENTH]
    return list(chain.from_iterable(train)), list(chain.from_iterable(dev))
