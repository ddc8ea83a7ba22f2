"""The corpora with names behind `en`: read, cut into training and dev data, and brought to one convention.

Names are PER, ORG and LOC, tokens those of the English Web Treebank. Where a corpus has no dev data, every tenth
document of it is held out. The passes of the training are chosen by parts of all dev data in three cases, each with
about the same number of names: a model for one kind of text is not what people need.
"""

from __future__ import annotations

import gzip
import io
import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from perceptag import Sentence
from perceptag.labels.schemes import convert, keep_types, spans
from perceptag.text import read_columns, write_columns
from perceptag.text.documents import split_documents

COLUMNS, TYPES = ("form", "ner"), ("PER", "ORG", "LOC")
TENTH = 10
CASES: dict[str, Callable[[str], str]] = {"as written": str, "lower": str.lower, "upper": str.upper}
DEV_NAMES = {"as written": 300, "lower": 150, "upper": 75}  # of each corpus, in the data that chooses the pass


class Source(NamedTuple):
    """Where a corpus is, and how it is written. Without a dev file, every tenth document is dev data."""

    train: str
    dev: str = ""
    scheme: str = "IOB2"
    has_documents: bool = False
    splits_hyphens: bool = False  # as the English Web Treebank does


SOURCES = {
    "web (UNER)": Source("uner/en_ewt.train", "uner/en_ewt.dev", has_documents=True, splits_hyphens=True),
    "tweets (BTC)": Source("btc/train.txt", "btc/dev.txt", splits_hyphens=True),
    "tweets (Tweebank)": Source("open/ner_en/tweebank_ner.tsv.gz", splits_hyphens=True),
    "Wikipedia (Wikigold)": Source("wikigold/train.txt", "wikigold/dev.txt", scheme="IOB1"),
    "Wikipedia (Re-DocRED)": Source("open/ner_en/redocred_wikipedia.tsv.gz", has_documents=True),
    **{
        f"{topic} (CrossNER)": Source(f"open/ner_en/crossner_{topic}.tsv.gz")
        for topic in ("politics", "science", "music", "literature", "ai")
    },
}


class Corpus(NamedTuple):
    """Sentences to learn from, and sentences to measure on."""

    train: list[Sentence]
    dev: list[Sentence]


def read_corpora(data: Path) -> dict[str, Corpus]:
    """Read all corpora, by name."""
    return {name: _corpus(data, source) for name, source in SOURCES.items()}


def write_training(corpora: dict[str, Corpus], train: Path, dev: Path) -> None:
    """Write the data of one training: all that is to be learned from, and what chooses the pass."""
    write_columns([s for corpus in corpora.values() for s in _begun(corpus.train)], str(train))
    chosen: list[Sentence] = []
    for case, names in DEV_NAMES.items():
        for corpus in corpora.values():
            chosen += _begun(_with_names(in_case(corpus.dev, case), names))
    write_columns(chosen, str(dev))


def in_case(sentences: Iterable[Sentence], case: str) -> list[Sentence]:
    """Return the sentences with their words in another case."""
    change = CASES[case]
    return [
        Sentence({**s.columns, "form": [*map(change, s.tokens)]}, starts_document=s.starts_document) for s in sentences
    ]


def _corpus(data: Path, source: Source) -> Corpus:
    train = list(_read(data / source.train, source))
    if source.dev:
        return Corpus(train, list(_read(data / source.dev, source)))
    parts: tuple[list[Sentence], list[Sentence]] = ([], [])
    for number, document in enumerate(split_documents(train)):
        parts[number % TENTH == TENTH - 1].extend(document)
    return Corpus(*parts)


def _read(path: Path, source: Source) -> Iterator[Sentence]:
    data = path.read_bytes()
    text = (gzip.decompress(data) if path.suffix == ".gz" else data).decode()
    for sentence in read_columns(io.StringIO(text), COLUMNS):
        labels = convert(keep_types(sentence.columns["ner"], TYPES), "IOB2", source.scheme)
        forms = [re.sub(r"\s", "_", form) for form in sentence.tokens]
        if not source.splits_hyphens:
            forms, labels = split_hyphens(forms, labels)
        starts = sentence.starts_document or not source.has_documents
        yield Sentence({"form": forms, "ner": labels}, starts_document=starts)


def split_hyphens(forms: list[str], labels: list[str]) -> tuple[list[str], list[str]]:
    """Make tokens of the hyphens between letters, as the English Web Treebank does.

    >>> split_hyphens(["Coca-Cola", "."], ["B-ORG", "O"])
    (['Coca', '-', 'Cola', '.'], ['B-ORG', 'I-ORG', 'I-ORG', 'O'])
    """
    pieces = [re.split(r"(?<=[^\W\d])(-)(?=[^\W\d])", form) for form in forms]
    inside = [label.replace("B-", "I-") for label in labels]
    return (
        [form for some in pieces for form in some],
        [x for some, b, i in zip(pieces, labels, inside, strict=True) for x in (b, *(i for _ in some[1:]))],
    )


def _with_names(sentences: list[Sentence], names: int) -> list[Sentence]:
    """Return the first sentences, until they have so many names."""
    count = 0
    for number, sentence in enumerate(sentences):
        if count >= names:
            return sentences[:number]
        count += len(spans(sentence.columns["ner"], "IOB2"))
    return sentences


def _begun(sentences: list[Sentence]) -> list[Sentence]:
    """Return the sentences with the first one as the start of a document."""
    return [Sentence(s.columns, starts_document=s.starts_document or not i) for i, s in enumerate(sentences)]
