"""The corpora of the papers: which files are needed, where they are found, what they contain.

Files are found by name anywhere under one folder. A corpus may have several sources; the first whose files are there
is used, so owners of the papers' own data need only put it into the folder. Test sets are used if they are present.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from perceptag.errors import DataError, SettingError
from perceptag.reproduce.penn_treebank import find_sections, read_treebank
from perceptag.text import Sentence, read
from perceptag.text.formats import detect_format

SHIPPED = "shipped"
NEWS = "the perceptag news corpus, which comes with the package"
_SHIPPED_FOLDER = Path(__file__).parent.parent / "data"
_QUICK_SHARE = 4  # a quick run learns from the first of this many equal parts
_SECTIONS = re.compile(r"wsj/(\d\d)-(\d\d)")
_CONLL2003 = ("form", "pos", "chunk", "ner")
_LDC = "licence of the Linguistic Data Consortium (LDC99T42)"
_REUTERS = "text: Reuters Corpus RCV1, by agreement with NIST; labels: free for research"


@dataclass(frozen=True, slots=True)
class DataSource:
    """Data that can serve as a corpus: its files by the ends of their paths, how they are read, whose they are.

    ``wsj/00-18`` stands for all files of these sections of the Penn Treebank.
    """

    title: str
    train: str
    dev: str  # empty: the last tenth of train
    test: str
    columns: tuple[str, ...]
    licence: str
    note: str = ""  # how it differs from the data of the papers

    def wanted(self) -> list[str]:
        """Return the files that an experiment cannot do without."""
        return [name for name in (self.train, self.dev) if name]


@dataclass(frozen=True, slots=True)
class Corpus:
    """One corpus, and the sources that it can come from, the best one first."""

    name: str
    label: str
    shipped_label: str  # the column of the shipped corpus that replaces it; empty: none does
    sources: tuple[DataSource, ...]

    @property
    def title(self) -> str:
        """What the corpus is called if there is no data: the name of its last source, which is the free one."""
        return self.sources[-1].title


@dataclass(frozen=True, slots=True)
class CorpusSplits:
    """The sentences of a corpus."""

    train: list[Sentence]
    dev: list[Sentence]
    test: list[Sentence] | None
    has_own_dev: bool = False  # otherwise dev was cut from the training data

    def all_training(self) -> list[Sentence]:
        """Return everything but the test set, for training once the settings are chosen."""
        return self.train + self.dev

    def named(self) -> dict[str, list[Sentence]]:
        """Return the parts that are there, by name."""
        given = {"train": self.train, "dev": self.dev, "test": self.test}
        return {name: sentences for name, sentences in given.items() if sentences is not None}


def _conll(title: str, stem: str, columns: tuple[str, ...], licence: str) -> DataSource:
    return DataSource(title, f"{stem}.train", f"{stem}.testa", f"{stem}.testb", columns, licence)


_NP_FILES = ("conll2000/train.txt", "conll2000/test.txt", ("form", "pos", "chunk"))
_NP_LICENCE = "free for research; text: the Penn Treebank, sections 15-18 and 20"
_EWT = "UD English EWT in place of the Penn Treebank: only the order of the rows can be compared."
CORPORA = {
    corpus.name: corpus
    for corpus in (
        Corpus(
            "np",
            "chunk",
            "chunk",
            (
                DataSource(
                    "CoNLL-2000 noun phrases: sections 15-18; dev: section 21, test: section 20",
                    _NP_FILES[0],
                    "conll2000/section21.txt",
                    *_NP_FILES[1:],
                    _NP_LICENCE,
                ),
                DataSource(
                    "CoNLL-2000 noun phrases; dev: the last tenth of the training data, test: section 20",
                    _NP_FILES[0],
                    "",
                    *_NP_FILES[1:],
                    _NP_LICENCE,
                    "NP: dev is the last tenth of sections 15-18 in place of section 21, and is easier.",
                ),
            ),
        ),
        Corpus(
            "pos",
            "xpos",
            "pos",
            (
                DataSource("Penn Treebank, WSJ sections", "wsj/00-18", "wsj/19-21", "wsj/22-24", (), _LDC),
                DataSource(
                    "Penn Treebank, WSJ sections in columns",
                    "ptb/train.txt",
                    "ptb/dev.txt",
                    "ptb/test.txt",
                    ("form", "xpos"),
                    _LDC,
                ),
                DataSource(
                    "UD English EWT, XPOS; the papers use the Penn Treebank",
                    "en_ewt-ud-train.conllu",
                    "en_ewt-ud-dev.conllu",
                    "en_ewt-ud-test.conllu",
                    (),
                    "CC BY-SA 4.0",
                    f"POS: {_EWT}",
                ),
            ),
        ),
        Corpus("ner", "ner", "ner", (_conll("CoNLL-2003 English", "eng", _CONLL2003, _REUTERS),)),
        Corpus(
            "es", "ner", "", (_conll("CoNLL-2002 Spanish", "esp", ("form", "pos", "ner"), "text: EFE, for research"),)
        ),
        Corpus(
            "nl",
            "ner",
            "",
            (_conll("CoNLL-2002 Dutch", "ned", ("form", "pos", "ner"), "text: De Morgen, for research"),),
        ),
        Corpus(
            "de",
            "ner",
            "",
            (
                _conll(
                    "CoNLL-2003 German",
                    "deu",
                    ("form", "lemma", *_CONLL2003[1:]),
                    "text: ECI Multilingual Text Corpus (LDC94T5)",
                ),
            ),
        ),
    )
}


class Folder:
    """A folder of corpora, or the shipped corpus under the name `shipped`.

    `encoding` is that of files that are not UTF-8. The original German, Spanish and Dutch files are latin-1.
    """

    def __init__(self, name: str, encoding: str = "") -> None:
        self.name = name
        self.encoding = encoding
        self.is_shipped = name == SHIPPED
        if not self.is_shipped and not Path(name).is_dir():
            found = "a file" if Path(name).exists() else "no such folder"
            raise DataError(f"expected a folder with corpora, or {SHIPPED!r}; found {found}", where=name)
        try:
            "".encode(encoding or "utf-8")
        except LookupError:
            raise SettingError(
                f"encoding: expected the name of an encoding, such as latin-1, found {encoding!r}"
            ) from None

    def source(self, corpus: Corpus) -> DataSource | None:
        """Return the first source whose files are there."""
        return next((s for s in corpus.sources if all(self.find_all(name) for name in s.wanted())), None)

    def missing(self, corpus: Corpus) -> str:
        """Return why the corpus cannot be used, or "" if it can."""
        if self.is_shipped:
            return "" if corpus.shipped_label else f"{corpus.title}: the shipped corpus has no such data"
        if self.source(corpus) is not None:
            return ""
        lacking = [name for name in corpus.sources[-1].wanted() if not self.find_all(name)]
        return f"{corpus.title}: no {' and no '.join(lacking)} under {self.name}"

    def missing_part(self, corpus: Corpus, part: str) -> str:
        """Return the file that a part of a corpus lacks, or "" if it is there or nothing of the corpus is."""
        source = None if self.is_shipped else self.source(corpus)
        if source is None:
            return ""
        name = {"train": source.train, "dev": source.dev, "test": source.test}[part]
        return "" if not name or self.find_all(name) else f"{name} is missing"

    def title(self, corpus: Corpus) -> str:
        """Return what data `load` returns."""
        source = self.source(corpus) if not self.is_shipped else None
        return f"{NEWS}; labels: {corpus.shipped_label}" if source is None else source.title

    def find(self, name: str) -> Path | None:
        """Return the file whose path ends in `name`; the first in alphabetical order if there are several."""
        if self.is_shipped:
            return None
        found = (path for path in Path(self.name).rglob(Path(name).name) if path.as_posix().endswith("/" + name))
        return min(found, default=None)

    def find_all(self, name: str) -> list[Path]:
        """Return the files that `name` stands for: one, or those of sections of the Penn Treebank; empty if missing."""
        if sections := _SECTIONS.fullmatch(name):
            return find_sections(Path(self.name), int(sections[1]), int(sections[2])) or []
        path = self.find(name)
        return [] if path is None else [path]

    def load(self, corpus: Corpus, quick: bool = False) -> CorpusSplits:
        """Read a corpus that is not missing."""
        train, dev, test = self._shipped(corpus) if self.is_shipped else self._read_all(corpus)
        has_own_dev = dev is not None
        if dev is None:
            cut = len(train) - len(train) // 10
            train, dev = train[:cut], train[cut:]
        if quick and not self.is_shipped:
            train = _first_part(train)
        return CorpusSplits(train, dev, test, has_own_dev)

    def _read_all(self, corpus: Corpus) -> tuple[list[Sentence], list[Sentence] | None, list[Sentence] | None]:
        source = self.source(corpus)
        assert source is not None, "missing() was asked first"
        train, dev, test = (self._read(source, name) for name in (source.train, source.dev, source.test))
        assert train is not None
        return train, dev, test

    def _read(self, source: DataSource, name: str) -> list[Sentence] | None:
        paths = self.find_all(name) if name else []
        if not paths:
            return None
        if _SECTIONS.fullmatch(name):
            return [sentence for path in paths for sentence in read_treebank(path)]
        return self.read(paths[0], source.columns)

    def read(self, path: Path, columns: Sequence[str]) -> list[Sentence]:
        """Read a file, in UTF-8 or, if it is not UTF-8, in the encoding that was given."""
        names = tuple(columns) or None
        if not self.encoding or _is_utf8(path):
            return [s for s in read(str(path), None, names) if len(s)]
        with path.open(encoding=self.encoding) as stream:
            return [s for s in read(stream, detect_format(path), names) if len(s)]

    def _shipped(self, corpus: Corpus) -> tuple[list[Sentence], list[Sentence], list[Sentence]]:
        names = {"pos": "xpos"} if corpus.label == "xpos" else {}
        columns = tuple(names.get(c, c) for c in _CONLL2003)
        train, dev, test = (
            [s for s in read(str(_SHIPPED_FOLDER / f"{part}.txt"), None, columns) if len(s)]
            for part in ("train", "dev", "test")
        )
        return train, dev, test


def _is_utf8(path: Path) -> bool:
    try:
        path.read_bytes().decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _first_part(sentences: Sequence[Sentence]) -> list[Sentence]:
    """Return the first quarter, and the rest of the document it ends in."""
    cut = len(sentences) // _QUICK_SHARE
    if any(s.starts_document for s in sentences[1:]):
        cut = next((i for i in range(cut, len(sentences)) if sentences[i].starts_document), len(sentences))
    return list(sentences[:cut])
