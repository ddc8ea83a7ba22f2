"""Group sentences into documents and batches; size and digest of some data."""

from __future__ import annotations

import dataclasses
import hashlib
from collections.abc import Iterable, Iterator, Sequence

from perceptag.arrays import ranges
from perceptag.errors import DataError, brief
from perceptag.text.sentence import Sentence


def split_documents(sentences: Iterable[Sentence]) -> list[list[Sentence]]:
    """Return all documents of some sentences, as `iter_documents` cuts them."""
    return list(iter_documents(sentences))


def iter_documents(sentences: Iterable[Sentence]) -> Iterator[list[Sentence]]:
    """Yield documents while sentences are read, cut at the marks. Each sentence before the first mark is a document.

    >>> a, b, c = Sentence({"form": ["a"]}), Sentence({"form": ["b"]}, starts_document=True), Sentence({"form": ["c"]})
    >>> [len(d) for d in iter_documents([a, a, b, c, b])]
    [1, 1, 2, 1]
    """
    document: list[Sentence] = []
    for sentence in sentences:
        if sentence.starts_document and document:
            yield document
            document = []
        if sentence.starts_document or document:
            document.append(sentence)
        else:
            yield [sentence]
    if document:
        yield document


def document_numbers(sentences: Iterable[Sentence]) -> list[int]:
    """Return for each sentence the number of the document that it is in.

    >>> a, b = Sentence({"form": ["a"]}), Sentence({"form": ["b"]}, starts_document=True)
    >>> document_numbers([a, a, b, a, b])
    [0, 1, 2, 2, 3]
    """
    return [number for number, document in enumerate(iter_documents(sentences)) for _ in document]


def divide_documents(sentences: Iterable[Sentence], parts: int) -> list[list[list[Sentence]]]:
    """Divide documents into contiguous parts of nearly equal size.

    >>> a, b, c = (Sentence({"form": [form]}) for form in "abc")
    >>> [[s.columns["form"] for document in part for s in document] for part in divide_documents([a, b, c], 2)]
    [[['a']], [['b'], ['c']]]
    """
    documents = split_documents(sentences)
    return [documents[part.start : part.stop] for part in ranges(len(documents), parts)]


def as_document(sentences: Sequence[Sentence]) -> list[Sentence]:
    """Return the sentences as one document, ignoring their marks."""
    for i, s in enumerate(sentences):
        if not isinstance(s, Sentence):
            expected = "expected a Sentence (perceptag.Sentence({'form': tokens}) makes one)"
            raise DataError(f"{expected}, found {brief(s)}", f"sentence {i}")
    return [dataclasses.replace(s, starts_document=i == 0) for i, s in enumerate(sentences)]


def batches(sentences: Iterable[Sentence], tokens: int, whole_documents: bool = False) -> Iterator[list[Sentence]]:
    """Group sentences into batches of at least `tokens` tokens. With `whole_documents` no document is cut."""
    return joined_parts(iter_documents(sentences) if whole_documents else ([s] for s in sentences), tokens)


def joined_parts(parts: Iterable[list[Sentence]], tokens: int) -> Iterator[list[Sentence]]:
    """Put parts together, such as documents, into batches of at least `tokens` tokens."""
    batch: list[Sentence] = []
    size = 0
    for part in parts:
        batch += part
        size += sum(map(len, part))
        if size >= tokens:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def digest(sentences: Iterable[Sentence]) -> str:
    """Return a SHA-256 of the content of sentences, which does not depend on the file format they came from."""
    sha = hashlib.sha256()
    for sentence in sentences:
        sha.update(content(sentence))
    return sha.hexdigest()


def content(sentence: Sentence) -> bytes:
    """Return what the digest is made of. The first byte says whether a document starts here."""
    columns = ["\0".join([name, *values, ""]) for name, values in sentence.columns.items()]
    mark = "\2" if sentence.starts_document else "\1"
    return "".join([mark, *columns]).encode("utf-8", "surrogatepass")


def join_digests(digests: Iterable[str]) -> str:
    """Return the digest of data in several shards from those of the shards, each made where its data are."""
    return hashlib.sha256("".join(digests).encode("ascii")).hexdigest()


def describe(sentences: Sequence[Sentence], shards: int = 1) -> dict[str, object]:
    """Return the size and the digest of some data, for the manifest of a model."""
    sha256 = digest(sentences) if shards == 1 else join_digests(_digests(sentences, shards))
    return {"sentences": len(sentences), "tokens": sum(map(len, sentences)), "sha256": sha256}


def _digests(sentences: Sequence[Sentence], shards: int) -> list[str]:
    return [digest(s for document in part for s in document) for part in divide_documents(sentences, shards)]
