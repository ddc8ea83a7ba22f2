"""Size and digest of some data."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence

from perceptag.text.documents import divide_documents
from perceptag.text.sentence import Sentence


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
