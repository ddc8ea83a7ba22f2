"""Size and digest of some data."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence

from perceptag.text.sentence import Sentence


def digest(sentences: Iterable[Sentence]) -> str:
    """Return a SHA-256 of the content of sentences, which does not depend on the file format they came from."""
    sha = hashlib.sha256()
    for sentence in sentences:
        sha.update(b"\2" if sentence.starts_document else b"\1")
        for name, values in sentence.columns.items():
            sha.update("\0".join([name, *values, ""]).encode("utf-8", "surrogatepass"))
    return sha.hexdigest()


def describe(sentences: Sequence[Sentence]) -> dict[str, object]:
    """Return the size and the digest of some data, for the manifest of a model."""
    return {"sentences": len(sentences), "tokens": sum(map(len, sentences)), "sha256": digest(sentences)}
