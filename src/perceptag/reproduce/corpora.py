"""The corpora of the papers: which files are needed, where they are found, what they contain.

Files are found by name anywhere under one folder. The papers' test sets are used if they are present.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from perceptag.errors import DataError
from perceptag.text import Sentence, read

SHIPPED = "shipped"
NEWS = "the perceptag news corpus, which comes with the package"
_SHIPPED_FOLDER = Path(__file__).parent.parent / "data"
_QUICK_SHARE = 4  # a quick run learns from the first of this many equal parts


@dataclass(frozen=True, slots=True)
class Corpus:
    """One corpus: its files by the ends of their paths, and how they are read."""

    name: str
    title: str
    train: str
    dev: str  # empty: the last tenth of train
    test: str
    columns: tuple[str, ...]
    label: str
    shipped_label: str  # the column of the shipped corpus that replaces it; empty: none does

    def wanted(self) -> list[str]:
        """Return the files that an experiment cannot do without."""
        return [name for name in (self.train, self.dev) if name]


@dataclass(frozen=True, slots=True)
class CorpusSplits:
    """The sentences of a corpus."""

    train: list[Sentence]
    dev: list[Sentence]
    test: list[Sentence] | None

    def all_training(self) -> list[Sentence]:
        """Return everything but the test set, for training once the settings are chosen."""
        return self.train + self.dev


_CONLL2003 = ("form", "pos", "chunk", "ner")
CORPORA = {
    corpus.name: corpus
    for corpus in (
        Corpus(
            "np",
            "CoNLL-2000 noun phrases; dev: the last tenth of the training data, test: section 20",
            "conll2000/train.txt",
            "",
            "conll2000/test.txt",
            ("form", "pos", "chunk"),
            "chunk",
            "chunk",
        ),
        Corpus(
            "pos",
            "UD English EWT, XPOS; the papers use the Penn Treebank",
            "en_ewt-ud-train.conllu",
            "en_ewt-ud-dev.conllu",
            "en_ewt-ud-test.conllu",
            (),
            "xpos",
            "pos",
        ),
        Corpus("ner", "CoNLL-2003 English", "eng.train", "eng.testa", "eng.testb", _CONLL2003, "ner", "ner"),
        Corpus("es", "CoNLL-2002 Spanish", "esp.train", "esp.testa", "esp.testb", ("form", "pos", "ner"), "ner", ""),
        Corpus("nl", "CoNLL-2002 Dutch", "ned.train", "ned.testa", "ned.testb", ("form", "pos", "ner"), "ner", ""),
        Corpus(
            "de",
            "CoNLL-2003 German",
            "deu.train",
            "deu.testa",
            "deu.testb",
            ("form", "lemma", *_CONLL2003[1:]),
            "ner",
            "",
        ),
    )
}


class Folder:
    """A folder of corpora, or the shipped corpus under the name `shipped`."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.is_shipped = name == SHIPPED
        if not self.is_shipped and not Path(name).is_dir():
            raise DataError(f"expected a folder with corpora, or {SHIPPED!r}; found no such folder", where=name)

    def missing(self, corpus: Corpus) -> str:
        """Return why the corpus cannot be used, or "" if it can."""
        if self.is_shipped:
            return "" if corpus.shipped_label else f"{corpus.title}: the shipped corpus has no such data"
        lacking = [name for name in corpus.wanted() if self.find(name) is None]
        return f"{corpus.title}: no {' and no '.join(lacking)} under {self.name}" if lacking else ""

    def title(self, corpus: Corpus) -> str:
        """Return what data `load` returns."""
        return f"{NEWS}; labels: {corpus.shipped_label}" if self.is_shipped else corpus.title

    def find(self, name: str) -> Path | None:
        """Return the file whose path ends in `name`; the first in alphabetical order if there are several."""
        found = (path for path in Path(self.name).rglob(Path(name).name) if path.as_posix().endswith("/" + name))
        return min(found, default=None)

    def load(self, corpus: Corpus, quick: bool = False) -> CorpusSplits:
        """Read a corpus that is not missing."""
        train, dev, test = self._shipped(corpus) if self.is_shipped else self._read_all(corpus)
        if dev is None:
            cut = len(train) - len(train) // 10
            train, dev = train[:cut], train[cut:]
        if quick and not self.is_shipped:
            train = _first_part(train)
        return CorpusSplits(train, dev, test)

    def _read_all(self, corpus: Corpus) -> tuple[list[Sentence], list[Sentence] | None, list[Sentence] | None]:
        parts = [self._read(corpus, name) if name else None for name in (corpus.train, corpus.dev, corpus.test)]
        assert parts[0] is not None, "missing() was asked first"
        return parts[0], parts[1], parts[2]

    def _read(self, corpus: Corpus, name: str) -> list[Sentence] | None:
        path = self.find(name)
        return None if path is None else [s for s in read(str(path), None, corpus.columns or None) if len(s)]

    def _shipped(self, corpus: Corpus) -> tuple[list[Sentence], list[Sentence], list[Sentence]]:
        names = {"pos": "xpos"} if corpus.label == "xpos" else {}
        columns = tuple(names.get(c, c) for c in _CONLL2003)
        train, dev, test = (
            [s for s in read(str(_SHIPPED_FOLDER / f"{part}.txt"), None, columns) if len(s)]
            for part in ("train", "dev", "test")
        )
        return train, dev, test


def _first_part(sentences: Sequence[Sentence]) -> list[Sentence]:
    """Return the first quarter, and the rest of the document it ends in."""
    cut = len(sentences) // _QUICK_SHARE
    if any(s.starts_document for s in sentences[1:]):
        cut = next((i for i in range(cut, len(sentences)) if sentences[i].starts_document), len(sentences))
    return list(sentences[:cut])
